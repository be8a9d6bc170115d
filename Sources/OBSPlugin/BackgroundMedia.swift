import COBS
import Imaging
import PeopleSettings
import PeopleVision

/// The picture behind the people, in the format of a source's frames.
///
/// It is read and converted on a thread of its own. The last picture of the same frames stays until the new
/// one is ready, or for good if that cannot be read.
final class BackgroundPicture {
    /// The settings and the frames that decide how the picture looks.
    private struct Wanted: Equatable {
        let path: String
        let placement: PicturePlacement
        let format: PixelFormat
        let width: Int
        let height: Int
        let colorimetry: Colorimetry

        init(_ path: String, _ settings: BlendSettings, _ image: SourceImage) {
            self.path = path
            var placement = PicturePlacement()
            (placement.fit, placement.isMirrored) = (settings.fit, settings.isMirrored)
            placement.border = RGBColor(argb: settings.color)
            placement.isUpsideDown = image.orientation == .downMirrored
            self.placement = placement
            (format, width, height) = (image.view.format, image.view.width, image.view.height)
            colorimetry = image.view.colorimetry
        }

        func hasSameFrames(as other: Wanted) -> Bool {
            format == other.format && width == other.width && height == other.height
                && colorimetry == other.colorimetry
        }
    }

    private var shown: (wanted: Wanted, picture: OwnedImage, revision: UInt64)?
    private var failed: Wanted?
    /// The reason why the wanted picture is not shown; nil for none.
    private(set) var problem: String?
    private let work: Work
    private let worker: Worker

    init() {
        let work = Work()
        self.work = work
        worker = Worker { work.run() }
    }

    /// Returns the picture for a frame; nil until one is ready.
    func picture(_ path: String, _ settings: BlendSettings, for image: SourceImage) -> BackgroundSource? {
        let wanted = Wanted(path, settings, image)
        takeLoaded()
        if shown?.wanted == wanted {
            problem = nil
        } else if failed != wanted, !worker.isBusy {
            (work.wanted, failed) = (wanted, nil)
            worker.begin()
        }
        guard let shown, shown.wanted.hasSameFrames(as: wanted), let view = shown.picture.view else {
            return nil
        }
        return .picture(view, revision: shown.revision)
    }

    private func takeLoaded() {
        guard !worker.isBusy, let wanted = work.wanted, let result = work.result else { return }
        (work.wanted, work.result) = (nil, nil)
        switch result {
        case .success(let picture):
            shown = (wanted, picture, (shown?.revision ?? 0) &+ 1)
            problem = nil
        case .failure(let error):
            failed = wanted
            problem = error.description
        }
    }

    /// The conversion of a picture; the thread of the frames and the worker take turns.
    private final class Work: @unchecked Sendable {
        // Unchecked: nobody else uses it while the worker is busy.
        var wanted: Wanted?
        var result: Result<OwnedImage, PictureError>?

        func run() {
            guard let wanted, result == nil else { return }
            result = Result { () throws(PictureError) in
                let image = OwnedImage(wanted.format, wanted.width, wanted.height, wanted.colorimetry)
                guard let image, let target = image.mutableView else { throw .noMemory }
                let picture = try DecodedPicture(wanted.path, over: wanted.placement.border)
                do throws(SamplingError) { try target.draw(picture.view, wanted.placement) } catch {
                    throw .unusable(wanted.path, error.description)
                }
                return image
            }
        }
    }
}

/// Reasons why a picture cannot be shown.
private enum PictureError: Error, CustomStringConvertible {
    case unreadable(String)
    case unusable(String, String)
    case noMemory

    var description: String {
        switch self {
        case .unreadable(let path): "Could not read \"\(path)\"; choose a JPEG, PNG or other picture."
        case .unusable(let path, let why): "Could not use \"\(path)\": \(why)."
        case .noMemory: "There is no memory for the background."
        }
    }
}

/// A picture that OBS has decoded, of 8 bits a channel.
private final class DecodedPicture {
    let view: ImageView
    private let bytes: UnsafeMutablePointer<UInt8>

    /// Reads a file.
    ///
    /// - Parameter color: the colour beneath transparent parts.
    init(_ path: String, over color: RGBColor) throws(PictureError) {
        var (format, width, height) = (GS_UNKNOWN, UInt32(0), UInt32(0))
        guard
            let bytes = gs_create_texture_file_data2(path, GS_IMAGE_ALPHA_STRAIGHT, &format, &width, &height)
        else { throw .unreadable(path) }
        let known: PixelFormat? =
            switch format {
            case GS_RGBA: .rgba
            case GS_BGRA: .bgra
            case GS_BGRX: .bgrx
            default: nil
            }
        let stride = Int(width) &* 4
        guard let known,
            let view = MutableImageView(
                format: known, width: Int(width), height: Int(height),
                plane: MutablePlane(base: bytes, stride: stride), byteCount: stride &* Int(height))
        else {
            bfree(bytes)
            throw .unusable(path, "its size or its format is not supported")
        }
        if known != .bgrx { view.flatten(on: color) }
        (self.bytes, self.view) = (bytes, ImageView(view))
    }

    deinit { bfree(bytes) }
}

/// An image with memory of its own.
private final class OwnedImage: @unchecked Sendable {
    // Unchecked: the worker writes it before it is handed over.
    private let planes: [UnsafeMutableRawPointer]
    let mutableView: MutableImageView?
    var view: ImageView? { mutableView.map { ImageView($0) } }

    init?(_ format: PixelFormat, _ width: Int, _ height: Int, _ colorimetry: Colorimetry) {
        let layout = format.layout
        let sides = 1...ImageView.maximumSide
        guard sides.contains(width), sides.contains(height) else { return nil }
        var (planes, views) = ([UnsafeMutableRawPointer](), [(MutablePlane, Int)]())
        for index in 0..<layout.planeCount {
            let stride = (layout.rowBytes(plane: index, width: width) + 31) & ~31
            let bytes = stride * layout.rows(plane: index, height: height)
            let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 32)
            planes.append(memory)
            views.append((MutablePlane(base: memory, stride: stride), bytes))
        }
        func plane(_ index: Int) -> (MutablePlane, Int) { views[min(index, views.count - 1)] }
        self.planes = planes
        mutableView = MutableImageView(
            format: format, width: width, height: height, colorimetry: colorimetry,
            planes: (plane(0).0, plane(1).0, plane(2).0, plane(3).0),
            byteCounts: (plane(0).1, plane(1).1, plane(2).1, plane(3).1))
    }

    deinit { for memory in planes { memory.deallocate() } }
}

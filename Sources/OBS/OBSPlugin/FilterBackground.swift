import COBS
import Composer
import Imaging
import PeopleSettings
import PeopleVision
import Threads

/// The picture or clip behind the people, in the format of a source's frames.
///
/// Files are opened and pictures are converted on a thread of its own. The last picture of the same frames stays
/// until the new one is ready, or for good if that cannot be read.
final class FilterBackground {
    /// The settings and the frames that decide how the background looks.
    private struct Wanted: Equatable {
        let path: String
        /// Whether the file is a clip that plays.
        let plays: Bool
        let placement: PicturePlacement
        let frames: FrameKind

        init(_ path: String, plays: Bool, _ settings: BlendSettings, _ image: SourceImage) {
            (self.path, self.plays) = (path, plays)
            var placement = PicturePlacement()
            (placement.fit, placement.isMirrored) = (settings.fit, settings.isMirrored)
            placement.border = RGBColor(argb: settings.color)
            placement.isUpsideDown = image.orientation == .downMirrored
            self.placement = placement
            frames = image.kind
        }
    }

    /// Seconds without a frame after which a clip is closed: longer than a camera takes to change its mode.
    private static let patience: Float = 5

    private var shown: (wanted: Wanted, picture: OwnedImage, revision: UInt64)?
    private var failed: Wanted?
    /// The reason why the wanted background is not shown; nil for none.
    private(set) var problem: String?
    private var unusedFor: Float = 0
    private let clip = BackgroundClip()
    private let work: Work
    private let worker: Worker

    init() {
        let work = Work(clip)
        self.work = work
        worker = Worker { work.run() }
    }

    /// Returns the background of a frame; nil until one is ready.
    ///
    /// - Parameter plays: whether the file is a clip, of which more than a picture is asked for.
    func picture(
        _ path: String, plays: Bool, _ settings: BlendSettings, for image: SourceImage
    ) -> BackgroundSource? {
        let wanted = Wanted(path, plays: plays, settings, image)
        unusedFor = 0
        takeFinished()
        if shown?.wanted == wanted, !(wanted.plays && clip.hasNews(of: path)) {
            problem = nil
        } else if failed != wanted, !worker.isBusy {
            (work.wanted, failed) = (wanted, nil)
            worker.begin()
        }
        guard let shown, shown.wanted.frames == wanted.frames else { return nil }
        // A clip's pictures change, so that nothing is kept of them.
        return .picture(
            ImageView(shown.picture.view), revision: shown.wanted.plays ? nil : shown.revision)
    }

    /// Handles a tick of OBS, on the thread of the frames: plays the clip, or closes it after `patience` seconds
    /// without a frame of the filter.
    func tick(_ seconds: Float) {
        clip.tick(seconds)
        unusedFor += seconds
        guard unusedFor > Self.patience, clip.isOpen, !worker.isBusy else { return }
        (work.wanted, work.result) = (nil, nil)
        worker.begin()
    }

    private func takeFinished() {
        guard !worker.isBusy, let wanted = work.wanted, let result = work.result else { return }
        (work.wanted, work.result) = (nil, nil)
        switch result {
        case .success(let picture):
            work.spare = shown?.picture
            shown = (wanted, picture, (shown?.revision ?? 0) &+ 1)
            problem = nil
        case .failure(let error):
            failed = wanted
            problem = error.description
        }
    }

    /// The conversion of a picture; the thread of the frames and the worker take turns.
    private final class Work: @unchecked Sendable {
        // Unchecked: while the worker is busy, only the worker uses it.
        /// The background to be made; nil for none, which closes the clip.
        var wanted: Wanted?
        /// The background; nil while a clip has no new frame.
        var result: Result<OwnedImage, BackgroundError>?
        /// An image that is no longer shown, whose memory is used again.
        var spare: OwnedImage?
        private let clip: BackgroundClip
        private let scaler = ClipScaler()

        init(_ clip: BackgroundClip) { self.clip = clip }

        func run() {
            guard let wanted else { return clip.stop() }
            do throws(BackgroundError) {
                result = try (wanted.plays ? frame(wanted) : picture(wanted)).map { .success($0) }
            } catch {
                clip.stop()
                result = .failure(error)
            }
        }

        private func picture(_ wanted: Wanted) throws(BackgroundError) -> OwnedImage? {
            clip.stop()
            let image = try memory(for: wanted)
            let picture = try DecodedPicture(wanted.path, over: wanted.placement.border)
            do throws(SamplingError) { try image.view.draw(picture.view, wanted.placement) } catch {
                throw .unusable(wanted.path, error.description)
            }
            return image
        }

        /// Returns the clip's newest frame; nil if there is none yet.
        private func frame(_ wanted: Wanted) throws(BackgroundError) -> OwnedImage? {
            guard let frame = try clip.frame(of: wanted.path) else { return nil }
            let image = try memory(for: wanted)
            guard scaler.draw(frame, on: image.view, wanted.frames, wanted.placement) else {
                throw .unusable(wanted.path, "the format of its frames is not supported")
            }
            return image
        }

        private func memory(for wanted: Wanted) throws(BackgroundError) -> OwnedImage {
            defer { spare = nil }
            if let spare, spare.has(wanted.frames) { return spare }
            guard let image = OwnedImage(wanted.frames) else { throw .noMemory }
            return image
        }
    }
}

/// Reasons why a picture or clip cannot be shown.
enum BackgroundError: Error, CustomStringConvertible {
    case unreadable(String)
    case unusable(String, String)
    case unplayable(String)
    case noPlayer
    case noMemory

    var description: String {
        switch self {
        case .unreadable(let path): "Could not read \"\(path)\"; choose a JPEG, PNG or other picture."
        case .unusable(let path, let why): "Could not use \"\(path)\": \(why)."
        case .unplayable(let path): "Could not play \"\(path)\"; choose another clip."
        case .noPlayer: "Clips need OBS's media source: install or switch on the plugin obs-ffmpeg."
        case .noMemory: "There is no memory for the background."
        }
    }
}

/// A picture that OBS has decoded, of 8 bits a channel.
final class DecodedPicture {
    let view: ImageView
    private let bytes: UnsafeMutablePointer<UInt8>

    /// Reads a file.
    ///
    /// - Parameter color: the colour beneath transparent parts.
    init(_ path: String, over color: RGBColor) throws(BackgroundError) {
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
final class OwnedImage: @unchecked Sendable {
    // Unchecked: the worker writes it before it is handed over.
    let view: MutableImageView
    private let planes: [UnsafeMutableRawPointer]

    /// Returns nil for a size that an image cannot have.
    init?(_ kind: FrameKind) {
        let (layout, width, height) = (kind.format.layout, kind.width, kind.height)
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
        let view = MutableImageView(
            format: kind.format, width: width, height: height, colorimetry: kind.colorimetry,
            planes: (plane(0).0, plane(1).0, plane(2).0, plane(3).0),
            byteCounts: (plane(0).1, plane(1).1, plane(2).1, plane(3).1))
        guard let view else {
            for memory in planes { memory.deallocate() }
            return nil
        }
        (self.planes, self.view) = (planes, view)
    }

    deinit { for memory in planes { memory.deallocate() } }

    /// Whether the image is one of these frames.
    func has(_ kind: FrameKind) -> Bool {
        view.format == kind.format && view.width == kind.width && view.height == kind.height
            && view.colorimetry == kind.colorimetry
    }
}

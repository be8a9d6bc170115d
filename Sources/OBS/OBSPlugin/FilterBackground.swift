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

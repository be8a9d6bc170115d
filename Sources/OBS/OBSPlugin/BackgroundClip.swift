import COBS
import Imaging
import PeopleVision
import Synchronization

/// A clip that plays in a loop, without sound, in a media source that belongs to no scene.
///
/// libobs has no other decoder of videos. A thread that draws no frames opens and closes the source, since both
/// wait for locks that OBS holds while it draws.
final class BackgroundClip: Sendable {
    private struct State: @unchecked Sendable {
        // Unchecked: libobs' functions for sources may be called from any thread.
        var path: String?
        var source: OpaquePointer?
        /// The newest frame, which `frame(of:)` has not returned yet.
        var newest: SourceFrame?
        /// The frame that `frame(of:)` has returned last.
        var current: SourceFrame?
        /// Seconds until the first frame.
        var wait: Float = 0

        /// Whether there will be no more frames: the source plays in a loop, and ends only where it cannot read on.
        var hasFailed: Bool {
            guard let source, newest == nil else { return false }
            return obs_source_media_get_state(source) == OBS_MEDIA_STATE_ENDED
                || current == nil && wait > BackgroundClip.longestWait
        }
    }

    /// Seconds until a file without a frame counts as unreadable, as in `blendmask`.
    private static let longestWait: Float = 10

    private let state = Mutex(State())

    deinit { stop() }

    /// Whether a file is open.
    var isOpen: Bool { state.withLock { $0.path != nil } }

    /// Whether `frame` would return another frame than before, or none.
    func hasNews(of path: String) -> Bool {
        state.withLock { $0.path != path || $0.newest != nil || $0.hasFailed }
    }

    /// Takes the clip's newest frame; called with each tick of OBS, because the source drops frames that are not
    /// taken.
    func tick(_ seconds: Float) {
        state.withLock { state in
            guard let source = state.source else { return }
            state.wait += seconds
            guard let frame = obs_source_get_frame(source) else { return }
            obs_source_release_frame(source, state.newest)
            state.newest = frame
        }
    }

    /// Returns the newest frame, which stays valid until the next call; nil if there is none yet.
    ///
    /// Opens the file, in the place of the one before.
    func frame(of path: String) throws(BackgroundError) -> SourceFrame? {
        if !state.withLock({ $0.path == path }) {
            stop()
            try open(path)
        }
        let now = state.withLock { state in
            if state.newest != nil {
                obs_source_release_frame(state.source, state.current)
                (state.current, state.newest) = (state.newest, nil)
            }
            return state
        }
        if now.hasFailed { throw .unplayable(path) }
        return now.current
    }

    /// Closes the file.
    func stop() {
        let old = state.withLock { state in
            defer { state = State() }
            return state
        }
        for frame in [old.newest, old.current] { obs_source_release_frame(old.source, frame) }
        obs_source_release(old.source)
    }

    private func open(_ path: String) throws(BackgroundError) {
        // libobs also makes sources of kinds that it does not know.
        guard obs_get_source_output_flags(Self.kind) & UInt32(OBS_SOURCE_ASYNC) != 0 else { throw .noPlayer }
        let settings = obs_data_create()
        defer { obs_data_release(settings) }
        obs_data_set_string(settings, "local_file", path)
        obs_data_set_bool(settings, "looping", true)
        // Otherwise it would wait for a scene that shows it.
        obs_data_set_bool(settings, "restart_on_activate", false)
        obs_data_set_bool(settings, "clear_on_media_end", false)
        guard let source = obs_source_create_private(Self.kind, path, settings) else { throw .noPlayer }
        obs_source_set_muted(source, true)
        // The newest frame counts.
        obs_source_set_async_unbuffered(source, true)
        let opened = State(path: path, source: source)
        state.withLock { $0 = opened }
    }

    private static let kind = "ffmpeg_source"
}

/// Puts frames of a clip into frames of a source, by libobs' scaler.
///
/// Tiles and a high dynamic range, which the scaler does not know, are drawn as pictures are. That takes longer.
final class ClipScaler {
    /// The frames that the scaler is made for.
    private var kinds: (source: FrameKind, target: FrameKind)?
    private var scaler: OpaquePointer?
    /// The scaled clip where it does not fill the frame.
    private var inset: OwnedImage?
    private let compositor = MaskCompositor()

    deinit { video_scaler_destroy(scaler) }

    /// Fills an image with a frame of a clip.
    ///
    /// - Parameter kind: the image's kind.
    /// - Returns: false for a format that is not known.
    func draw(
        _ frame: SourceFrame, on target: MutableImageView, _ kind: FrameKind, _ placement: PicturePlacement
    ) -> Bool {
        guard let clip = SourceImage(frame) else { return false }
        clip.view.flatten(on: placement.border)
        var placement = placement
        placement.isUpsideDown = placement.isUpsideDown != (clip.orientation == .downMirrored)
        guard placement.fit != .tile, clip.kind.isSDR, kind.isSDR else {
            do throws(SamplingError) { try target.draw(ImageView(clip.view), placement) } catch {
                return false
            }
            return true
        }
        guard place(clip, on: target, kind, placement) else { return false }
        if placement.isMirrored { target.flipHorizontally() }
        return true
    }

    private func place(
        _ clip: SourceImage, on target: MutableImageView, _ kind: FrameKind, _ placement: PicturePlacement
    ) -> Bool {
        let (shown, place) = placement.fit.placement(
            of: (clip.kind.width, clip.kind.height), in: (kind.width, kind.height))
        guard let source = clip.view.part(shown) else { return false }
        let from = clip.kind.sized(as: shown)
        guard (place.width, place.height) != (kind.width, kind.height) else {
            return scale(source, from, to: target, kind, placement)
        }
        let inner = kind.sized(as: place)
        if inset?.has(inner) != true { inset = OwnedImage(inner) }
        guard let inset, let part = target.part(place),
            scale(source, from, to: inset.view, inner, placement), fill(target, placement.border)
        else { return false }
        part.copyRows(of: ImageView(inset.view))
        return true
    }

    private func fill(_ image: MutableImageView, _ color: RGBColor) -> Bool {
        do throws(CompositingError) {
            try compositor.cover(image, Composition(source: .color(color)))
        } catch { return false }
        return true
    }

    private func scale(
        _ source: MutableImageView, _ from: FrameKind, to target: MutableImageView, _ kind: FrameKind,
        _ placement: PicturePlacement
    ) -> Bool {
        // The scaler leaves out the last row of chroma of an odd height.
        guard kind.height % 2 == 0 || fill(target, placement.border) else { return false }
        if kinds?.source != from || kinds?.target != kind {
            video_scaler_destroy(scaler)
            (kinds, scaler) = ((from, kind), nil)
            var (input, output) = (from.scale, kind.scale)
            video_scaler_create(&scaler, &output, &input, VIDEO_SCALE_BICUBIC)
        }
        let input = source.pointers(fromBelow: placement.isUpsideDown)
        var output = target.pointers(fromBelow: false)
        let rows = input.rows.map { UnsafePointer($0) }
        return video_scaler_scale(scaler, &output.rows, output.strides, rows, input.strides)
    }
}

extension FrameKind {
    fileprivate var isSDR: Bool { colorimetry.transfer == .sdr }

    fileprivate func sized(as part: PixelRect) -> FrameKind {
        var kind = self
        (kind.width, kind.height) = (part.width, part.height)
        return kind
    }

    /// The kind in libobs' terms.
    fileprivate var scale: video_scale_info {
        let matrix =
            switch colorimetry.matrix {
            case .bt601: VIDEO_CS_601
            case .bt709: VIDEO_CS_709
            case .bt2020: VIDEO_CS_2100_PQ
            }
        return video_scale_info(
            format: stored, width: UInt32(width), height: UInt32(height),
            range: colorimetry.range == .full ? VIDEO_RANGE_FULL : VIDEO_RANGE_PARTIAL, colorspace: matrix)
    }
}

extension MutableImageView {
    /// The first rows of the planes and their strides, as libobs' scaler takes them.
    ///
    /// - Parameter fromBelow: whether the last row comes first; the scaler reads strides as signed numbers.
    fileprivate func pointers(
        fromBelow: Bool
    ) -> (rows: [UnsafeMutablePointer<UInt8>?], strides: [UInt32]) {
        var (rows, strides) = ([UnsafeMutablePointer<UInt8>?](), [UInt32]())
        for index in 0..<4 {
            let exists = index < format.layout.planeCount
            let (plane, count) = (plane(index), format.layout.rows(plane: index, height: height))
            rows.append(exists ? plane.row(fromBelow ? count - 1 : 0) : nil)
            strides.append(exists ? UInt32(truncatingIfNeeded: fromBelow ? -plane.stride : plane.stride) : 0)
        }
        return (rows, strides)
    }
}

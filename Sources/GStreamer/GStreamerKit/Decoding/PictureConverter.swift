package import Imaging

/// Converts frames of one source to pictures in a stream's format.
final class PictureConverter {
    private let info: VideoInfo
    private let style: Guarded<PictureStyle>
    private let pool: MemoryPool
    private var plan: Plan?

    /// The conversion for one kind of frame.
    private struct Plan {
        let caps: GStreamer.Caps
        let orientation: ImageOrientation
        let style: PictureStyle
        let conversion: any PictureConversion

        func suits(_ other: GStreamer.Caps, _ orientation: ImageOrientation, _ style: PictureStyle) -> Bool {
            self.style == style && self.orientation == orientation && caps == other
        }
    }

    /// - Throws: `GST_RESOURCE_ERROR_READ` when there is no memory for such pictures.
    init(for info: VideoInfo, _ style: PictureStyle) throws(ElementError) {
        guard let pool = MemoryPool(byteCount: Int(clamping: info.raw.size)) else { throw .unconvertible }
        (self.info, self.style, self.pool) = (info, Guarded(style), pool)
    }

    /// Changes the placement of the next pictures; may be called on any thread.
    func restyle(_ style: PictureStyle) { self.style.update { $0 = style } }

    /// Converts a decoder's picture; nil when the sample has none, or memory is short.
    func convert(_ sample: GStreamer.Sample, orientation: ImageOrientation) -> ConvertedPicture? {
        guard let input = sample.buffer, let caps = sample.caps,
            let plan = plan(for: caps, orientation), let output = pool.acquire(),
            plan.conversion.convert(input.pointer, into: output.raw)
        else { return nil }
        if plan.style.isMirrored, let frame = VideoFrame(mapping: output.raw, as: info, .readWrite) {
            frame.mutableImage?.flipHorizontally()
        }
        return ConvertedPicture(output, info, showsBorder: plan.conversion.showsBorder)
    }

    private func plan(for caps: GStreamer.Caps, _ orientation: ImageOrientation) -> Plan? {
        let style = style.snapshot()
        if let plan, plan.suits(caps, orientation, style) { return plan }
        guard let source = VideoInfo(caps),
            let conversion = PictureConversions.conversion(
                from: source, orientation: orientation, to: info, style)
        else { return nil }
        plan = Plan(caps: caps, orientation: orientation, style: style, conversion: conversion)
        return plan
    }
}

extension ElementError {
    static var unconvertible: ElementError {
        ElementError(.resourceRead, "The picture could not be converted to the video's format.")
    }
}

/// The placement of a picture or a clip in a stream's frames.
package struct PictureStyle: Sendable, Equatable {
    /// The way in which the picture's shape is fitted to the frame's.
    package var fit: PictureFit
    /// Whether the picture is mirrored horizontally.
    package var isMirrored: Bool
    /// The colour of the area that stays free: 0xAARRGGBB.
    package var border: UInt32

    /// Makes a style.
    package init(fit: PictureFit = .cover, isMirrored: Bool = false, border: UInt32 = 0xff00_0000) {
        self.fit = fit
        self.isMirrored = isMirrored
        self.border = border
    }
}

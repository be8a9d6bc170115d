import CGStreamer
import Imaging

/// Turns frames of one source into pictures as a stream would carry them.
final class PictureConverter {
    private let info: VideoInfo
    private let style: Guarded<PictureStyle>
    private let pool: MemoryPool
    private var plan: Plan?

    /// How to convert one kind of frame.
    private struct Plan {
        let caps: UnsafeMutablePointer<GstCaps>
        let orientation: ImageOrientation
        let style: PictureStyle
        let conversion: any PictureConversion

        func suits(
            _ other: UnsafeMutablePointer<GstCaps>, _ orientation: ImageOrientation, _ style: PictureStyle
        ) -> Bool {
            self.style == style && self.orientation == orientation
                && (caps == other || gst_caps_is_equal(caps, other) != 0)
        }
    }

    /// - Throws: `GST_RESOURCE_ERROR_READ` when there is no memory for such pictures.
    init(for info: VideoInfo, _ style: PictureStyle) throws(ElementError) {
        guard let pool = MemoryPool(byteCount: Int(clamping: info.raw.size)) else { throw .unconvertible }
        (self.info, self.style, self.pool) = (info, Guarded(style), pool)
    }

    deinit { if let plan { gst_caps_unref(plan.caps) } }

    /// Places pictures in another way from now on; for any thread.
    func restyle(_ style: PictureStyle) { self.style.update { $0 = style } }

    /// Converts what a decoder gave; nil when that is no picture, or memory is short.
    func convert(_ sample: OpaquePointer, turned orientation: ImageOrientation) -> ConvertedPicture? {
        guard let input = gst_sample_get_buffer(sample), let caps = gst_sample_get_caps(sample),
            let plan = plan(for: caps, orientation), let output = pool.acquire(),
            plan.conversion.convert(input, into: output.raw)
        else { return nil }
        if plan.style.isMirrored, let frame = VideoFrame(mapping: output.raw, as: info, .readWrite) {
            frame.mutableImage?.flipHorizontally()
        }
        return ConvertedPicture(output, info, showsBorder: plan.conversion.showsBorder)
    }

    private func plan(for caps: UnsafeMutablePointer<GstCaps>, _ orientation: ImageOrientation) -> Plan? {
        let style = style.snapshot()
        if let plan, plan.suits(caps, orientation, style) { return plan }
        guard let source = VideoInfo(caps: caps),
            let conversion = PictureConversions.conversion(
                from: source, turned: orientation, to: info, style)
        else { return nil }
        if let plan { gst_caps_unref(plan.caps) }
        plan = Plan(caps: gst_caps_ref(caps), orientation: orientation, style: style, conversion: conversion)
        return plan
    }
}

extension ElementError {
    static var unconvertible: ElementError {
        ElementError(.resourceRead, "The picture could not be converted to the video's format.")
    }
}

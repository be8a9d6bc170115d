import CommandKit
import GStreamerKit

/// Converts decoded frames into upright frames of a format that the elements and the encoder take.
struct FrameConversion {
    /// The depth of the frames, nil for those of images, which keep theirs until the encoder.
    let depth: BitDepth?
    let hasAlpha: Bool
    /// What is changed besides the background, for the user.
    private(set) var notes: [String] = []
    private var steps: [String] = []

    /// The pipeline description.
    var chain: String { steps.joined(separator: " ! ") }

    /// - Parameter caps: of decoded frames.
    /// - Throws: when they are no raw video, or have a dynamic range that the output cannot hold.
    init(caps: GStreamer.Caps, job: Job) throws(ToolError) {
        guard let info = VideoInfo(caps) else {
            throw ToolError(.input, "\(job.input) contains no usable image.")
        }
        let completed = Self.completeHighDynamicRange(info, caps)
        let range = (completed ?? info.colors).highDynamicRange
        depth = try Self.depth(range, isInterlaced: info.isInterlaced, job)
        hasAlpha = info.hasAlpha
        if let color = completed?.text {
            steps.append("capssetter caps=\"video/x-raw,colorimetry=(string)\(color)\"")
        }
        if hasAlpha {
            let pixels = (depth ?? .eight).pixelsWithAlpha
            steps += [
                "videoconvert", "video/x-raw,format=\(pixels)",
                "identity name=\(AlphaFlattening.elementName)",
            ]
            notes.append("transparent parts, if any, become black")
        }
        steps += ["videoconvert", "video/x-raw,format=\(depth?.pixels ?? "RGB")"]
        // x265enc refuses caps without a rate; frames keep their times whatever it is.
        if depth == .ten, info.frameDuration == nil {
            steps.append("capssetter caps=video/x-raw,framerate=30/1")
        }
        if info.isInterlaced {
            // A frame for each frame, not for each field.
            steps.append("deinterlace fields=top")
            notes.append("the frames were deinterlaced")
        }
        if job.needsEvenSize { crop(info.width, info.frameHeight) }
        // Phones store portrait clips sideways with a tag.
        steps.append("videoflip video-direction=auto")
    }

    private static func depth(
        _ range: String?, isInterlaced: Bool, _ job: Job
    ) throws(ToolError) -> BitDepth? {
        let isStill = if case .still = job.format { true } else { false }
        // GStreamer's deinterlace takes 8 bits only.
        let deepest: BitDepth = isStill || isInterlaced ? .eight : .ten
        if let range, deepest == .eight || job.depth == .eight {
            throw .highDynamicRange(job, range)
        }
        if job.depth == .ten, deepest == .eight {
            throw ToolError(.input, "\(job.input) is interlaced: it can be written with 8 bits only.")
        }
        return isStill ? nil : job.depth ?? (range == nil ? .eight : .ten)
    }

    /// Adds what a stream of high dynamic range leaves open of its colours, as ITU-R BT.2100 has it.
    ///
    /// Encoders may say the transfer function only (x265 `transfer=smpte2084`). GStreamer takes the default of standard range for
    /// all three where the matrix is missing.
    ///
    /// - Returns: nil where they are complete, or those of standard range.
    private static func completeHighDynamicRange(
        _ info: VideoInfo, _ caps: GStreamer.Caps
    ) -> GStreamer.Colorimetry? {
        guard info.isYUV, let said = GStreamer.Colorimetry(caps.fields?.string("colorimetry")),
            said.highDynamicRange != nil
        else { return nil }
        return said.completedAsBT2020
    }

    private mutating func crop(_ width: Int, _ height: Int) {
        guard width % 2 + height % 2 > 0 else { return }
        steps.append("videocrop right=\(width % 2) bottom=\(height % 2)")
        notes.append("the last odd column or row was cut off: H.264 and HEVC support only even sizes")
    }
}

extension Job {
    fileprivate var needsEvenSize: Bool {
        switch format {
        case .video(let container): container.needsEvenSize(transparent: background == .transparent)
        case .still: false
        }
    }
}

extension ToolError {
    fileprivate static func highDynamicRange(_ job: Job, _ transfer: String) -> ToolError {
        ToolError(
            .input,
            "\(job.input) has high dynamic range (\(transfer)), which is kept only in progressive videos of 10 bits. "
                + "Convert it to standard range first: ffmpeg -i \(FileSystem.shellWord(job.input)) -vf "
                + "zscale=t=linear:npl=100,tonemap=hable,zscale=p=bt709:t=bt709:m=bt709,format=yuv420p sdr.mp4"
        )
    }
}

/// Lays transparent frames on black.
///
/// Leaving out the alpha channel would uncover what lies under transparent pixels: editors keep the
/// colours of what was erased.
enum AlphaFlattening {
    /// Name of the element whose output is flattened; it must give `BitDepth.pixelsWithAlpha`.
    static let elementName = "flatten"

    static func install(in chain: GStreamer.Element, _ depth: BitDepth) {
        chain.element(named: elementName)?.pad("src")?.onBuffer { info in
            // Wider numbers hold products of two samples.
            _ = info.writableBuffer?.withBytes { bytes in
                switch depth {
                case .eight: multiply(bytes.bindMemory(to: UInt8.self), as: UInt16.self)
                case .ten: multiply(bytes.bindMemory(to: UInt16.self), as: UInt32.self)
                }
            }
        }
    }

    /// Colour times alpha, for four samples a pixel; rows have no padding that is not whole pixels.
    private static func multiply<Sample: FixedWidthInteger & UnsignedInteger, Product: FixedWidthInteger>(
        _ samples: UnsafeMutableBufferPointer<Sample>, as _: Product.Type
    ) {
        let opaque = Product(Sample.max)
        for pixel in stride(from: 0, to: samples.count & ~3, by: 4) where samples[pixel + 3] != .max {
            let alpha = Product(samples[pixel + 3])
            for channel in pixel..<pixel + 3 {
                samples[channel] = Sample(
                    truncatingIfNeeded: (Product(samples[channel]) * alpha + opaque / 2) / opaque)
            }
            samples[pixel + 3] = .max
        }
    }
}

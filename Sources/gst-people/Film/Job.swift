import CommandKit
import Glibc

/// One file to make.
struct Job {
    let input: String
    let output: String
    let format: OutputFormat
    let background: Background
    let quality: String
    let autoCrop: AspectRatio?
    let keptPerson: KeptPerson?
    let depth: BitDepth?
    let range: FilmRange

    init(_ pair: FilePair, _ options: FilmOptions) throws(ToolError) {
        (input, output, background) = (pair.input, pair.output, options.background)
        (quality, range, depth) = (options.quality, options.range, options.depth)
        (autoCrop, keptPerson) = (options.autoCrop, options.keptPerson)
        guard let format = OutputFormat(path: output), options.allows(format) else {
            let reason = options.isTransparent ? ", because it is to be transparent" : ""
            throw ToolError(.usage, "\(output) must end in \(listed(options.endings))\(reason).")
        }
        self.format = format
        try checkInput(input)
        if case .video = format, MediaType(ofFile: input)?.name == "image/gif" { throw .animation(input) }
        guard !isSameFile(input, output) else {
            throw ToolError(.usage, "\(output) is the input itself; give another name for the output.")
        }
    }
}

extension Job {
    /// Whether frames may be made out of order: a clip behind the people plays on from frame to frame, and angles of faces
    /// depend on a whole film before.
    var canBeCut: Bool {
        // Who is kept is known by an id, which counts from a segment's beginning.
        guard case .video = format, keptPerson == nil else { return false }
        switch background {
        case .pose: return false
        case .picture(let path): return MediaType(ofFile: path)?.name.hasPrefix("image/") ?? false
        case .blur, .color, .transparent, .original: return true
        }
    }

    /// Throws when the input ends long before it should: a copy or download that was cut short.
    ///
    /// - Parameters:
    ///   - expected: seconds; those that were `found` may be a little less.
    func checkLength(expected: Double, found: Double) throws(ToolError) {
        // Containers round, and some only estimate.
        guard expected - found > max(0.25, expected * 0.002) else { return }
        throw ToolError(
            .input,
            "\(input) is cut short: it holds \(found.text(decimals: 1)) of \(expected.text(decimals: 1)) seconds."
        )
    }
}

extension ToolError {
    /// GStreamer 1.22's decoder gives all frames of a GIF the time of the first.
    fileprivate static func animation(_ input: String) -> ToolError {
        ToolError(
            .input,
            "\(input) is a GIF, in which GStreamer does not find the times of frames. Make a video of it first: "
                + "ffmpeg -i \(quoted(input)) -pix_fmt yuv420p -vf 'pad=ceil(iw/2)*2:ceil(ih/2)*2' gif.mp4")
    }
}

/// The words as in a sentence: ".png or .jpg".
private func listed(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + " or " + last
}

/// Whether two names mean one file.
private func isSameFile(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard stat(one, &first) == 0, stat(other, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
}

import CommandKit
import FileNames
import Glibc

/// One file to make.
struct Job {
    private(set) var input: String
    /// The file that is read: the input, or a temporary copy of it.
    private(set) var source: String
    let output: String
    let format: OutputFormat
    let compositing: Compositing
    let quality: String
    let autoCrop: AspectRatio?
    let keptPerson: KeptPerson?
    let framing: FramingOptions
    let depth: BitDepth?
    let encoding: EncodingOptions
    private(set) var range: VideoRange
    /// Whether damaged inputs are processed as far as they can be read.
    let acceptsDamage: Bool
    let turn: PictureTurn

    init(_ pair: FilePair, _ options: VideoOptions) throws(ToolError) {
        (input, source, output) = (pair.input, pair.input, pair.output)
        let isAltered = options.compositing.hidesHeads && !options.compositing.hasBackground
        let isOnlyFramed = options.framing.isActive && !options.compositing.hasBackground
        let keepsBackground = options.autoCrop != nil || isAltered || isOnlyFramed
        compositing = keepsBackground ? options.compositing.over(.original) : options.compositing
        (quality, range, depth) = (options.quality, options.range, options.depth)
        (autoCrop, keptPerson) = (options.autoCrop, options.keptPerson)
        framing = options.framing
        (acceptsDamage, encoding, turn) = (options.acceptsDamage, options.encoding, options.turn)
        guard let format = options.format(ofOutput: output), options.allows(format) else {
            let reason = options.isTransparent ? ", because --transparent is set" : ""
            throw ToolError(.usage, "\(output) must end in \(listed(options.endings))\(reason).")
        }
        self.format = format
        if case .video(let container) = format {
            try encoding.check(container, transparent: options.isTransparent)
        }
        let place = InputPlace(input)
        guard place == .file || options.isPhoto && place == .imageSequence else { return }
        try checkInput(input)
        try checkStart()
        if case .video = format, MediaType(ofFile: input)?.isPicture ?? false { throw .picture(input) }
        guard !isSameFile(input, output) else {
            throw ToolError(.usage, "\(output) is the input itself; give another name for the output.")
        }
    }
}

extension Job {
    /// Throws when a time is given for an input without times.
    private func checkStart() throws(ToolError) {
        guard isStill, range.start > 0, MediaType(ofFile: source)?.isImage ?? false else { return }
        throw ToolError(.usage, "\(input) is an image; --start is for videos.")
    }

    /// Makes a job that only reads the frames of a file.
    init(reading path: String, _ part: FramePart = FramePart()) {
        (input, source, output, format) = (path, path, "", .still(.png))
        (compositing, quality, autoCrop, keptPerson, depth) = (Compositing(), "", nil, nil, nil)
        (range, acceptsDamage, encoding) = (part.range, part.acceptsDamage, EncodingOptions())
        framing = FramingOptions()
        turn = PictureTurn()
    }

    /// The background; nil: the original with an effect, black otherwise.
    var background: Background? { compositing.background }

    /// Whether frames may be made out of order: a clip behind the people plays on from frame to frame, and angles of faces
    /// depend on a whole video before.
    var canBeCut: Bool {
        guard case .video(let container) = format, !container.holdsFramesOnly else { return false }
        // A second download may be another video.
        guard source == input, output != "-" else { return false }
        // The kept person is known by an id, and ids count from a segment's beginning.
        guard keptPerson == nil, !compositing.dependsOnIDs else { return false }
        // A scene is framed as a whole.
        guard !framing.isActive else { return false }
        switch background {
        case .pose: return false
        case .picture(let path): return MediaType(ofFile: path)?.name.hasPrefix("image/") ?? false
        case .color, .transparent, .original, nil: return true
        }
    }

    /// Whether something that the input shows is hidden: the room, people or heads.
    var hidesContents: Bool { keptPerson != nil || !compositing.changesNothing }

    var isStill: Bool { if case .still = format { true } else { false } }

    /// Whether one frame of a video is wanted.
    var takesFrame: Bool { isStill && MediaType(ofFile: source)?.isVideo ?? false }

    /// Returns this job for the whole of another input.
    func reading(_ path: String) -> Job {
        var job = self
        (job.input, job.source, job.range) = (path, path, VideoRange())
        return job
    }

    /// Returns this job, with the file that its input was fetched into.
    func fetched(to path: String) -> Job {
        var job = self
        job.source = path
        return job
    }

    var inputName: String { input == "-" ? "standard input" : input }
    var outputName: String { output == "-" ? "standard output" : output }

    /// A note that names the frame that was taken from a video.
    var frameNote: [String] {
        guard takesFrame else { return [] }
        guard range.start == 0 else {
            return ["this is the frame at \((Double(range.start) / 1e9).clockTime)"]
        }
        return ["this is the video's first frame; --start=T takes the frame at that time"]
    }

    /// Throws when the input ends long before it should: a copy or download that was cut short.
    ///
    /// - Parameters:
    ///   - expected: seconds; `found` may be a little less.
    func checkLength(expected: Double, found: Double) throws(ToolError) {
        // Containers round, and some only estimate.
        guard expected - found > max(0.25, expected * 0.002) else { return }
        let (there, wanted) = (found.text(decimals: 1), expected.text(decimals: 1))
        let end = (Double(range.start) / 1e9 + found).text(decimals: 1)
        throw ToolError(
            .input,
            "\(inputName) is truncated: it contains \(there) of \(wanted) seconds. Add --end=\(end) to process that part."
        )
    }
}

extension ToolError {
    fileprivate static func picture(_ input: String) -> ToolError {
        ToolError(.input, "\(input) is a picture: use gst-people photo, which writes .png and .jpg.")
    }
}

extension MediaType {
    /// Whether it is a picture that does not move.
    fileprivate var isPicture: Bool {
        isImage && name != "image/gif" && name != "image/webp" && !isAnimatedPNG
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
    guard stat(one.fileName, &first) == 0, stat(other.fileName, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
}

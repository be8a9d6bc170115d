import CommandKit
import GStreamerKit
import Synchronization

/// Makes one photo of a still picture: `personsegment ! blendmask` between libvips's reader and writer.
struct PictureJob {
    private let job: Job
    private let format: StillFormat

    /// Returns nil if a video is read or written.
    ///
    /// - Throws: for a picture that has to be converted first.
    init?(_ job: Job) throws(ToolError) {
        guard case .still(let format) = job.format, try PictureReader.kind(of: job.input) != nil else {
            return nil
        }
        (self.job, self.format) = (job, format)
    }

    /// Writes the file's contents; the caller then gives it its name.
    func run(to file: OutputFile) throws(ToolError) -> Outcome {
        let progress = Progress()
        guard let picture = try PictureReader.read(job.input)?.onBlack else {
            throw ToolError(.input, "\(job.input) contains no usable image.")
        }
        let frames = try FrameReader(picture, of: job.input, through: chain)
        let found = FoundPeople(job.compositing)
        frames.configure { configure($0, found) }
        guard let frame = try frames.next() else {
            throw ToolError(.input, "\(job.input) contains no image.")
        }
        progress.count(presented: nil, duration: 0)
        try PictureWriter.write(frame, picture.metadata, as: format, to: file)
        return Outcome(
            progress: progress.snapshot(total: nil),
            notes: picture.notes + losses(picture) + found.notes)
    }

    private var chain: String {
        let crop = job.autoCrop == nil ? nil : AutoCrop.elements
        let format = job.background == .transparent ? "RGBA" : "RGB"
        let elements: [String?] = [
            crop?.before, job.compositing.analysis, "blendmask name=blendmask", crop?.behind, "videoconvert",
            "video/x-raw,format=\(format)",
        ]
        return elements.compactMap { $0 }.joined(separator: " ! ")
    }

    private func configure(_ chain: GStreamer.Element, _ found: FoundPeople) {
        if let segment = chain.element(named: "personsegment") {
            segment.set("quality", parsing: job.quality)
            segment.set("lookahead", parsing: job.quality == "fast" ? "0" : "1")
        }
        job.compositing.apply(to: chain)
        if let shape = job.autoCrop { AutoCrop.install(in: chain, shape) }
        if let pad = chain.element(named: "blendmask")?.pad("sink") { found.watch(pad) }
    }

    /// Kinds of metadata that the output format cannot hold.
    private func losses(_ picture: Picture) -> [String] {
        let kinds = picture.metadata.kinds.filter { !format.holds($0) }
        return kinds.isEmpty ? [] : ["left out: \(kinds.joined(separator: ", "))"]
    }
}

extension StillFormat {
    fileprivate func holds(_ metadata: String) -> Bool { self == .jpeg || metadata != "IPTC" }
}

/// The people in a picture, from which notes about missing ones are made.
private final class FoundPeople: Sendable {
    private let compositing: Compositing
    private let found = Mutex<[String]>([])

    init(_ compositing: Compositing) { self.compositing = compositing }

    /// Notes about the people who were searched for.
    var notes: [String] { found.withLock { $0 } }

    /// Reads the masks that arrive at a blendmask.
    func watch(_ pad: GStreamer.Pad) {
        pad.onBuffer { [self] info in
            guard let buffer = info.buffer, let mask = buffer.fields(ofMeta: "GstPeopleMask") else { return }
            let isEmpty = mask.withBytes("mask") { !$0.contains { $0 > 127 } } ?? false
            let notes = isEmpty ? ["nobody was found"] : missing(SeparatedPeople(of: buffer))
            found.withLock { $0 = notes }
        }
    }

    /// Notes about chosen people who are missing.
    private func missing(_ people: SeparatedPeople) -> [String] {
        let ids = compositing.chosenPeople.filter { id in !people.people.contains { $0.id == id } }
        let places = compositing.chosenPlaces.filter { people.person(at: $0) == nil }
        let list = ids.map { "\($0)" }.joined(separator: ", ")
        return (ids.isEmpty ? [] : ["there is no person \(list): \(people)"])
            + places.map { "nobody is at \($0): \(people)" }
    }
}

extension Compositing {
    /// The ids of people in the options.
    fileprivate var chosenPeople: [Int] {
        let properties = ["instances", "instances-except", "heads-of", "heads-except"]
        return settings.filter { properties.contains($0.property) }
            .flatMap { $0.value.split(separator: ",").compactMap { Int($0) } }
    }

    /// The places of people in the options.
    fileprivate var chosenPlaces: [Place] {
        settings.filter { ["instances-at", "heads-at"].contains($0.property) }.compactMap {
            try? Place($0.value, of: $0.property)
        }
    }
}

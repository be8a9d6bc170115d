import CommandKit
import GStreamerKit
import PeopleSettings
import Properties
import Synchronization

/// Makes one photo of a still picture: `personsegment ! blendmask` between libvips's reader and writer.
struct PictureJob {
    private let job: Job
    private let format: StillFormat

    /// Returns nil if a video is read or written.
    ///
    /// - Throws: for a picture that has to be converted first.
    init?(_ job: Job) throws(ToolError) {
        guard case .still(let format) = job.format,
            try PictureReader.kind(of: job.source, named: job.inputName) != nil
        else {
            return nil
        }
        (self.job, self.format) = (job, format)
    }

    /// Writes the file's contents; the caller then gives it its name.
    func run(to file: OutputFile) throws(ToolError) -> Outcome {
        let progress = Progress()
        var limits = PictureReader.Limits()
        (limits.acceptsDamage, limits.turn) = (job.acceptsDamage, job.turn)
        let read = try PictureReader.read(job.source, named: job.inputName, limits)
        guard let picture = read?.onBlack else {
            throw ToolError(.input, "\(job.inputName) contains no usable image.")
        }
        let (quality, qualityNotes) = quality(for: picture)
        let frames = try FrameReader(picture, of: job.inputName, through: chain)
        let found = FoundPeople(job.compositing)
        frames.configure { configure($0, found, quality) }
        guard let frame = try frames.next() else {
            throw ToolError(.input, "\(job.inputName) contains no image.")
        }
        progress.count(presented: nil, duration: 0)
        try PictureWriter.write(frame, picture.metadata, as: format, to: file)
        return Outcome(
            progress: progress.snapshot(total: nil),
            notes: picture.notes + qualityNotes + losses(picture) + found.notes)
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

    /// Width divided by height, or the inverse, from which on the network of `fast`, whose input is 16:9, loses people.
    ///
    /// Two people of half the height in pictures of 512 rows: `fast` finds none of them at 3:1, where `balanced` finds both;
    /// at 2:1 `fast` finds one person of the whole height (2026-11-28). Between these nothing was tried.
    private static let panorama = 2.5
    /// Width by height from which people may be missed at each level: at 6:1, `balanced` and `accurate` find one of the two.
    private static let longPanorama = 5.0

    /// The quality of the mask, with a note where it is not the one that was asked for.
    private func quality(for picture: Picture) -> (quality: String, notes: [String]) {
        let (long, short) = (max(picture.width, picture.height), max(1, min(picture.width, picture.height)))
        let ratio = Double(long) / Double(short)
        let notes =
            ratio < Self.longPanorama
            ? [] : ["the picture is a long panorama, of which people may be lost: give it in parts of 3:1"]
        guard job.quality == "fast", ratio >= Self.panorama else { return (job.quality, notes) }
        return (
            "balanced",
            ["the picture is a panorama, of which fast loses people: its mask has the quality balanced"]
                + notes
        )
    }

    private func configure(_ chain: GStreamer.Element, _ found: FoundPeople, _ quality: String) {
        if let segment = chain.element(named: "personsegment") {
            segment.set("quality", parsing: quality)
            segment.set("lookahead", parsing: quality == "fast" ? "0" : "1")
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
    fileprivate var chosenPeople: [Int] { values(of: .ids).flatMap { PropertyText.ids($0) ?? [] } }

    /// The places of people in the options.
    fileprivate var chosenPlaces: [Place] {
        values(of: .point).compactMap { try? Place($0, of: "at") }
    }

    /// The values of properties that are texts of a form.
    private func values(of form: TextForm) -> [String] {
        settings.filter { setting in
            guard case .text(form)? = PropertyTable.row(setting.element, setting.property)?.facts.kind else {
                return false
            }
            return true
        }.map(\.value)
    }
}

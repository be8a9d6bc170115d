import CommandKit
import Composer
import GStreamerKit
import Imaging
import Inference
import PeopleSettings
import PeopleVision
import Properties

/// Makes one photo of a still picture, between libvips's reader and writer: its people, composed with a background.
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
        let made = try WatchedWork.run(job.inputName, "while it is decoded and analysed") {
            () throws(ToolError) in
            try composed(picture, quality)
        }
        progress.count(presented: nil, duration: 0)
        try PictureWriter.write(made.image, picture.metadata, as: format, to: file)
        return Outcome(
            progress: progress.snapshot(total: nil),
            notes: picture.notes + qualityNotes + losses(picture) + made.notes)
    }

    /// A composed picture, with notes about missing people.
    private struct Composed: Sendable {
        let image: PackedPixels
        let notes: [String]
    }

    private func composed(_ picture: Picture, _ quality: String) throws(ToolError) -> Composed {
        let composer = try PictureComposer(job.compositing.blendSettings)
        var pixels = composer.needsAlpha ? picture.packed.withAlpha : picture.packed
        let result = pixels.withImage { image in
            Result { () throws(ToolError) in try compose(image, composer, quality) }
        }
        guard let result else { throw .tooLarge(job.inputName) }
        let (crop, notes) = try result.get()
        return Composed(image: pixels.cropped(crop), notes: notes)
    }

    /// Composes a picture in place; returns its crop, and notes about missing people.
    private func compose(
        _ image: MutableImageView, _ composer: PictureComposer, _ quality: String
    ) throws(ToolError) -> (Crop, notes: [String]) {
        let subjects = FrameMasks()
        let crop = try job.autoCrop.map { shape throws(ToolError) in
            try finding { () throws(VisionError) in
                try AutoCrop.crop(ImageView(image), to: shape, subjects)
            }
        }
        guard !job.compositing.changesNothing else {
            return (crop ?? Crop(), subjects.isEmpty ? [Self.nobody] : [])
        }
        let people = try finding { () throws(VisionError) in
            try PicturePeople(of: ImageView(image), job.compositing.needs(quality: quality))
        }
        if !composer.isIdentity { try composer.compose(image, people.masks, people.heads, people.direction) }
        return (crop ?? Crop(), notes(on: people))
    }

    private static let nobody = "nobody was found"

    /// Returns notes about missing people.
    private func notes(on found: PicturePeople) -> [String] {
        guard !found.masks.isEmpty else { return [Self.nobody] }
        let people = found.masks.separated()
        let ids = job.compositing.chosenPeople.filter { id in !people.people.contains { $0.id == id } }
        let places = job.compositing.chosenPlaces.filter { people.person(at: $0) == nil }
        let list = ids.map { "\($0)" }.joined(separator: ", ")
        return (ids.isEmpty ? [] : ["there is no person \(list): \(people)"])
            + places.map { "nobody is at \($0): \(people)" }
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

    /// Kinds of metadata that the output format cannot hold.
    private func losses(_ picture: Picture) -> [String] {
        let kinds = picture.metadata.kinds.filter { !format.holds($0) }
        return kinds.isEmpty ? [] : ["left out: \(kinds.joined(separator: ", "))"]
    }
}

extension StillFormat {
    fileprivate func holds(_ metadata: String) -> Bool { self == .jpeg || metadata != "IPTC" }
}

extension Compositing {
    /// The settings of the composer.
    var blendSettings: BlendSettings {
        var settings = BlendSettings()
        allSettings.apply(to: "blendmask", &settings)
        return settings
    }

    /// Returns what has to be found in a picture.
    fileprivate func needs(quality: String) -> PicturePeople.Needs {
        var masks = PersonSegmentSettings()
        let level = [("quality", quality), ("lookahead", quality == "fast" ? "0" : "1")].map {
            Setting(element: "personsegment", property: $0.0, value: $0.1, isText: false)
        }
        (level + allSettings).apply(to: "personsegment", &masks)
        return PicturePeople.Needs(
            masks: masks, heads: hidesHeads, direction: blendSettings.resolvedSource == .pose)
    }

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

/// The people of one still picture, by requests of `PeopleVision`: their masks, and if asked for, heads and a face.
final class PicturePeople {
    /// The findings that settings need.
    struct Needs {
        /// The settings of the masks.
        var masks: PersonSegmentSettings
        /// Whether the heads of all people are looked for whom faces and bodies show.
        var heads = false
        /// Whether the direction of the largest face is looked for.
        var direction = false
    }

    /// Maximum number of faces and of bodies whose heads are looked for: the largest that requests find.
    private static let maximumHeads = 16

    let masks = FrameMasks()
    /// The heads; nil where they were not looked for.
    private(set) var heads: FoundHeads?
    /// The direction of the largest face; nil without one, and where its angles are a guess.
    private(set) var direction: FaceDirection?

    /// Finds the people of a picture.
    init(of image: ImageView, _ needs: Needs) throws(VisionError) {
        let bodies = needs.heads ? Self.bodyRequest : nil
        let faces = needs.heads || needs.direction ? Self.faceRequest(forHeads: needs.heads) : nil
        try bodies?.prepare()
        try faces?.prepare()
        try masks.find(in: image, needs.masks)
        let frame = InputFrame(image, isStill: true)
        let foundFaces = try faces?.perform(on: frame) ?? []
        direction = foundFaces.largest.flatMap { FaceDirection($0) }
        if let bodies { heads = self.heads(foundFaces, try bodies.perform(on: frame), in: image) }
    }

    private static var bodyRequest: DetectHumanBodyPoseRequest {
        var configuration = BodyRequest.Configuration()
        (configuration.maximumPeople, configuration.mode) = (maximumHeads, .recording)
        return DetectHumanBodyPoseRequest(configuration)
    }

    private static func faceRequest(forHeads: Bool) -> DetectFaceRectanglesRequest {
        var configuration = FaceRequest.Configuration()
        if forHeads { configuration.maximumFaces = maximumHeads }
        configuration.mode = .recording
        return DetectFaceRectanglesRequest(configuration)
    }

    /// Returns the heads of faces and bodies, with the people to whom they belong.
    private func heads(
        _ faces: [FaceObservation], _ bodies: [HumanBodyPoseObservation], in image: ImageView
    ) -> FoundHeads {
        let ratio = Double(image.width) / Double(image.height)
        let outlines = masks.found.map {
            PersonPart(.outline, id: $0.id, box: $0.boundingBox, label: $0.label)
        }
        let parts =
            bodies.map { PersonPart(.body, id: $0.id, box: $0.boundingBox, joints: $0.joints) }
            + faces.map { PersonPart(.face, id: $0.id, box: $0.boundingBox) }
        var association = PersonAssociation()
        masks.withLabels { labels in
            association.assign(
                outlines + parts, source: .outline, labels: labels, aspectRatio: ratio,
                after: InputFrame(image).seconds)
        }
        let owners = association.people.dropFirst(outlines.count)
        let heads = zip(parts, owners).compactMap { part, owner in
            HeadPlace(part, up: Point(x: 0, y: -1), aspectRatio: ratio).map { FoundHead($0, of: owner) }
        }
        return FoundHeads(heads, aspectRatio: ratio, at: 0)
    }
}

extension FrameMasks {
    /// Finds the masks of a still picture.
    func find<Settings: MaskSettings>(in image: ImageView, _ settings: Settings) throws(VisionError) {
        let request = Settings.Analysis().apply(settings, isLive: false)
        try request.checkModels()
        try request.prepare(width: image.width, height: image.height, orientation: .up)
        let frame = InputFrame(image, isStill: true)
        if settings.interval == 1, settings.lookahead(isLive: false) > 0 {
            try request.lookAhead(to: frame)
        }
        try find(in: frame, request, separates: settings.separates)
    }

    /// The people with masks of their own, or subjects if `noun` says so, from the left.
    func separated(called noun: String = "people") -> SeparatedPeople {
        SeparatedPeople(found, called: noun) { place in self.label(at: Point(x: place.x, y: place.y)) }
    }
}

extension [FaceObservation] {
    /// The first of the largest faces; nil without any.
    fileprivate var largest: FaceObservation? {
        reduce(nil as FaceObservation?) { largest, face in
            let area = face.boundingBox.width * face.boundingBox.height
            let most = largest.map { $0.boundingBox.width * $0.boundingBox.height } ?? 0
            return area > most ? face : largest
        }
    }
}

extension FaceDirection {
    /// Returns nil for angles that are a guess.
    fileprivate init?(_ face: FaceObservation) {
        guard face.anglesAreReliable, (face.roll + face.yaw + face.pitch).isFinite else { return nil }
        self.init(roll: face.roll, yaw: face.yaw, pitch: face.pitch)
    }
}

/// Calls requests, which look for models where the elements do; their errors become those of the tool.
func finding<Result>(_ body: () throws(VisionError) -> Result) throws(ToolError) -> Result {
    _ = PluginPlace.use
    do throws(VisionError) { return try body() } catch { throw ToolError(error) }
}

/// The place of the plugin, beside which models and OpenVINO lie in a set-up.
private enum PluginPlace {
    /// Lets requests look there.
    static let use: Void = {
        GStreamer.initialize()
        if let file = GStreamer.Registry.file(ofPlugin: PeopleElements.plugin) {
            SearchPaths.search(beside: file)
        }
    }()
}

extension ToolError {
    /// The error of a request.
    init(_ error: VisionError) {
        switch error {
        case .inference(.runtimeNotFound), .inference(.modelNotFound), .inference(.unknownModel):
            self.init(.missing, error.description)
        default: self.init(.failed, error.description)
        }
    }
}

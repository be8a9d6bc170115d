import CommandKit
import Composer
import GStreamerKit
import Imaging
import Inference
import PeopleSettings
import PeopleVision

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

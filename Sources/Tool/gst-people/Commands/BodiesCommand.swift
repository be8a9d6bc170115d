import CommandKit

/// `gst-people bodies IN...`: the bodies of each frame and their joints.
struct BodiesCommand: Command {
    static let name = "bodies"
    static let summary = "list the bodies of videos and images, with joints, as JSON or a table"
    static let arguments = "IN..."
    static let details = """
        With --gltf, the bodies of the first frame are written in space instead, as glTF 2.0: in
        metres, as the camera sees them, each with its joints as nodes and a skeleton of lines.
        FILE ends in .gltf (text) or .glb (binary).

        \(ListOptions.details)
        """
    static var options: [Option<Self>] {
        [
            .flag("pose-3d", "add 17 joints in metres", \.hasPose3D),
            Option("gltf", .file("FILE"), "write the bodies of the first frame in space to FILE") {
                (command: inout Self, path: String) throws(ToolError) in command.scene = path
            },
            .flag("force", "overwrite an existing FILE", \.overwrites),
            .flag("whole-body", "boxes of the whole body instead of the upper body", \.hasWholeBoxes),
            .number(
                "field-of-view", "DEGREES", in: 0...150,
                "vertical field of view of the camera; 0 = unknown", \.fieldOfView),
            .number(
                "body-height", "METRES", in: 0.3...2.5,
                "height of the people, for --pose-3d (default: 1.8)", \.bodyHeight),
            .integer(
                "max-people", "N", in: 1...16, "maximum number of people (default: 4)", \.maximumPeople),
        ] + ListOptions.options.map { $0.inside(\.list) }
    }

    private var list = ListOptions()
    private var hasPose3D = false
    private var scene: String?
    private var overwrites = false
    private var hasWholeBoxes = false
    private var fieldOfView = 0.0
    private var bodyHeight = 1.8
    private var maximumPeople = 4

    func run(_ arguments: [String]) throws(ToolError) -> Int32 {
        if let scene { return try writeScene(of: arguments, to: scene) }
        return try listing.run(arguments, list)
    }

    private var properties: [(name: String, value: String)] {
        [
            ("pose-3d", "\(hasPose3D)"), ("upper-body-only", "\(!hasWholeBoxes)"),
            ("field-of-view", "\(fieldOfView)"), ("body-height", "\(bodyHeight)"),
            ("max-people", "\(maximumPeople)"),
        ]
    }

    private func writeScene(of arguments: [String], to path: String) throws(ToolError) -> Int32 {
        guard let input = arguments.first, arguments.count == 1 else {
            throw .usage("give one IN with --gltf")
        }
        let isBinary = path.hasSuffix(".glb")
        guard isBinary || path.hasSuffix(".gltf") else {
            throw .usage("--gltf is a file .gltf or .glb, not \(path)")
        }
        let file = try OutputFile(path: path, overwrites: overwrites)
        let scene = try scene(in: FrameReader(input, list.part, through: Self.finder), of: input)
        guard scene.count > 0 else {
            throw ToolError(.input, "\(input) shows nobody who can be placed in space.")
        }
        try file.write(isBinary ? scene.binary : Array(scene.text.utf8))
        try file.publish()
        try printText("\(path): \(scene.count) \(scene.count == 1 ? "body" : "bodies")\n")
        return ExitCode.success.rawValue
    }

    /// Analyses a picture, and returns the bodies in space.
    ///
    /// - Parameters:
    ///   - input: the picture's name in messages.
    ///   - people: the outlines of its people; bodies that these do not show are left out.
    func scene(
        in picture: Picture, of input: String, shownBy people: Silhouettes?
    ) throws(ToolError) -> BodyScene {
        let frames = try FrameReader(picture.onBlack, of: input, through: Self.finder)
        return try scene(in: frames, of: input, shownBy: people)
    }

    private static let finder = "bodypose name=bodypose"

    /// Returns the bodies of the first frame in space.
    private func scene(
        in frames: FrameReader, of input: String, shownBy people: Silhouettes? = nil
    ) throws(ToolError) -> BodyScene {
        for property in properties { frames.set("bodypose", property.name, to: property.value) }
        frames.set("bodypose", "pose-3d", to: "true")
        guard let frame = try frames.next() else { throw ToolError(.input, "\(input) contains no image.") }
        return BodyScene(of: frame.buffer, fieldOfView: fieldOfView, shownBy: people)
    }

    private var listing: AnalysisListing {
        AnalysisListing(
            name: Self.name, elements: Self.finder,
            properties: properties.map { ("bodypose", $0.name, $0.value) },
            units: AnalysisListing.boxUnits + [
                ("joints", .string("frame width, frame height, confidence")), ("joints-3d", .string("m")),
                ("camera-position", .string("m")), ("body-height", .string("m")),
            ],
            columns: FindingColumns.body(hasPose3D: hasPose3D), categories: [.person],
            findings: AnalysisListing.reading("bodies", of: "GstPeopleBodies"))
    }
}

import CommandKit

/// `gst-people faces IN...`: the faces of each frame.
struct FacesCommand: Command {
    static let name = "faces"
    static let summary = "list the faces of videos and images, as JSON or a table"
    static let arguments = "IN..."
    static let details = """
        \(ListOptions.details)
        """
    static var options: [Option<Self>] {
        [
            .flag("landmarks", "add 76 landmarks in named regions", \.hasLandmarks),
            .flag("mesh", "add the 478 points of the face mesh", \.hasMesh),
            .flag("capture-quality", "add a capture quality from 0 to 1 to each face", \.ratesQuality),
            .number(
                "field-of-view", "DEGREES", in: 0...150,
                "vertical field of view of the camera; 0 = unknown", \.fieldOfView),
            .integer(
                "max-faces", "N", in: 1...16, "maximum number of faces (default: 4)", \.maximumFaces),
        ] + ListOptions.options.map { $0.inside(\.list) }
    }

    private var list = ListOptions()
    private var hasLandmarks = false
    private var hasMesh = false
    private var ratesQuality = false
    private var fieldOfView = 0.0
    private var maximumFaces = 4

    func run(_ arguments: [String]) throws(ToolError) -> Int32 {
        try listing.run(arguments, list)
    }

    private var listing: AnalysisListing {
        AnalysisListing(
            name: Self.name, elements: "facepose name=facepose",
            properties: [
                ("facepose", "landmarks", "\(hasLandmarks)"), ("facepose", "mesh", "\(hasMesh)"),
                ("facepose", "capture-quality", "\(ratesQuality)"),
                ("facepose", "field-of-view", "\(fieldOfView)"), ("facepose", "max-faces", "\(maximumFaces)"),
            ],
            units: AnalysisListing.boxUnits
                + [("roll", .string("rad")), ("yaw", .string("rad")), ("pitch", .string("rad"))],
            columns: FindingColumns.face(
                hasQuality: ratesQuality, hasLandmarks: hasLandmarks, hasMesh: hasMesh),
            categories: [.face(hasLandmarks: hasLandmarks)],
            findings: AnalysisListing.reading(
                "faces", of: "GstPeopleFaces", pointLists: ["landmarks", "mesh"]))
    }
}

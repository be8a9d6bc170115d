import CommandKit

/// `gst-people faces IN`: the faces of each frame as JSON.
struct FacesCommand: Command {
    static let name = "faces"
    static let summary = "print the faces of a video or image as JSON: one line per frame"
    static let arguments = "IN"
    static let details = """
        Each line has the frame's timestamp in seconds, as a player shows it, and the list faces:
        boxes as fractions of the upright frame, angles in radians. The first line also has the
        units.

        \(FramePart.details)
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
        ] + FramePart.listOptions.map { $0.inside(\.part) }
    }

    private var part = FramePart()
    private var hasLandmarks = false
    private var hasMesh = false
    private var ratesQuality = false
    private var fieldOfView = 0.0
    private var maximumFaces = 4

    func run(_ arguments: [String]) throws(ToolError) -> Int32 {
        try Self.listing.run(
            arguments, part,
            [
                ("landmarks", "\(hasLandmarks)"), ("mesh", "\(hasMesh)"),
                ("capture-quality", "\(ratesQuality)"),
                ("field-of-view", "\(fieldOfView)"), ("max-faces", "\(maximumFaces)"),
            ])
    }

    private static var listing: AnalysisListing {
        AnalysisListing(
            element: "facepose", meta: "GstPeopleFaces", list: "faces", pointLists: ["landmarks", "mesh"],
            units: AnalysisListing.boxUnits
                + [("roll", .string("rad")), ("yaw", .string("rad")), ("pitch", .string("rad"))])
    }
}

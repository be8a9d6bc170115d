import CommandKit

/// `gst-people photo IN OUT`: something else behind the people of images.
struct PhotoCommand: Command {
    static let name = "photo"
    static let summary = "put something else behind the people of images"
    static let arguments = "IN OUT | IN... DIR"
    static let details = """
        IN is whatever GStreamer decodes; OUT ends in .png or .jpg, has 8 bits and stands
        upright. Of a video it is one frame: the first, or the one at --start. A folder as IN
        means its images.

        With DIR, each image keeps its name (.png when it is none of these kinds), those that
        are there already are skipped, and one that fails does not stop the others.

        Black is behind the people unless an option says otherwise. OUT appears when it is
        whole; until then it is OUT.part.
        """
    static var options: [Option<Self>] {
        (VideoOptions.table(quality: "accurate") + [
            VideoOptions.autoCropOption, VideoRange.frameOption.inside(\.range),
        ]).map { $0.inside(\.settings) }
    }

    private var settings = VideoOptions(isPhoto: true, quality: "accurate")

    func run(_ arguments: [String]) throws(ToolError) -> Int32 {
        try makeFiles(arguments, settings, of: Self.name)
    }
}

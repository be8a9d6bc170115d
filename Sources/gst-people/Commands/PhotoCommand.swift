import CommandKit

/// `gst-people photo IN OUT`: something else behind the people of pictures.
struct PhotoCommand: Command {
    static let name = "photo"
    static let summary = "put something else behind the people of pictures"
    static let arguments = "IN OUT | IN... DIR"
    static let details = """
        IN is whatever GStreamer decodes; OUT ends in .png or .jpg, has 8 bits and stands
        upright. Of a video it is one frame: the first, or the one at --start. A folder as IN
        means its pictures.

        With DIR, each picture keeps its name (.png when it is none of these kinds), those that
        are there already are skipped, and one that fails does not stop the others.

        Black is behind the people unless an option says otherwise. OUT appears when it is
        whole; until then it is OUT.part.
        """
    static var options: [Option<Self>] {
        (FilmOptions.table(quality: "accurate") + [
            FilmOptions.autoCropOption, FilmRange.frameOption.inside(\.range),
        ]).map { $0.inside(\.film) }
    }

    private var film = FilmOptions(isPhoto: true, quality: "accurate")

    func run(_ arguments: [String]) throws(ToolError) -> Int32 {
        try makeFiles(arguments, film, of: Self.name)
    }
}

import CommandKit

/// `gst-people photo IN OUT`: a new background behind the people of images.
struct PhotoCommand: Command {
    static let name = "photo"
    static let summary = "replace the background in photos"
    static let arguments = "IN OUT | IN... DIR"
    static let details = """
        IN is a JPEG, PNG, HEIC, AVIF, WebP, TIFF, JPEG XL or BMP, of which the first picture is
        taken, or a video, of which one frame is taken. OUT ends in .png, .jpg or .webp, is in sRGB
        with 8 bits per sample, and is upright. Date, place, author, camera and title (EXIF, XMP)
        are kept. IN can also be - (standard input), an address (https://...), a pattern in quotes
        ('*.png') or a folder, whose images are processed.

        With DIR, each image keeps its name (with .png if it has another ending than these).

        Outputs in DIR that exist already are skipped. A file that fails does not stop the others.

        The background is black unless an option says otherwise; with --heads alone it is kept. Of a
        person whose head is not found, everything is hidden.

        OUT appears when it is complete; until then it is OUT.part.
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

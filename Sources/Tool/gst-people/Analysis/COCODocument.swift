import CommandKit
import FileNames
import JSON

/// A document in COCO's format of keypoints: an image for each frame, an annotation for each finding.
///
/// The document is printed when it is complete: its lists of images and annotations grow at the same time.
struct COCODocument: ListWriter {
    private let name: String
    private let categories: [COCOCategory]
    private let (images, annotations): (ListInFile, ListInFile)

    /// - Parameters:
    ///   - name: name of the list of findings.
    ///   - categories: the kinds of findings in the list.
    init(_ name: String, _ categories: [COCOCategory]) throws(ToolError) {
        (self.name, self.categories) = (name, categories)
        (images, annotations) = (try ListInFile(), try ListInFile())
    }

    func add(_ frame: ListedFrame) throws(ToolError) -> Bool {
        let image = images.count + 1
        try images.append(
            .object([
                ("id", .integer(image)), ("file_name", .string(frame.file.legible)),
                ("width", .integer(frame.size.width)), ("height", .integer(frame.size.height)),
                ("frame", .integer(frame.number)), ("timestamp", frame.timestamp),
            ]))
        for finding in frame.findings {
            for category in categories {
                for part in category.parts(of: finding) {
                    let own: [(name: String, value: JSON)] = [
                        ("id", .integer(annotations.count + 1)), ("image_id", .integer(image)),
                    ]
                    let place = PixelPlace(size: frame.size)
                    try annotations.append(.object(own + category.annotation(of: part, finding, place)))
                }
            }
        }
        return true
    }

    func finish() throws(ToolError) {
        let information = JSON.object([
            ("description", .string("\(name), found by gst-people")), ("version", .string(version)),
        ])
        let kinds = JSON.array(categories.map(\.json))
        guard
            try printText(
                "{\"info\": \(information.text), \"licenses\": [], \"categories\": \(kinds.text), \"images\": ["
            )
        else { return }
        try images.print()
        guard try printText("], \"annotations\": [") else { return }
        try annotations.print()
        try printText("]}\n")
    }
}

/// A list of JSON values in a temporary file, as the list of a long video does not fit into memory.
private final class ListInFile {
    private let file: UnnamedFile
    private(set) var count = 0

    init() throws(ToolError) { file = try UnnamedFile() }

    func append(_ value: JSON) throws(ToolError) {
        try file.append((count == 0 ? "\n" : ",\n") + value.text)
        count += 1
    }

    func print() throws(ToolError) { try file.copyToStandardOutput() }
}

/// The size of a frame, in which places are given in pixels.
struct PixelPlace {
    let size: (width: Int, height: Int)

    func x(_ share: Double) -> Double { (share * Double(size.width)).rounded(digits: 6) }
    func y(_ share: Double) -> Double { (share * Double(size.height)).rounded(digits: 6) }
}

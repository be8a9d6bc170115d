import CommandKit
import FileNames
import GStreamerKit
import JSON
import Studio
import Synchronization

/// Finds and cuts out what stands out in the photos of the studio's page, as `gst-people lift` does.
final class StudioPhotos: PhotoLifter, @unchecked Sendable {
    // Unchecked: only one thread at a time uses `analysed`.

    /// Photos that have been analysed last, the newest at the end.
    private var analysed: [(wanted: Wanted, photo: LiftedPhoto)] = []
    private let signal = Mutex<Int32?>(nil)
    /// Held while a picture is decoded and analysed: one at a time takes memory for its pixels.
    private let work = Mutex(())
    /// Photos as the page shows them, the newest at the end.
    private let shown = Mutex<[(id: Int, jpeg: [UInt8])]>([])

    /// Maximum number of pixels of a photo, 100 million, and maximum width and height of one that is only shown: that of the
    /// largest screens.
    private static let (maximumPixels, shownSide) = (100_000_000, Int32(3840))
    /// Photos that are kept as the page shows them; each takes a megabyte or two.
    private static let maximumShown = 16

    /// Two photos, with people and subjects: their frames take most of the memory.
    private static let maximumAnalysed = 4

    /// A search in a photo.
    private struct Wanted: Equatable {
        let id: Int
        let content: LiftedPhoto.Content
        var isCoarse = false
    }

    /// The level of coarse outlines, which need a third of the time of fine ones.
    private static let coarseLevel = "fast"

    /// The signal that has asked the program to end during work, if any.
    var interruption: Int32? { signal.withLock { $0 } }

    /// Returns the photos at the paths and in the folders of a command line; nil if it names a video.
    ///
    /// - Throws: for several files of which one is no photo.
    static func paths(_ arguments: [String]) throws(ToolError) -> [String]? {
        var isPhoto = !arguments.isEmpty
        for path in arguments where !FileSystem.isDirectory(path) {
            let isPicture = FileSystem.exists(path) ? try PictureReader.kind(of: path) != nil : false
            guard isPicture || arguments.count == 1 else {
                throw .usage("give one video, or photos and folders of photos, but \(path) is no photo")
            }
            isPhoto = isPhoto && isPicture
        }
        guard isPhoto else { return nil }
        let expanded = try FolderContents.expand(arguments, .image)
        expanded.printLeftOut()
        return expanded.files
    }

    // MARK: - Work

    func jpeg(of photo: Photo) throws(ToolError) -> [UInt8] {
        try alone { () throws(ToolError) in
            if let known = shown.withLock({ $0.first { $0.id == photo.id } }) { return known.jpeg }
            let picture = try Self.read(photo, side: Self.shownSide).onBlack
            let jpeg = try PictureWriter.bytes(of: picture.packed, nil, as: .jpeg, for: photo.name)
            shown.withLock { shown in
                shown.append((photo.id, jpeg))
                shown.removeFirst(max(0, shown.count - Self.maximumShown))
            }
            return jpeg
        }
    }

    /// Returns the first frame of a clip as JPEG; to be called on any thread.
    func firstFrame(ofClip path: String) throws(ToolError) -> [UInt8] {
        try alone { () throws(ToolError) in
            guard Self.isContainer(FileSystem.start(of: path, count: 8)) else {
                throw ToolError(.input, "\(path) is no clip.")
            }
            let file = try ExtractedFrame(of: Job(reading: path))
            // The frame's file is removed with the frame.
            defer { withExtendedLifetime(file) {} }
            guard let picture = try PictureReader.read(file.path)?.onBlack else {
                throw ToolError(.input, "\(path) contains no image.")
            }
            return try PictureWriter.bytes(of: picture.packed, nil, as: .jpeg, for: path)
        }
    }

    /// Whether a file is MP4, QuickTime, Matroska, WebM or GIF by its first bytes.
    ///
    /// Others, such as lists of files, may lead elsewhere.
    private static func isContainer(_ head: [UInt8]) -> Bool {
        let isMatroska = head.starts(with: [0x1a, 0x45, 0xdf, 0xa3])
        let box = String(decoding: head.dropFirst(4), as: UTF8.self)
        return isMatroska || head.starts(with: "GIF8".utf8)
            || ["ftyp", "moov", "mdat", "wide", "free", "skip"].contains(box)
    }

    func people(in photo: Photo, isCoarse: Bool) throws(ToolError) -> [UInt8] {
        try find(.people, in: photo, isCoarse)
    }

    func subjects(in photo: Photo, isCoarse: Bool) throws(ToolError) -> [UInt8] {
        try find(.subjects, in: photo, isCoarse)
    }

    private func find(
        _ content: LiftedPhoto.Content, in photo: Photo, _ isCoarse: Bool
    ) throws(ToolError) -> [UInt8] {
        try alone { () throws(ToolError) in
            var wanted = Wanted(id: photo.id, content: content)
            wanted.isCoarse = isCoarse && !analysed.contains { $0.wanted == wanted }
            let lifted = try analyse(photo, wanted, LiftCommand())
            let silhouettes = lifted.silhouettes
            let found = lifted.people.people.map { person in
                JSON.object([
                    ("number", .integer(person.number)), ("x", .number(person.box.x)),
                    ("y", .number(person.box.y)), ("width", .number(person.box.width)),
                    ("height", .number(person.box.height)),
                ])
            }
            let object = JSON.object([
                ("found", .array(found)), ("isCoarse", .bool(wanted.isCoarse)),
                ("width", .integer(silhouettes?.width ?? 0)),
                ("height", .integer(silhouettes?.height ?? 0)),
            ])
            let text = Array(object.text.utf8)
            let length = (0..<4).map { UInt8(truncatingIfNeeded: text.count >> (8 * $0)) }
            return length + text + (silhouettes?.bytes ?? [])
        }
    }

    func scene(of photo: Photo) throws(ToolError) -> [UInt8] {
        try alone { () throws(ToolError) in
            let people = try analyse(photo, Wanted(id: photo.id, content: .people), LiftCommand()).silhouettes
            return Array(
                try BodiesCommand().scene(in: Self.read(photo), of: photo.name, shownBy: people).text.utf8)
        }
    }

    func lift(_ photo: Photo, _ options: [String]) throws(ToolError) -> LiftedPicture {
        try alone { () throws(ToolError) in
            let command = try LiftCommand.parse(options, of: "gst-people").command
            try command.check()
            let lifted = try analyse(photo, Wanted(id: photo.id, content: command.content), command)
            let output = Self.output(photo.name)
            let image = try command.image(of: lifted, photo.name)
            let input = if case .file(let path) = photo.source { path } else { photo.name }
            let words = ["gst-people", LiftCommand.name, input, output] + options
            return LiftedPicture(
                name: output,
                png: try PictureWriter.bytes(of: image, lifted.metadata, as: .png, for: output),
                line: FileSystem.shellLine(words))
        }
    }

    /// Returns the name of the file for what is cut out of a photo.
    private static func output(_ name: String) -> String {
        let end = name.lastIndex(of: ".") ?? name.endIndex
        return (end == name.startIndex ? "photo" : name[..<end]) + "-lifted.png"
    }

    /// - Parameter side: maximum width and height; nil for the whole photo.
    private static func read(_ photo: Photo, side: Int32? = nil) throws(ToolError) -> Picture {
        let limits = PictureReader.Limits(pixels: maximumPixels, side: side)
        let picture =
            switch photo.source {
            case .file(let path): try PictureReader.read(path, limits)
            case .memory(let bytes): try PictureReader.read(bytes, named: photo.name, limits)
            }
        if let picture { return picture }
        throw ToolError(.input, "\(photo.name) is no picture that can be read here.")
    }

    private func analyse(
        _ photo: Photo, _ wanted: Wanted, _ command: LiftCommand
    ) throws(ToolError) -> LiftedPhoto {
        if let index = analysed.firstIndex(where: { $0.wanted == wanted }) {
            let known = analysed.remove(at: index)
            analysed.append(known)
            return known.photo
        }
        // Fine outlines take the place of coarse ones.
        analysed.removeAll { $0.wanted.id == wanted.id && $0.wanted.content == wanted.content }
        analysed.removeFirst(max(0, analysed.count + 1 - Self.maximumAnalysed))
        let picture = try Self.read(photo)
        let lifted = try LiftedPhoto(
            picture, named: photo.name, metadata: picture.metadata, wanted.content,
            quality: wanted.isCoarse ? Self.coarseLevel : command.quality, command.compositing)
        analysed.append((wanted, lifted))
        return lifted
    }

    /// Does work with pixels after that of other threads.
    private func alone<Result: Sendable>(
        _ body: () throws(ToolError) -> Result
    ) throws(ToolError) -> Result {
        try work.withLock { _ throws(ToolError) in try noting(body) }
    }

    /// Notes a signal that arrives during work, for the thread that ends the program.
    private func noting<Result>(_ work: () throws(ToolError) -> Result) throws(ToolError) -> Result {
        do throws(ToolError) { return try work() } catch {
            if let number = error.signal { signal.withLock { $0 = number } }
            throw error
        }
    }
}

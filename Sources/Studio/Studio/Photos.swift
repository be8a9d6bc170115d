package import CommandKit
import FileNames
import JSON
import PeopleSettings
import Properties

/// A photo that the page shows.
package struct Photo: Sendable {
    /// The place of the photo's bytes.
    package enum Source: Sendable {
        case file(String)
        /// The bytes of a file that was dropped onto the page.
        case memory([UInt8])
    }

    package let id: Int
    /// The file's name, without its folder.
    package let name: String
    package let source: Source
}

/// A picture that was cut out of a photo.
package struct LiftedPicture: Sendable {
    /// The name that a file with this picture gets.
    let name: String
    /// The contents of a PNG file.
    let png: [UInt8]
    /// The command line that makes the same file.
    let line: String

    package init(name: String, png: [UInt8], line: String) {
        (self.name, self.png, self.line) = (name, png, line)
    }
}

/// Reads photos, on any thread; finds people and subjects in them, and cuts these out, one thread at a time.
package protocol PhotoLifter: AnyObject, Sendable {
    /// Returns a photo as JPEG.
    func jpeg(of photo: Photo) throws(ToolError) -> [UInt8]
    /// Finds people in a photo.
    ///
    /// - Parameter isCoarse: whether coarse outlines suffice, which come sooner; fine ones that are known are returned instead.
    /// - Returns: the length of a JSON object in four bytes, the least significant first; the object, with their
    ///   numbers and boxes, the size of a grid, and whether outlines are coarse; and for each point of the grid the number and
    ///   the coverage there. Numbers of coarse and of fine outlines are not the same.
    func people(in photo: Photo, isCoarse: Bool) throws(ToolError) -> [UInt8]
    /// Finds subjects in a photo, with the same result.
    func subjects(in photo: Photo, isCoarse: Bool) throws(ToolError) -> [UInt8]
    /// Returns the bodies of a photo in space, as glTF.
    func scene(of photo: Photo) throws(ToolError) -> [UInt8]
    /// Cuts people or subjects out of a photo.
    ///
    /// - Parameter options: options of `gst-people lift`.
    func lift(_ photo: Photo, _ options: [String]) throws(ToolError) -> LiftedPicture
}

/// The photos of the page, and the pictures that were cut out of them last.
package struct Photos {
    private var all: [Photo]
    private var lifted: [(id: String, picture: LiftedPicture)] = []
    private var lastID: Int
    /// Bytes of the photos that were dropped onto the page.
    private var size = 0

    /// Maximum bytes of a photo that is dropped onto the page.
    static let maximumUpload = 32 << 20
    /// Maximum bytes of all these photos, and maximum number of lifted pictures that are kept.
    private static let (maximumSize, maximumLifted) = (256 << 20, 8)

    /// Makes the list of the files at some paths.
    package init(_ paths: [String]) {
        all = paths.enumerated().map { index, path in
            let name = path.split(separator: "/").last.map { String($0) } ?? path
            return Photo(id: index + 1, name: name, source: .file(path))
        }
        lastID = paths.count
    }

    subscript(id: String?) -> Photo? { id.flatMap { Int($0) }.flatMap { id in all.first { $0.id == id } } }

    var json: JSON {
        .array(all.map { .object([("id", .integer($0.id)), ("name", .string($0.name))]) })
    }

    /// Adds a photo that was dropped onto the page.
    mutating func add(_ name: String, _ bytes: [UInt8]) throws(ToolError) -> Photo {
        guard size + bytes.count <= Self.maximumSize else {
            throw ToolError(.input, "There are too many photos; close some of them first.")
        }
        lastID += 1
        let last = name.split(separator: "/").last.map { String($0) } ?? "photo"
        let photo = Photo(id: lastID, name: last, source: .memory(bytes))
        all.append(photo)
        size += bytes.count
        return photo
    }

    /// Removes a photo from the page, and its bytes from memory if it was dropped there.
    mutating func close(_ id: Int?) {
        guard let index = all.firstIndex(where: { $0.id == id }) else { return }
        if case .memory(let bytes) = all.remove(at: index).source { size -= bytes.count }
    }

    // MARK: - Lifted pictures

    /// Keeps a picture instead of the oldest one, and returns the secret by which it is found.
    mutating func keep(_ picture: LiftedPicture) -> String {
        let id = Gate.secret()
        lifted.append((id, picture))
        lifted.removeFirst(max(0, lifted.count - Self.maximumLifted))
        return id
    }

    func picture(_ secret: String) -> LiftedPicture? {
        lifted.first { Gate.isSame(secret, $0.id) }?.picture
    }

    /// The options of `gst-people lift` that the page may use: those of properties that it offers, and some of the command's
    /// own.
    private static let options = Set(
        PropertyTable.rows.filter { $0.facts.isOffered(by: .lifting) && $0.facts.isOffered(by: .page) }
            .compactMap(\.facts.option?.name)
    ).union(["subjects", "instance", "in-place", "outline", "background", "color", "original"])

    /// Returns options as words of a command line.
    ///
    /// - Parameters:
    ///   - value: an object with the options' values; true for an option without a value.
    ///   - path: returns the path of an offered background.
    /// - Returns: nil for values that the page may not use.
    static func words(_ value: JSON?, _ path: (String) -> String?) -> [String]? {
        guard case .object(let fields)? = value else { return nil }
        var words: [String] = []
        for (name, value) in fields {
            guard options.contains(name) else { return nil }
            switch value {
            case .bool(let isSet): if isSet { words.append("--\(name)") }
            case .integer, .number: words.append("--\(name)=\(value.text)")
            case .string(let text):
                guard let text = name == "background" ? path(text) : text else { return nil }
                words.append("--\(name)=\(text)")
            case .null, .array, .object: return nil
            }
        }
        return words
    }
}

/// The requests about photos.
extension StudioServer {
    /// Answers with a photo, with what was found in it, or with what was lifted out of it.
    func getPhoto(_ request: HTTPExchange) throws(Refusal) {
        let isCoarse = request.query("coarse") != nil
        switch request.path {
        case "/photo": try show(request, "image/jpeg", readers, lifter.jpeg(of:))
        case "/people":
            try show(request, "application/octet-stream", liftingThread) { [lifter] photo throws(ToolError) in
                try lifter.people(in: photo, isCoarse: isCoarse)
            }
        case "/subjects":
            try show(request, "application/octet-stream", liftingThread) { [lifter] photo throws(ToolError) in
                try lifter.subjects(in: photo, isCoarse: isCoarse)
            }
        case "/bodies": try show(request, "model/gltf+json", liftingThread, lifter.scene(of:))
        case "/lifted":
            guard let picture = photos.picture(request.query("id") ?? "") else { throw .unknown }
            request.answer(200, type: "image/png", picture.png)
        default: throw .unknown
        }
    }

    /// Adds a completely uploaded photo.
    func addPhoto(_ request: HTTPExchange) throws(Refusal) {
        server.hasReceived(request)
        guard let bytes = uploadedPhotos.removeValue(forKey: request.id) else { throw .unknown }
        let photo = try Self.refusing { () throws(ToolError) in
            try photos.add(request.query("name") ?? "", bytes)
        }
        send("photos", photos.json)
        reply(request, .object([("id", .integer(photo.id)), ("name", .string(photo.name))]))
    }

    /// Answers with what the lifter makes of the photo that a request names: the photo is seen during a search.
    private func show(
        _ request: HTTPExchange, _ type: String, _ workers: Workers,
        _ work: @escaping @Sendable (Photo) throws(ToolError) -> [UInt8]
    ) throws(Refusal) {
        guard let photo = photos[request.query("id")] else { throw .unknown }
        answer(request, workers, { () throws(ToolError) in try work(photo) }) {
            $0.answer(200, type: type, $1)
        }
    }

    func lift(_ value: JSON, _ request: HTTPExchange) throws(Refusal) {
        guard let photo = photos[value["id"]?.integer.map { "\($0)" }] else { throw .unknown }
        guard let options = Photos.words(value["options"], { backgrounds.path($0) }) else {
            throw Refusal(400, "The page may not lift so.")
        }
        let work = { @Sendable [lifter] () throws(ToolError) in try lifter.lift(photo, options) }
        answer(request, liftingThread, work) { [weak self] request, picture in
            guard let self else { return }
            let id = photos.keep(picture)
            let fields = [("id", id), ("name", picture.name), ("line", picture.line)]
            reply(request, .object(fields.map { ($0, .string($1)) }))
        }
    }
}

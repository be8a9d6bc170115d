import CommandKit
import JSON

/// The requests about photos.
extension StudioServer {
    /// Answers with a photo, with what was found in it, or with what was lifted out of it.
    func getPhoto(_ request: HTTPExchange) throws(Refusal) {
        switch request.path {
        case "/photo": try show(request, "image/jpeg", readers, lifter.jpeg(of:))
        case "/people": try show(request, "application/octet-stream", liftingThread, lifter.people(in:))
        case "/subjects": try show(request, "application/octet-stream", liftingThread, lifter.subjects(in:))
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

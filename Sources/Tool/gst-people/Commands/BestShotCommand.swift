import CommandKit
import GStreamerKit
import Imaging

/// `gst-people best-shot IN [DIR]`: the best frame of each person.
struct BestShotCommand: Command {
    static let name = "best-shot"
    static let summary = "write the best frame of each person in a video as DIR/person-N.png"
    static let arguments = "IN [DIR]"
    static let details = """
        The best frame is the one with the highest capture quality: sharp, well lit, looking into
        the camera with open eyes. Qualities can be compared only within one person. A person who
        leaves for more than five seconds counts as another one. DIR is best-shots by default.
        """
    static var options: [Option<Self>] {
        [
            .flag("crop", "write the face and its surroundings, not the whole frame", \.isCropped),
            .flag("force", "overwrite existing files", \.overwrites),
            .integer(
                "max-faces", "N", in: 1...16, "maximum number of faces (default: 4)", \.maximumFaces),
            .integer(
                "at-least", "FRAMES", in: 1...1_000_000,
                "ignore people seen in fewer frames (default: 10)", \.fewestFrames),
        ] + FramePart.options.map { $0.inside(\.part) }
    }

    private var part = FramePart()
    private var isCropped = false
    private var overwrites = false
    private var maximumFaces = 4
    private var fewestFrames = 10

    func run(_ arguments: [String]) throws(ToolError) -> Int32 {
        guard let input = arguments.first, arguments.count <= 2 else {
            throw .usage("give one video, and at most one folder")
        }
        let output = NumberedImages(
            "person", in: arguments.count > 1 ? arguments[1] : "best-shots", overwrites: overwrites)
        try output.check()
        let people = try bestShots(of: input)
        guard !people.isEmpty else {
            throw ToolError(.failed, "no face was found in at least \(fewestFrames) frames of \(input)")
        }
        try write(people, of: input, to: output)
        return ExitCode.success.rawValue
    }

    /// Returns the best shots, with the people numbered in their order of appearance, from 1 on.
    private func bestShots(of input: String) throws(ToolError) -> [(person: Int, shot: BestShot)] {
        let frames = try FrameReader(
            input, part,
            through: "video/x-raw,format=RGB ! personsegment quality=fast instance-masks=true "
                + "max-instances=12 "
                + "! facepose name=facepose capture-quality=true")
        frames.set("facepose", "max-faces", to: "\(maximumFaces)")
        var (owners, shots): ([RatedFace.Owner], [RatedFace.Owner: BestShot]) = ([], [:])
        while let frame = try frames.next() {
            for face in RatedFace.faces(of: frame) {
                let next = BestShot(
                    face: face, frame: frames.count, time: frame.streamTime.map { Double($0) / 1e9 })
                if shots[face.owner] == nil { owners.append(face.owner) }
                shots[face.owner] = shots[face.owner].map { $0.considering(next) } ?? next
            }
        }
        frames.printNotes()
        let best = owners.compactMap { shots[$0] }.filter { $0.count >= fewestFrames }
        return best.enumerated().map { ($0.offset + 1, $0.element) }
    }

    /// Reads the video again for the images of the best frames, since a long video has too many frames to
    /// keep.
    private func write(
        _ people: [(person: Int, shot: BestShot)], of input: String, to output: NumberedImages
    ) throws(ToolError) {
        let frames = try FrameReader(input, part, through: "video/x-raw,format=RGB")
        let last = people.map(\.shot.frame).max() ?? 0
        while frames.count < last, let frame = try frames.next() {
            for (person, shot) in people where shot.frame == frames.count {
                try write(shot, frame, to: output.file(person))
            }
        }
    }

    private func write(_ shot: BestShot, _ frame: Frame, to file: OutputFile) throws(ToolError) {
        let crop = isCropped ? shot.face.surroundings(in: frame.size) : Crop()
        try PNGWriter(crop).write(frame, to: file.temporaryPath, for: file.path)
        try file.publish()
        let time = shot.time.map { "\($0.text(decimals: 2)) s" } ?? "no time"
        let quality = shot.face.quality.text(decimals: 2)
        try printText("\(file.path): \(time), quality \(quality), the best of \(shot.count) frames\n")
    }
}

/// The best frame of one person so far.
struct BestShot {
    let face: RatedFace
    /// Number of the frame in the video, from 1 on.
    let frame: Int
    /// Stream time in seconds; nil when a player never shows the frame.
    let time: Double?
    /// Number of frames in which the person was seen.
    var count = 1

    /// Returns the better of two shots, with the frames of both counted.
    func considering(_ next: BestShot) -> BestShot {
        var best = next.face.quality > face.quality ? next : self
        best.count = count + next.count
        return best
    }
}

/// A face with its capture quality.
struct RatedFace {
    /// The person or track that a face belongs to.
    enum Owner: Hashable {
        case person(Int)
        /// A face without a known person; the associated value is the face's own id.
        case face(Int)
    }

    let owner: Owner
    /// Capture quality, 0 to 1.
    let quality: Double
    /// The face's box in fractions of the frame, from its upper left corner.
    let box: Rectangle

    /// Returns the faces in the metadata of `facepose`.
    static func faces(of frame: Frame) -> [RatedFace] {
        var faces: [RatedFace] = []
        frame.buffer?.fields(ofMeta: "GstPeopleFaces")?.forEach("faces") { fields in
            if let face = RatedFace(fields) { faces.append(face) }
        }
        return faces
    }

    private init?(_ fields: StructureReader) {
        guard let id = fields.int("id"), let quality = fields.double("quality"), let box = fields.box else {
            return nil
        }
        let person = fields.int("person").flatMap { $0 < 0 ? nil : $0 }
        owner = person.map { .person($0) } ?? .face(id)
        (self.quality, self.box) = (quality, box)
    }

    /// Returns the crop of a frame to the face and its surroundings.
    ///
    /// - Parameter size: size of the frame in pixels.
    func surroundings(in size: (width: Int, height: Int)) -> Crop {
        // Hair takes more room than the chin: fractions of the face's box, chosen by eye.
        let (beside, above, below) = (0.6, 0.8, 0.7)
        return Crop(
            left: pixels(box.x - beside * box.width, size.width),
            right: pixels(1 - box.x - (1 + beside) * box.width, size.width),
            top: pixels(box.y - above * box.height, size.height),
            bottom: pixels(1 - box.y - (1 + below) * box.height, size.height))
    }

    private func pixels(_ share: Double, _ side: Int) -> Int {
        Int(max(0, min(1, share.isFinite ? share : 0)) * Double(side))
    }
}

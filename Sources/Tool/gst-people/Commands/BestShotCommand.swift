import CommandKit

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

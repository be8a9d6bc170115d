import CommandKit

/// `gst-people lift PHOTO OUT.png`: people cut out of an image.
struct LiftCommand: Command {
    static let name = "lift"
    static let summary = "cut people, or the main subjects, out of a photo"
    static let arguments = "PHOTO OUT.png"
    static let details = """
        PHOTO is a JPEG, PNG, HEIC, AVIF, WebP, TIFF, JPEG XL or BMP, or a video, of which the
        first frame is taken. OUT.png, or OUT.webp, is in sRGB with 8 bits per sample and an
        alpha channel. It is upright and cropped to the people, and keeps date, place, author,
        camera and title of the photo. The original background's colour is removed from soft
        edges.

        With --stickers DIR instead of OUT.png, each person is written as DIR/person-N.png, with
        an outline.

        With --subjects the main subjects of any kind are cut out, and stickers are
        DIR/subject-N.png.

        People are counted from the left. OUT.png appears when it is complete; until then it is
        OUT.png.part.
        """
    static var options: [Option<Self>] {
        [
            Option(
                "at", .text("X,Y"),
                "the person at this point, as fractions of the upright image, such as 0.4,0.5"
            ) {
                (command: inout Self, text: String) throws(ToolError) in
                try command.choose(.at(Place(text, of: "at")))
            },
            Option("instance", .text("N"), "the Nth person from the left, from 1 on") {
                (command: inout Self, text: String) throws(ToolError) in
                guard let number = Int(text), number > 0 else {
                    throw .usage("--instance takes a whole number from 1 on, not \(text)")
                }
                try command.choose(.number(number))
            },
            Option("all", .none, "all people (the default)") {
                (command: inout Self, _: String) throws(ToolError) in try command.choose(.all)
            },
            .flag("subjects", "the main subjects of any kind, instead of people", \.content, to: .subjects),
            Option(
                "stickers", .file("DIR"), "write one image with an outline for each person into this folder"
            ) {
                (command: inout Self, text: String) throws(ToolError) in command.folder = text
            },
            Option(
                "outline", .text("PERCENT"),
                "width of the stickers' outline, in percent of their longer side: 0 to 20 (default: 2)"
            ) {
                (command: inout Self, text: String) throws(ToolError) in
                command.outline = try number(text, in: 0...20, of: "outline")
            },
            .choice(
                "quality", ["fast", "balanced", "accurate"],
                "speed or detail of the mask (default: accurate)", \.quality),
            .flag("force", "overwrite existing files", \.overwrites),
        ] + EffectOption.mask.map { $0.option.inside(\.masks) }
    }

    private var choice: Choice?
    private var content = LiftedPhoto.Content.people
    private var folder: String?
    private var outline: Double?
    private var quality = "accurate"
    private var masks = Compositing()
    private var overwrites = false

    private var choosesAll: Bool {
        switch choice {
        case nil, .all: true
        case .number, .at: false
        }
    }

    /// The choice of the people who are cut out.
    private enum Choice {
        case all
        case number(Int)
        case at(Place)
    }

    private mutating func choose(_ choice: Choice) throws(ToolError) {
        guard self.choice == nil else { throw .usage("give one of --at, --instance and --all") }
        self.choice = choice
    }

    func run(_ arguments: [String]) throws(ToolError) -> Int32 {
        guard let input = arguments.first, arguments.count == (folder == nil ? 2 : 1) else {
            throw .usage("give PHOTO and either OUT.png or --stickers DIR")
        }
        if outline != nil, folder == nil { throw .usage("--outline is for --stickers") }
        if let folder {
            try makeStickers(input, in: folder)
        } else {
            try makeImage(input, arguments[1])
        }
        return ExitCode.success.rawValue
    }

    private func makeImage(_ input: String, _ path: String) throws(ToolError) {
        guard case .still(let format) = OutputFormat(path: path, isPhoto: true), format != .jpeg else {
            throw .usage("\(path) must end in .png or .webp")
        }
        // Checked before the work, which takes seconds.
        let file = try OutputFile(path: path, overwrites: overwrites)
        let photo = try LiftedPhoto(reading: input, content, quality: quality, masks)
        let image =
            if choosesAll { try photo.cutOut(nil) } else { try photo.cutOut(people(of: photo, input).first) }
        guard let image else { throw nobody(input) }
        try write(image, photo, as: format, to: file)
    }

    private func makeStickers(_ input: String, in folder: String) throws(ToolError) {
        let output = NumberedImages(singular, in: folder, overwrites: overwrites)
        try output.check()
        let photo = try LiftedPhoto(reading: input, content, quality: quality, masks)
        let people = try people(of: photo, input)
        guard !people.isEmpty else { throw nobody(input) }
        for person in people {
            let sticker = try photo.cutOut(person, outline: (outline ?? 2) / 100)
            if let sticker { try write(sticker, photo, as: .png, to: output.file(person.number)) }
        }
    }

    /// Returns the chosen people, from the left.
    private func people(
        of photo: LiftedPhoto, _ input: String
    ) throws(ToolError) -> [SeparatedPeople.Person] {
        switch choice {
        case nil, .all: return photo.people.people
        case .number(let number):
            if let person = photo.people.people.first(where: { $0.number == number }) { return [person] }
            throw ToolError(.failed, "\(input) has no \(singular) \(number): \(photo.people).")
        case .at(let place):
            if let person = photo.people.person(at: place) { return [person] }
            throw ToolError(.failed, "\(nothing) is at \(place) in \(input): \(photo.people).")
        }
    }

    private func write(
        _ image: Frame, _ photo: LiftedPhoto, as format: StillFormat, to file: OutputFile
    ) throws(ToolError) {
        try PictureWriter.write(image, photo.metadata, as: format, to: file)
        try file.publish()
        try printText("\(file.path): \(image.size.width)x\(image.size.height)\n")
    }

    private func nobody(_ input: String) -> ToolError {
        ToolError(.failed, "\(nothing) was found in \(input).")
    }

    /// Words for one and for none of the findings, in messages.
    private var singular: String { content == .people ? "person" : "subject" }
    private var nothing: String { content == .people ? "Nobody" : "Nothing" }
}

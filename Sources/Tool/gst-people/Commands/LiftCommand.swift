import CommandKit
import Properties

/// `gst-people lift PHOTO OUT`: people or subjects cut out of an image.
struct LiftCommand: Command {
    static let name = "lift"
    static let summary = "cut people, or the main subjects, out of a photo"
    static let arguments = "PHOTO OUT"
    static let details = """
        PHOTO is an image or a video as for photo. OUT ends in .png or .webp, has an alpha channel,
        is cropped to the people, and keeps date, place, author, camera and title of the photo. The
        original background's colour is removed from soft edges.

        With --background, --color, --original or an effect on the background, OUT is the whole
        photo with that behind the people, has no alpha channel, and may end in .jpg, too.

        With --stickers DIR instead of OUT, each person is written as DIR/person-N.png, and with
        --subjects each subject as DIR/subject-N.png. They are counted from the left.

        OUT appears when it is complete; until then it is OUT.part.
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
            Option("instance", .text("N,..."), "the Nth person from the left, from 1 on, or several: 1,3") {
                (command: inout Self, text: String) throws(ToolError) in
                guard let numbers = PropertyText.ids(text) else {
                    throw .usage("--instance takes whole numbers from 1 on, such as 1,3, not \(text)")
                }
                try command.choose(.numbers(numbers))
            },
            Option("all", .none, "all people (the default)") {
                (command: inout Self, _: String) throws(ToolError) in try command.choose(.all)
            },
            .flag("subjects", "the main subjects of any kind, instead of people", \.content, to: .subjects),
            .flag(
                "in-place", "keep the size of the photo, and the place in it, instead of cropping",
                \.isInPlace),
            Option(
                "outline", .text("PERCENT"),
                "width of a white line around it, in percent of its longer side: 0 to 20 (default: 0; stickers: 2)"
            ) {
                (command: inout Self, text: String) throws(ToolError) in
                command.outline = try number(text, in: 0...20, of: "outline")
            },
            Option(
                "stickers", .file("DIR"), "write one image with an outline for each person into this folder"
            ) {
                (command: inout Self, text: String) throws(ToolError) in command.folder = text
            },
            .choice(
                "quality", ["fast", "balanced", "accurate"],
                "speed or detail of the mask (default: accurate)", \.quality),
            .flag("force", "overwrite existing files", \.overwrites),
        ] + backgrounds.map { $0.inside(\.compositing) }
    }

    /// The options for a background behind what is cut out, and for the mask.
    private static var backgrounds: [Option<Compositing>] {
        Background.options.filter { ["background", "color", "original"].contains($0.name) }
            + EffectOption.lifting.map(\.command)
    }

    private var choice = Choice.all
    private var isChosen = false
    private(set) var content = LiftedPhoto.Content.people
    private var folder: String?
    private var isInPlace = false
    /// Width of the outline in percent; nil for the default.
    private var outline: Double?
    private(set) var quality = "accurate"
    private(set) var compositing = Compositing()
    private var overwrites = false

    /// The choice of the people who are cut out.
    private enum Choice {
        case all
        case numbers([Int])
        case at(Place)
    }

    private mutating func choose(_ choice: Choice) throws(ToolError) {
        guard !isChosen else { throw .usage("give one of --at, --instance and --all") }
        (self.choice, isChosen) = (choice, true)
    }

    func run(_ arguments: [String]) throws(ToolError) -> Int32 {
        guard let input = arguments.first, arguments.count == (folder == nil ? 2 : 1) else {
            throw .usage("give PHOTO and either OUT or --stickers DIR")
        }
        try check()
        if let folder {
            try makeStickers(input, in: folder)
        } else {
            try makeImage(input, arguments[1])
        }
        return ExitCode.success.rawValue
    }

    /// Throws for options that exclude each other.
    func check() throws(ToolError) {
        if compositing.hasBackground {
            guard folder == nil else { throw .usage("--stickers have no background") }
            guard outline == nil else { throw .usage("--outline is for no background; give --halo-width") }
        } else if let effect = compositing.settings.first(where: { $0.element == "blendmask" }) {
            let option = EffectOption.all.first { $0.property == effect.property }?.name ?? effect.property
            throw .usage("--\(option) needs --background, --color or --original")
        }
        if folder != nil, isInPlace { throw .usage("--in-place is for OUT, not for --stickers") }
    }

    private func makeImage(_ input: String, _ path: String) throws(ToolError) {
        let hasAlpha = !compositing.hasBackground
        guard case .still(let format) = OutputFormat(path: path, isPhoto: true), format != .jpeg || !hasAlpha
        else {
            throw .usage("\(path) must end in .png or .webp\(hasAlpha ? "" : ", or .jpg")")
        }
        // Checked before the work, which takes seconds.
        let file = try OutputFile(path: path, overwrites: overwrites)
        let photo = try LiftedPhoto(reading: input, content, quality: quality, compositing)
        try write(try image(of: photo, input), photo, as: format, to: file)
    }

    /// Returns what the options ask for.
    ///
    /// - Parameter input: name of the photo in messages.
    func image(of photo: LiftedPhoto, _ input: String) throws(ToolError) -> PackedPixels {
        let people: [SeparatedPeople.Person]? =
            if case .all = choice { nil } else { try people(of: photo, input) }
        let image =
            compositing.hasBackground
            ? try photo.composed(people, compositing)
            : try photo.cutOut(people, isCropped: !isInPlace, outline: (outline ?? 0) / 100)
        guard let image else { throw nobody(input) }
        return image
    }

    private func makeStickers(_ input: String, in folder: String) throws(ToolError) {
        let output = NumberedImages(singular, in: folder, overwrites: overwrites)
        try output.check()
        let photo = try LiftedPhoto(reading: input, content, quality: quality, compositing)
        let people = try people(of: photo, input)
        guard !people.isEmpty else { throw nobody(input) }
        for person in people {
            let sticker = try photo.cutOut([person], outline: (outline ?? 2) / 100)
            if let sticker { try write(sticker, photo, as: .png, to: output.file(person.number)) }
        }
    }

    /// Returns the chosen people, from the left.
    private func people(
        of photo: LiftedPhoto, _ input: String
    ) throws(ToolError) -> [SeparatedPeople.Person] {
        switch choice {
        case .all: return photo.people.people
        case .numbers(let numbers):
            let found = photo.people.people.filter { numbers.contains($0.number) }
            if let missing = numbers.first(where: { number in !found.contains { $0.number == number } }) {
                throw ToolError(.failed, "\(input) has no \(singular) \(missing): \(photo.people).")
            }
            return found
        case .at(let place):
            if let person = photo.people.person(at: place) { return [person] }
            throw ToolError(.failed, "\(nothing) is at \(place) in \(input): \(photo.people).")
        }
    }

    private func write(
        _ image: PackedPixels, _ photo: LiftedPhoto, as format: StillFormat, to file: OutputFile
    ) throws(ToolError) {
        try PictureWriter.write(image, photo.metadata, as: format, to: file)
        try file.publish()
        try printText("\(file.path): \(image.width)x\(image.height)\n")
    }

    private func nobody(_ input: String) -> ToolError {
        ToolError(.failed, "\(nothing) was found in \(input).")
    }

    /// Words for one and for none of the findings, in messages.
    private var singular: String { content == .people ? "person" : "subject" }
    private var nothing: String { content == .people ? "Nobody" : "Nothing" }
}

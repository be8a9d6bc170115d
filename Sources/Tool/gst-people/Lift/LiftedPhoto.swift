import CommandKit
import Composer
import Imaging
import PeopleSettings
import PeopleVision

/// An image whose people have instance masks and can be cut out separately.
struct LiftedPhoto {
    /// The kind of things that have instance masks.
    enum Content: String {
        case people, subjects
    }

    /// The image and its masks.
    private let analysed: Analysed
    /// The metadata in the image's file; nil for a frame of a video.
    let metadata: PictureMetadata?
    /// The people or subjects with instance masks.
    let people: SeparatedPeople

    /// Decodes and analyses an image, or the first frame of a video.
    ///
    /// - Parameters:
    ///   - quality: a quality level.
    ///   - masks: settings of the mask, which people and subjects have alike.
    init(
        reading path: String, _ content: Content, quality: String, _ masks: Compositing
    ) throws(ToolError) {
        let picture = try PictureReader.read(path)
        let image = if let picture { picture } else { try Self.firstFrame(of: path) }
        try self.init(
            image, named: path, metadata: picture?.metadata, content, quality: quality, masks)
    }

    /// Analyses an image.
    ///
    /// - Parameters:
    ///   - name: the image's name in messages.
    ///   - metadata: the metadata for what is cut out.
    init(
        _ image: Picture, named name: String, metadata: PictureMetadata?, _ content: Content, quality: String,
        _ masks: Compositing
    ) throws(ToolError) {
        self.metadata = metadata
        let level = Compositing.Setting(
            element: "personsegment", property: "quality", value: quality, isText: false)
        let settings = [level] + masks.settings
        let pixels = image.onBlack.packed.withAlpha
        analysed = try WatchedWork.run(name, "while it is decoded and analysed") { () throws(ToolError) in
            try Analysed(pixels, content, settings, named: name)
        }
        people = analysed.masks.separated(called: content.rawValue)
    }

    private static func firstFrame(of path: String) throws(ToolError) -> Picture {
        let frame = try ExtractedFrame(of: Job(reading: path))
        // The frame's file is removed with the frame.
        defer { withExtendedLifetime(frame) {} }
        guard let picture = try PictureReader.read(frame.path) else {
            throw ToolError(.input, "\(path) contains no image.")
        }
        return picture
    }

    /// Cuts out people, or everybody if nil, on a transparent background.
    ///
    /// - Parameters:
    ///   - isCropped: whether the result is cropped to the visible part; otherwise it has the image's size.
    ///   - outline: width of a white line around the people, as a fraction of the longer side of what is
    ///     visible.
    /// - Returns: an image with alpha; nil if nothing is visible.
    func cutOut(
        _ people: [SeparatedPeople.Person]?, isCropped: Bool = true, outline: Double = 0
    ) throws(ToolError) -> PackedPixels? {
        var settings = BlendSettings()
        (settings.source, settings.decontamination) = (.transparent, .on)
        let line = outline > 0 ? CutOut.Outline(color: .white, width: outline) : nil
        // A small part beside one person is a trace of others; in a group it may be a person far away.
        let smallest = people?.count == 1 ? 0.02 : 0.002
        var shown = try composed(settings, showing: people)
        let cutOut = shown.withImage {
            CutOut(ImageView($0), smallestPart: smallest, isCropped: isCropped, outline: line)
        }
        guard let cutOut = cutOut ?? nil else { return nil }
        return PackedPixels(width: cutOut.width, height: cutOut.height, cutOut.pixels, hasAlpha: true)
    }

    /// Puts another background behind people, or behind everybody if nil.
    ///
    /// - Parameter compositing: the background and the effects.
    /// - Returns: an image of the photo's size without alpha; nil if there is nobody.
    func composed(
        _ people: [SeparatedPeople.Person]?, _ compositing: Compositing
    ) throws(ToolError) -> PackedPixels? {
        guard !self.people.people.isEmpty else { return nil }
        return try composed(compositing.blendSettings, showing: people).withoutAlpha
    }

    /// Composes these people; everybody if nil.
    private func composed(
        _ settings: BlendSettings, showing people: [SeparatedPeople.Person]?
    ) throws(ToolError) -> PackedPixels {
        var settings = settings
        if let people { settings.instances = people.map { "\($0.id)" }.joined(separator: ",") }
        let composer = try PictureComposer(settings)
        var image = analysed.image
        guard !composer.isIdentity else { return image }
        let result = image.withImage { image in
            Result { () throws(ToolError) in try composer.compose(image, analysed.masks) }
        }
        try result?.get()
        return image
    }
}

/// An image with the masks of its people or subjects.
private final class Analysed: @unchecked Sendable {
    // Unchecked: the thread that makes it hands it over.
    let image: PackedPixels
    let masks = FrameMasks()

    init(
        _ image: PackedPixels, _ content: LiftedPhoto.Content, _ settings: [Compositing.Setting],
        named name: String
    ) throws(ToolError) {
        self.image = image
        var pixels = image
        let masks = masks
        let result = pixels.withImage { image in
            Result { () throws(ToolError) in
                try finding { () throws(VisionError) in
                    try Self.find(content, settings, in: ImageView(image), masks)
                }
            }
        }
        guard let result else { throw .tooLarge(name) }
        try result.get()
    }

    /// Finds the masks of people or subjects, as many as there can be.
    private static func find(
        _ content: LiftedPhoto.Content, _ settings: [Compositing.Setting], in image: ImageView,
        _ masks: FrameMasks
    ) throws(VisionError) {
        let maximum = GeneratePersonInstanceMaskRequest.possibleInstances.upperBound
        switch content {
        case .people:
            var people = PersonSegmentSettings()
            (people.separates, people.instances.maximumInstances) = (true, maximum)
            settings.apply(to: "personsegment", &people)
            try masks.find(in: image, people)
        case .subjects:
            var subjects = SubjectSegmentSettings()
            subjects.instances.maximumInstances = maximum
            settings.apply(to: "personsegment", &subjects)
            try masks.find(in: image, subjects)
        }
    }
}

// MARK: - Places

extension LiftedPhoto {
    /// The places of the people; nil without instance masks.
    var silhouettes: Silhouettes? { Silhouettes(analysed.masks, people.people) }

    /// The image's size in pixels.
    var size: (width: Int, height: Int) { (analysed.image.width, analysed.image.height) }
}

/// The places of the people or subjects of an image, on a grid that is small enough for a page.
struct Silhouettes: Sendable {
    let width: Int
    let height: Int
    /// For each point, row by row, the number of the person there, 0 for nobody; after these, for each point
    /// the coverage of the whole mask, 0 to 255.
    let bytes: [UInt8]

    /// Maximum width and height: more than a picture has on most screens, and 2 MiB at most.
    private static let maximumSide = 1024

    /// Reads the label map and the mask of a picture.
    ///
    /// - Parameter people: the people whose numbers are given.
    /// - Returns: nil without instance masks.
    init?(_ masks: FrameMasks, _ people: [SeparatedPeople.Person]) {
        var numbers = [UInt8](repeating: 0, count: 256)
        for person in people where numbers.indices.contains(person.label) {
            numbers[person.label] = UInt8(clamping: person.number)
        }
        guard let labels = masks.withLabels({ $0.map { Grid(of: $0) } }),
            let coverage = masks.withMask({ Grid(of: $0) })
        else { return nil }
        (width, height) = (labels.width, labels.height)
        bytes = labels.samples.map { numbers[Int($0)] } + coverage.samples
    }

    /// Whether the mask covers most of a place of the picture, whose coordinates are at least 0 and less than 1.
    func covers(_ x: Double, _ y: Double) -> Bool {
        guard 0..<1 ~= x, 0..<1 ~= y else { return false }
        return bytes[width * height + Int(y * Double(height)) * width + Int(x * Double(width))] > 127
    }

    /// Samples of a plane of bytes, from the middles of equal squares.
    private struct Grid {
        let width: Int
        let height: Int
        private(set) var samples: [UInt8] = []

        init(of plane: MaskView) {
            let step = (max(plane.width, plane.height) + maximumSide - 1) / maximumSide
            (width, height) = ((plane.width + step - 1) / step, (plane.height + step - 1) / step)
            samples.reserveCapacity(2 * width * height)
            var row = [Float](repeating: 0, count: plane.width)
            for y in 0..<height {
                row.withUnsafeMutableBufferPointer { row in
                    guard let base = row.baseAddress else { return }
                    plane.readRow(min(y * step + step / 2, plane.height - 1), scale: 255, into: base)
                }
                for x in 0..<width {
                    let value = row[min(x * step + step / 2, plane.width - 1)]
                    // In this order, a value that is no number becomes 0.
                    samples.append(UInt8(min(max(0, value.rounded()), 255)))
                }
            }
        }
    }
}

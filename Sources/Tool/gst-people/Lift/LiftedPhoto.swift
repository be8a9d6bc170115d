import CommandKit
import GStreamerKit
import Imaging

/// An image whose people have instance masks and can be cut out separately.
struct LiftedPhoto {
    /// The kind of things that have instance masks.
    enum Content: String {
        case people, subjects

        /// The element with its settings, which attaches a `GstPeopleMask` with instances; twelve is its
        /// maximum.
        fileprivate var analysis: String {
            let settings = self == .people ? "instance-masks=true max-instances=12" : "max-instances=12"
            return "\(element) name=\(element) \(settings)"
        }

        fileprivate var element: String { self == .people ? "personsegment" : "subjectsegment" }
    }

    /// The image with its mask.
    private let frame: Frame
    /// The metadata in the image's file; nil for a frame of a video.
    let metadata: PictureMetadata?
    /// The people or subjects with instance masks.
    let people: SeparatedPeople

    /// Decodes and analyses an image, or the first frame of a video.
    ///
    /// - Parameters:
    ///   - quality: a quality level of `personsegment` or `subjectsegment`.
    ///   - masks: settings of the mask; both elements have the same properties for it.
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
        let frames = try FrameReader(
            image.onBlack, of: name, through: "video/x-raw,format=RGBA ! \(content.analysis)")
        frames.set(content.element, "quality", to: quality)
        for setting in masks.settings where setting.element == "personsegment" {
            frames.set(content.element, setting)
        }
        guard let frame = try frames.next() else {
            throw ToolError(.input, "\(name) contains no image.")
        }
        self.frame = frame
        people = SeparatedPeople(of: frame.buffer, called: content.rawValue)
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
    /// - Returns: an RGBA frame; nil if nothing is visible.
    func cutOut(
        _ people: [SeparatedPeople.Person]?, isCropped: Bool = true, outline: Double = 0
    ) throws(ToolError) -> Frame? {
        let blend = "blendmask name=blendmask background-source=transparent decontaminate=true"
        let shown = try SingleFrame.send(frame, through: "\(blend) ! video/x-raw,format=RGBA") {
            Self.show(people, in: $0)
        }
        let line = outline > 0 ? CutOut.Outline(color: .white, width: outline) : nil
        // A small part beside one person is a trace of others; in a group it may be a person far away.
        let smallest = people?.count == 1 ? 0.02 : 0.002
        return shown.withImage(.rgba) {
            CutOut($0, smallestPart: smallest, isCropped: isCropped, outline: line)
        }?.flatMap { Frame($0) }
    }

    /// Puts another background behind people, or behind everybody if nil.
    ///
    /// - Parameter compositing: the background and the effects.
    /// - Returns: an RGB frame of the image's size; nil if there is nobody.
    func composed(
        _ people: [SeparatedPeople.Person]?, _ compositing: Compositing
    ) throws(ToolError) -> Frame? {
        guard !self.people.people.isEmpty else { return nil }
        return try SingleFrame.send(
            frame, through: "blendmask name=blendmask ! videoconvert ! video/x-raw,format=RGB"
        ) { chain in
            compositing.apply(to: chain)
            Self.show(people, in: chain)
        }
    }

    /// Makes a `blendmask` show only these people; everybody if nil.
    private static func show(_ people: [SeparatedPeople.Person]?, in chain: GStreamer.Element) {
        guard let people else { return }
        chain.element(named: "blendmask")?
            .set("instances", to: people.map { "\($0.id)" }.joined(separator: ","))
    }
}

// MARK: - Places

extension LiftedPhoto {
    /// The places of the people; nil without instance masks.
    var silhouettes: Silhouettes? { Silhouettes(frame, people.people) }

    /// The image's size in pixels.
    var size: (width: Int, height: Int) { frame.size }
}

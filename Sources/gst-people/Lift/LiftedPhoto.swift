import CommandKit
import Imaging

/// An image whose people have instance masks and can be cut out separately.
struct LiftedPhoto {
    /// The kind of things that have instance masks.
    enum Content: String {
        case people, subjects

        /// The element with its settings, which attaches a `GstPeopleMask` with instances; twelve is its
        /// maximum.
        fileprivate var analysis: String {
            let settings = self == .people ? "instances=true max-instances=12" : "max-instances=12"
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
        metadata = picture?.metadata
        let image = if let picture { picture } else { try Self.firstFrame(of: path) }
        let frames = try FrameReader(
            image.onBlack, of: path, through: "video/x-raw,format=RGBA ! \(content.analysis)")
        frames.set(content.element, "quality", to: quality)
        for setting in masks.settings { frames.set(content.element, setting) }
        guard let frame = try frames.next() else {
            throw ToolError(.input, "\(path) contains no image.")
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

    /// Cuts out a person, or everybody if nil, on a transparent background.
    ///
    /// - Parameter outline: width of a white line around the people, as a fraction of the longer side.
    /// - Returns: an RGBA frame cropped to the visible part; nil if nothing is visible.
    func cutOut(_ person: SeparatedPeople.Person?, outline: Double = 0) throws(ToolError) -> Frame? {
        let blend = "blendmask background-source=transparent decontaminate=true"
        let chosen = person.map { " instances=\($0.id)" } ?? ""
        let shown = try SingleFrame.send(frame, through: "\(blend)\(chosen) ! video/x-raw,format=RGBA")
        let line = outline > 0 ? CutOut.Outline(color: .white, width: outline) : nil
        // A small part beside one person is a trace of others; in a group it may be a person far away.
        let smallest = person == nil ? 0.002 : 0.02
        return shown.withImage(.rgba) { CutOut($0, smallestPart: smallest, outline: line) }?.flatMap {
            Frame($0)
        }
    }
}

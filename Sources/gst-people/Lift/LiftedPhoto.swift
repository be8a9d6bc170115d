import CommandKit
import Imaging

/// An image whose people have masks of their own, and can be cut out separately.
struct LiftedPhoto {
    /// What has masks of its own.
    enum Content: String {
        case people, subjects

        /// The element that finds it, by a `GstPeopleMask` with instances; twelve are the most that it tells apart.
        fileprivate var analysis: String {
            let settings = self == .people ? "instances=true max-instances=12" : "max-instances=12"
            return "\(element) name=\(element) \(settings)"
        }

        fileprivate var element: String { self == .people ? "personsegment" : "subjectsegment" }
    }

    /// The image with its mask.
    private let frame: Frame
    /// What the image's file says besides; nil for a frame of a video.
    let metadata: PictureMetadata?
    /// Those who have masks of their own.
    let people: SeparatedPeople

    /// Decodes and analyses an image, of a video its first frame.
    ///
    /// - Parameters:
    ///   - quality: a level of `personsegment`, or of `subjectsegment`.
    ///   - masks: how the mask is made; both elements have the same properties for it.
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
        // Its file goes with it.
        defer { withExtendedLifetime(frame) {} }
        guard let picture = try PictureReader.read(frame.path) else {
            throw ToolError(.input, "\(path) contains no image.")
        }
        return picture
    }

    /// A person, or with nil everybody, on a transparent background.
    ///
    /// - Parameter outline: width of a white line around them, as a share of the longer side.
    /// - Returns: an RGBA frame cropped to what is seen; nil when that is nothing.
    func cutOut(_ person: SeparatedPeople.Person?, outline: Double = 0) throws(ToolError) -> Frame? {
        let blend = "blendmask background-source=transparent decontaminate=true"
        let chosen = person.map { " instances=\($0.id)" } ?? ""
        let shown = try SingleFrame.send(frame, through: "\(blend)\(chosen) ! video/x-raw,format=RGBA")
        let line = outline > 0 ? CutOut.Outline(color: .white, width: outline) : nil
        // What is small beside one person is a trace of others; in a group it may be a person far away.
        let smallest = person == nil ? 0.002 : 0.02
        return shown.withImage(.rgba) { CutOut($0, smallestPart: smallest, outline: line) }?.flatMap {
            Frame($0)
        }
    }
}

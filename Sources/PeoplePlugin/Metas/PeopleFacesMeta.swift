import GStreamerKit
import Imaging
import PeopleVision

/// The `GstPeopleFaces` metadata: the faces of the frame that carries it, none included.
///
/// Field names and units are API; the README lists them.
struct PeopleFacesMeta {
    static let kind = CustomMeta("GstPeopleFaces")
    /// Name of a face's structure in the list, and of regions of interest.
    static let face: StaticString = "face"

    let faces: [FaceObservation]
    let revision: Int
    let orientation: ImageOrientation

    /// Attaches the faces to `frame`, once as our metadata and once as regions for other plugins.
    func attach(to frame: borrowing VideoFrame) -> Bool {
        guard let fields = frame.attach(Self.kind) else { return false }
        fields.set("frame-width", frame.info.width)
        fields.set("frame-height", frame.info.height)
        fields.set("pixel-aspect-ratio", fraction: frame.info.pixelAspectRatio)
        fields.set("orientation", orientation.rawValue)
        fields.set("revision", revision)
        writeFaces(to: fields)
        for face in faces {
            frame.attachRegion(
                Self.face, box: face.boundingBox, confidence: face.confidence, id: face.id)
        }
        return true
    }

    /// Writes the list `faces`; the same in metadata and in messages.
    func writeFaces(to fields: StructureWriter) {
        fields.set("faces", list: Self.face, count: faces.count) { index, fields in
            let face = faces[index]
            fields.set("id", face.id)
            fields.set("x", face.boundingBox.x)
            fields.set("y", face.boundingBox.y)
            fields.set("width", face.boundingBox.width)
            fields.set("height", face.boundingBox.height)
            fields.set("confidence", face.confidence)
            fields.set("roll", face.roll)
            fields.set("yaw", face.yaw)
            fields.set("pitch", face.pitch)
            fields.set("angles-reliable", face.anglesAreReliable)
        }
    }
}

import GStreamerKit
import Imaging
import PeopleVision

/// The `GstPeopleFaces` metadata: the faces of the frame that carries it, none included.
///
/// Field names and units are API; docs/metadata.md lists them.
struct PeopleFacesMeta {
    static let kind = CustomMeta("GstPeopleFaces")
    /// Name of a face's structure in the list, and of regions of interest.
    static let face: StaticString = "face"

    let faces: [FaceObservation]
    let revision: Int
    let orientation: ImageOrientation
    /// Whether landmarks that were found are written.
    let hasLandmarks: Bool
    /// Whether the points of each face's mesh are written.
    let hasMesh: Bool

    /// Attaches the faces to `frame`, once as our metadata and once as regions for other plugins.
    func attach(to frame: borrowing VideoFrame, _ tracks: RegionTracks) -> Bool {
        // Another analyser's faces, and their regions, give way.
        if frame.read(Self.kind) != nil { frame.removeRegions(Self.face) }
        guard let fields = frame.attach(Self.kind) else { return false }
        fields.set(analysisOf: frame, orientation, revision: revision)
        writeFaces(to: fields)
        for face in faces {
            frame.attachRegion(
                Self.face, box: face.boundingBox, confidence: face.confidence, id: face.id, in: tracks)
        }
        return true
    }

    /// Writes the list `faces`; the same in metadata and in messages.
    func writeFaces(to fields: StructureWriter) {
        fields.set("faces", list: Self.face, count: faces.count) { index, fields in
            let face = faces[index]
            fields.set(id: face.id, box: face.boundingBox, confidence: face.confidence)
            fields.set("roll", face.roll)
            fields.set("yaw", face.yaw)
            fields.set("pitch", face.pitch)
            fields.set("angles-reliable", face.anglesAreReliable)
            if let quality = face.captureQuality { fields.set("quality", quality) }
            if hasLandmarks, let landmarks = face.landmarks { write(landmarks, to: fields) }
            if hasMesh { write(face.mesh, to: fields) }
        }
    }

    /// One array per region: x, y and confidence of one point after the other.
    private func write(_ landmarks: FaceLandmarks, to fields: StructureWriter) {
        fields.set("landmarks", structure: "landmarks") { fields in
            for region in FaceLandmarks.Region.allCases {
                let indices = FaceLandmarks.indices(of: region)
                fields.set(named: region.rawValue, count: 3 * indices.count) {
                    let point = landmarks.points[indices[$0 / 3]]
                    return $0 % 3 == 0 ? point.position.x : $0 % 3 == 1 ? point.position.y : point.confidence
                }
            }
        }
    }

    /// One array: x, y and depth of one point after the other.
    private func write(_ mesh: [FaceMeshPoint], to fields: StructureWriter) {
        fields.set("mesh", count: 3 * mesh.count) {
            let point = mesh[$0 / 3]
            return $0 % 3 == 0 ? point.position.x : $0 % 3 == 1 ? point.position.y : point.depth
        }
    }
}

// MARK: - Reading

extension PeopleFacesMeta {
    /// The direction of the largest face of `frame`; nil without a face, or when its angles are a guess.
    ///
    /// Reads whatever is there: it may come from another program's element.
    static func largestPose(in frame: borrowing VideoFrame) -> HeadPose? {
        var (largest, pose) = (0.0, HeadPose?.none)
        frame.forEach(kind) { fields in
            // Of several, the newest counts.
            (largest, pose) = (0, nil)
            fields.forEach("faces") { face in
                let area = (face.double("width") ?? 0) * (face.double("height") ?? 0)
                guard area > largest else { return }
                largest = area
                pose = HeadPose(face)
            }
        }
        return pose
    }
}

extension HeadPose {
    fileprivate init?(_ face: StructureReader) {
        guard face.bool("angles-reliable") != false, let roll = face.double("roll"),
            let yaw = face.double("yaw"), let pitch = face.double("pitch"), (roll + yaw + pitch).isFinite
        else { return nil }
        self.init(roll: roll, yaw: yaw, pitch: pitch)
    }
}

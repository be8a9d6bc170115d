import Composer
import GStreamerKit
import Imaging
import PeopleVision

/// The `GstPeopleFaces` metadata: the faces of a frame.
struct PeopleFacesMeta: FindingsMeta {
    static let kind = CustomMeta("GstPeopleFaces")
    static let list: (name: StaticString, item: StaticString) = ("faces", "face")
    static let region: StaticString = "face"

    let findings: [FaceObservation]
    let revision: Int
    let orientation: ImageOrientation
    /// The requested attributes of each face.
    let attributes: FaceAttributes

    func write(_ face: FaceObservation, to fields: StructureWriter) {
        fields.set("roll", face.roll)
        fields.set("yaw", face.yaw)
        fields.set("pitch", face.pitch)
        fields.set("angles-reliable", face.anglesAreReliable)
        if let quality = face.captureQuality { fields.set("quality", quality) }
        if attributes.contains(.landmarks), let landmarks = face.landmarks { write(landmarks, to: fields) }
        if attributes.contains(.irises) { write(face.mesh, to: fields) }
    }

    /// Writes one array per region, in which x, y and confidence of the points follow each other.
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

    /// Writes one array in which x, y and depth of the points follow each other.
    private func write(_ mesh: [FaceMeshPoint], to fields: StructureWriter) {
        fields.set("mesh", count: 3 * mesh.count) {
            let point = mesh[$0 / 3]
            return $0 % 3 == 0 ? point.position.x : $0 % 3 == 1 ? point.position.y : point.depth
        }
    }
}

// MARK: - Reading

extension PeopleFacesMeta {
    /// Returns the direction of the largest face of `frame`; nil without a face, or when its angles are a
    /// guess.
    ///
    /// The metadata may come from another program's element.
    static func largestPose(in frame: borrowing VideoFrame) -> FaceDirection? {
        var (largest, pose) = (0.0, FaceDirection?.none)
        frame.forEach(kind) { fields in
            // If there are several, the newest counts.
            (largest, pose) = (0, nil)
            fields.forEach("faces") { face in
                let area = (face.double("width") ?? 0) * (face.double("height") ?? 0)
                guard area > largest else { return }
                largest = area
                pose = FaceDirection(face)
            }
        }
        return pose
    }
}

extension FaceDirection {
    fileprivate init?(_ face: StructureReader) {
        guard face.bool("angles-reliable") != false, let roll = face.double("roll"),
            let yaw = face.double("yaw"), let pitch = face.double("pitch"), (roll + yaw + pitch).isFinite
        else { return nil }
        self.init(roll: roll, yaw: yaw, pitch: pitch)
    }
}

// MARK: - Drawing

extension PeopleFacesMeta {
    /// Draws the faces in the metadata of `frame`, which may come from another program's element.
    static func draw(
        _ overlay: FaceOverlay, from frame: borrowing VideoFrame, on image: MutableImageView,
        where isWanted: (StructureReader) -> Bool
    ) {
        guard let fields = frame.read(kind) else { return }
        let orientation = fields.int("orientation").flatMap(ImageOrientation.init(rawValue:)) ?? .up
        fields.forEach("faces") { face in
            guard isWanted(face), let box = face.box else { return }
            let landmarks = face.structure("landmarks")
            let tip = FaceLandmarks.indices(of: .noseCrest).count - 1
            let outline = FaceOutline(
                box: box, nose: landmarks?.point(FaceLandmarks.Region.noseCrest.rawValue, tip)?.location,
                roll: face.double("roll") ?? 0, yaw: face.double("yaw") ?? 0,
                pitch: face.double("pitch") ?? 0, anglesAreReliable: face.bool("angles-reliable") ?? false)
            overlay.draw(outline, on: image, orientation: orientation) { region, index in
                landmarks?.point(region.rawValue, index).map {
                    FaceLandmark(position: $0.location, confidence: $0.confidence)
                }
            }
        }
    }
}

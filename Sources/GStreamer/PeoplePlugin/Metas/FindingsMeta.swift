import Composer
import GStreamerKit
import Imaging
import PeopleVision

/// Metadata with the list of an analyser's findings in a frame; the list may be empty.
///
/// Field names and units are API, listed in docs/metadata.md.
protocol FindingsMeta {
    associatedtype Finding: TrackedObservation

    static var kind: CustomMeta { get }
    /// Names of the list and of a structure in it.
    static var list: (name: StaticString, item: StaticString) { get }
    /// Type name of the regions of interest.
    static var region: StaticString { get }

    var findings: [Finding] { get }
    var revision: Int { get }
    var orientation: ImageOrientation { get }

    /// Writes the fields that only this kind of finding has; id, box and confidence are already written.
    func write(_ finding: Finding, to fields: StructureWriter)
}

extension FindingsMeta {
    /// Attaches the findings to `frame`, both as the project's metadata and as regions for other plugins.
    func attach(to frame: borrowing VideoFrame, _ tracks: RegionTracks) -> Bool {
        // The findings of another analyser, and their regions, are replaced.
        if frame.read(Self.kind) != nil { frame.removeRegions(Self.region) }
        guard let fields = frame.attach(Self.kind) else { return false }
        fields.set(analysisOf: frame, orientation, revision: revision)
        writeFindings(to: fields, tracks)
        for finding in findings {
            frame.attachRegion(
                Self.region, box: finding.boundingBox, confidence: finding.confidence, id: finding.id,
                in: tracks)
        }
        return true
    }

    private func writeFindings(to fields: StructureWriter, _ tracks: RegionTracks) {
        fields.set(Self.list.name, list: Self.list.item, count: findings.count) { index, fields in
            let finding = findings[index]
            fields.set(id: finding.id, box: finding.boundingBox, confidence: finding.confidence)
            fields.set(trackOf: finding.id, in: tracks)
            write(finding, to: fields)
        }
    }
}

extension StructureWriter {
    /// Writes the size and orientation of the analysed frame, and the revision of the analysis.
    func set(analysisOf frame: borrowing VideoFrame, _ orientation: ImageOrientation, revision: Int) {
        set("frame-width", frame.info.width)
        set("frame-height", frame.info.height)
        set("pixel-aspect-ratio", fraction: frame.info.pixelAspectRatio)
        set("orientation", orientation.rawValue)
        set("revision", revision)
    }

    /// Writes id, box and confidence of a finding.
    func set(id: Int, box: Rectangle, confidence: Double) {
        set("id", id)
        set("x", box.x)
        set("y", box.y)
        set("width", box.width)
        set("height", box.height)
        set("confidence", confidence)
    }

    /// Writes the track of the same object in GStreamer's analytics metadata; does nothing without that
    /// library.
    func set(trackOf id: Int, in tracks: RegionTracks) {
        if VideoFrame.hasAnalytics { set("track", identifier: tracks.track(of: id)) }
    }

    /// Writes one array per joint, under the joint's name: x, y and confidence.
    func set<Name: RawRepresentable<String>>(_ joints: [Joint], of names: [Name]) {
        set("joints", structure: "joints") { fields in
            for (name, joint) in zip(names, joints) {
                fields.set(named: name.rawValue, count: 3) {
                    $0 == 0 ? joint.location.x : $0 == 1 ? joint.location.y : joint.confidence
                }
            }
        }
    }

    /// Writes one array per joint in space, under the joint's name: x, y and z.
    func set<Name: RawRepresentable<String>>(_ positions: [SIMD3<Double>], of names: [Name]) {
        set("joints-3d", structure: "joints-3d") { fields in
            for (name, position) in zip(names, positions) {
                fields.set(named: name.rawValue, count: 3) { position[$0] }
            }
        }
    }
}

extension StructureReader {
    /// Returns the point `index` of an array in which x, y and confidence of the points follow each other.
    func point(_ name: String, _ index: Int) -> Joint? {
        guard let x = double(named: name, at: 3 * index), let y = double(named: name, at: 3 * index + 1),
            let confidence = double(named: name, at: 3 * index + 2)
        else { return nil }
        return Joint(location: Point(x: x, y: y), confidence: confidence)
    }
}

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

/// The `GstPeopleBodies` metadata: the people of a frame.
struct PeopleBodiesMeta: FindingsMeta {
    static let kind = CustomMeta("GstPeopleBodies")
    static let list: (name: StaticString, item: StaticString) = ("bodies", "body")
    static let region: StaticString = "person"

    let findings: [HumanBodyPoseObservation]
    let revision: Int
    let orientation: ImageOrientation

    func write(_ body: HumanBodyPoseObservation, to fields: StructureWriter) {
        fields.set("upper-body-only", body.isUpperBodyOnly)
        fields.set(body.joints, of: HumanBodyPoseObservation.JointName.allCases)
        guard let pose = body.pose3D else { return }
        fields.set(pose.positions, of: HumanBodyPose3DObservation.JointName.allCases)
        let camera = pose.cameraOriginMatrix.translation
        fields.set("camera-position", count: 3) { camera[$0] }
        fields.set("body-height", pose.bodyHeight)
        fields.set("height-estimation", pose.heightEstimation.rawValue)
    }
}

// MARK: - Drawing

extension PeopleBodiesMeta {
    /// Draws the people in the metadata of `frame`, whichever program attached it.
    static func draw(
        _ overlay: BodyOverlay, from frame: borrowing VideoFrame, on image: MutableImageView,
        where isWanted: (StructureReader) -> Bool
    ) {
        frame.read(kind)?.forEach("bodies") { body in
            guard isWanted(body), let box = body.box else { return }
            let joints = body.structure("joints")
            overlay.draw(box, on: image) { joints?.point($0.rawValue, 0) }
        }
    }
}

/// The `GstPeopleHands` metadata: the hands of a frame.
struct PeopleHandsMeta: FindingsMeta {
    static let kind = CustomMeta("GstPeopleHands")
    static let list: (name: StaticString, item: StaticString) = ("hands", "hand")
    static let region: StaticString = "hand"

    let findings: [HumanHandPoseObservation]
    let revision: Int
    let orientation: ImageOrientation
    /// Whether the 3-D joints are written.
    let hasPose3D: Bool

    func write(_ hand: HumanHandPoseObservation, to fields: StructureWriter) {
        fields.set("chirality", hand.chirality.rawValue)
        fields.set("chirality-confidence", hand.chiralityConfidence)
        fields.set(hand.joints, of: HumanHandPoseObservation.JointName.allCases)
        if hasPose3D { fields.set(hand.positions, of: HumanHandPoseObservation.JointName.allCases) }
    }
}

// MARK: - Drawing

extension PeopleHandsMeta {
    /// Draws the hands in the metadata of `frame`, whichever program attached it.
    static func draw(
        _ overlay: HandOverlay, from frame: borrowing VideoFrame, on image: MutableImageView,
        where isWanted: (StructureReader) -> Bool
    ) {
        frame.read(kind)?.forEach("hands") { hand in
            guard isWanted(hand), let box = hand.box else { return }
            let joints = hand.structure("joints")
            let isLeft = hand.string("chirality") == HumanHandPoseObservation.Chirality.left.rawValue
            overlay.draw(box, isLeft ? .left : .right, on: image) { joints?.point($0.rawValue, 0)?.location }
        }
    }
}

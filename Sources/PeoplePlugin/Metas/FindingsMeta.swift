import GStreamerKit
import Imaging
import PeopleVision

/// Metadata that lists what an analyser has found in the frame that carries it, nothing included.
///
/// Field names and units are API; docs/metadata.md lists them.
protocol FindingsMeta {
    associatedtype Finding: TrackedObservation

    static var kind: CustomMeta { get }
    /// Name of the list, and of a structure in it.
    static var list: (name: StaticString, item: StaticString) { get }
    /// Name of a region of interest.
    static var region: StaticString { get }

    var findings: [Finding] { get }
    var revision: Int { get }
    var orientation: ImageOrientation { get }

    /// Writes what is special to one finding; its id, box and confidence are there already.
    func write(_ finding: Finding, to fields: StructureWriter)
}

extension FindingsMeta {
    /// Attaches the findings to `frame`, once as our metadata and once as regions for other plugins.
    func attach(to frame: borrowing VideoFrame, _ tracks: RegionTracks) -> Bool {
        // Another analyser's findings, and their regions, give way.
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
    /// The fields with which an analyser's metadata says what was analysed, and by which revision.
    func set(analysisOf frame: borrowing VideoFrame, _ orientation: ImageOrientation, revision: Int) {
        set("frame-width", frame.info.width)
        set("frame-height", frame.info.height)
        set("pixel-aspect-ratio", fraction: frame.info.pixelAspectRatio)
        set("orientation", orientation.rawValue)
        set("revision", revision)
    }

    /// The fields of a box and of what tells it from others.
    func set(id: Int, box: Rectangle, confidence: Double) {
        set("id", id)
        set("x", box.x)
        set("y", box.y)
        set("width", box.width)
        set("height", box.height)
        set("confidence", confidence)
    }

    /// The field that tells which object of GStreamer's analytics metadata shows the same; none without its library.
    func set(trackOf id: Int, in tracks: RegionTracks) {
        if VideoFrame.hasAnalytics { set("track", identifier: tracks.track(of: id)) }
    }

    /// One array per joint, called as it is: x, y and confidence.
    func set<Name: RawRepresentable<String>>(_ joints: [Joint], of names: [Name]) {
        set("joints", structure: "joints") { fields in
            for (name, joint) in zip(names, joints) {
                fields.set(named: name.rawValue, count: 3) {
                    $0 == 0 ? joint.location.x : $0 == 1 ? joint.location.y : joint.confidence
                }
            }
        }
    }

    /// One array per joint in space, called as it is: x, y and z.
    func set<Name: RawRepresentable<String>>(_ positions: [SIMD3<Double>], of names: [Name]) {
        set("joints-3d", structure: "joints-3d") { fields in
            for (name, position) in zip(names, positions) {
                fields.set(named: name.rawValue, count: 3) { position[$0] }
            }
        }
    }
}

extension StructureReader {
    /// Point `index` of an array of x, y and confidence of one point after the other.
    func point(_ name: String, _ index: Int) -> Joint? {
        guard let x = double(named: name, at: 3 * index), let y = double(named: name, at: 3 * index + 1),
            let confidence = double(named: name, at: 3 * index + 2)
        else { return nil }
        return Joint(location: Point(x: x, y: y), confidence: confidence)
    }
}

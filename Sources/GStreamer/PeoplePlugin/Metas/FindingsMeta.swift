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

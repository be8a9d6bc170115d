import GStreamerKit
import Imaging
import PeopleVision

// What is drawn of the metadata that a frame carries: whatever is there, since it may come from another program's element.

extension PeopleFacesMeta {
    /// Draws the faces that `frame` carries.
    static func draw(_ overlay: FaceOverlay, from frame: borrowing VideoFrame, on image: MutableImageView) {
        guard let fields = frame.read(kind) else { return }
        let orientation = fields.int("orientation").flatMap(ImageOrientation.init(rawValue:)) ?? .up
        fields.forEach("faces") { face in
            guard let box = face.box else { return }
            let landmarks = face.structure("landmarks")
            let tip = FaceLandmarks.indices(of: .noseCrest).count - 1
            let outline = FaceOutline(
                box: box, nose: landmarks?.point(FaceLandmarks.Region.noseCrest.rawValue, tip)?.place,
                roll: face.double("roll") ?? 0, yaw: face.double("yaw") ?? 0,
                pitch: face.double("pitch") ?? 0, anglesAreReliable: face.bool("angles-reliable") ?? false)
            overlay.draw(outline, on: image, orientation: orientation) { region, index in
                landmarks?.point(region.rawValue, index).map(FaceLandmark.init)
            }
        }
    }
}

extension PeopleBodiesMeta {
    /// Draws the people whom `frame` carries.
    static func draw(_ overlay: BodyOverlay, from frame: borrowing VideoFrame, on image: MutableImageView) {
        frame.read(kind)?.forEach("bodies") { body in
            guard let box = body.box else { return }
            let joints = body.structure("joints")
            overlay.draw(box, on: image) { name in
                joints?.point(name.rawValue, 0).map(HumanBodyPoseObservation.Joint.init)
            }
        }
    }
}

extension PeopleHandsMeta {
    /// Draws the hands that `frame` carries.
    static func draw(_ overlay: HandOverlay, from frame: borrowing VideoFrame, on image: MutableImageView) {
        frame.read(kind)?.forEach("hands") { hand in
            guard let box = hand.box else { return }
            let joints = hand.structure("joints")
            let isLeft = hand.string("chirality") == HumanHandPoseObservation.Chirality.left.rawValue
            overlay.draw(box, isLeft ? .left : .right, on: image) { joints?.point($0.rawValue, 0)?.place }
        }
    }
}

/// A point of the metadata: where it is, normalised, and how certain that is.
private typealias Landmark = (place: Point, confidence: Double)

extension StructureReader {
    /// Point `index` of an array of x, y and confidence of one point after the other.
    fileprivate func point(_ name: String, _ index: Int) -> Landmark? {
        guard let x = double(named: name, at: 3 * index), let y = double(named: name, at: 3 * index + 1),
            let confidence = double(named: name, at: 3 * index + 2)
        else { return nil }
        return (Point(x: x, y: y), confidence)
    }
}

extension FaceLandmark {
    fileprivate init(_ point: Landmark) { self.init(position: point.place, confidence: point.confidence) }
}

extension HumanBodyPoseObservation.Joint {
    fileprivate init(_ point: Landmark) { self.init(location: point.place, confidence: point.confidence) }
}

import Framing
import GStreamerKit
import Glibc
import Imaging
import PeopleVision

/// Finds the people of a frame for whom it is cropped in its metadata: faces, bodies and masks, whichever there are.
final class FramePeople {
    /// The people of the last frame, in the upright frame.
    private(set) var people: [FramedPerson] = []
    /// Whether the last frame had metadata about people, even of none.
    private(set) var isInformed = false

    private let row = FloatImage()
    private var view = UprightView(.up, aspectRatio: 1)

    /// Reads the metadata of a frame.
    ///
    /// - Parameter orientation: the orientation of the stream's frames.
    func read(_ frame: borrowing VideoFrame, _ orientation: ImageOrientation) {
        people.removeAll(keepingCapacity: true)
        isInformed = false
        view = UprightView(orientation, aspectRatio: frame.info.displayAspectRatio)
        readLists(frame, orientation)
        readMask(frame, orientation)
    }

    /// The lists that tell where heads are; bodies first, which tell most.
    private static let lists =
        StreamPeople.headLists.filter { $0.kind == .body }
        + StreamPeople.headLists.filter { $0.kind != .body }

    private func readLists(_ frame: borrowing VideoFrame, _ orientation: ImageOrientation) {
        let (info, isCropped) = (frame.info, frame.isCropped)
        for (meta, list, kind) in Self.lists {
            frame.forEach(meta) { fields in
                guard fields.isOfImage(info, isCropped, orientation) else { return }
                isInformed = true
                fields.forEach(list) { entry in
                    guard let part = PersonPart(kind, entry),
                        let head = HeadPlace(part, up: view.up, aspectRatio: info.displayAspectRatio)
                    else { return }
                    add(part, head, entry)
                }
            }
        }
    }

    private func add(_ part: PersonPart, _ head: HeadPlace, _ entry: StructureReader) {
        var person = FramedPerson(
            id: entry.person ?? (part.kind == .body ? part.id : nil), head: view.point(head.center),
            radius: view.length(head.radius), body: part.kind == .body ? view.rectangle(part.box) : nil)
        (person.gaze, person.mouth) = (Self.gaze(entry), mouth(entry))
        guard person.isUsable else { return }
        if let known = people.firstIndex(where: { $0.isSame(as: person) }) {
            (people[known].gaze, people[known].mouth) = (person.gaze, person.mouth)
        } else {
            people.append(person)
        }
    }

    /// Angle of the head at which a person looks aside as far as possible, in radians.
    private static let aside = 0.8

    private static func gaze(_ face: StructureReader) -> Double {
        guard face.bool("angles-reliable") != false, let yaw = face.double("yaw"), yaw.isFinite else {
            return 0
        }
        return min(max(yaw / aside, -1), 1)
    }

    /// Returns the mean distance between the lips of a face, in its heights; nil without landmarks.
    private func mouth(_ face: StructureReader) -> Double? {
        guard let landmarks = face.structure("landmarks"), let box = face.box else { return nil }
        let height = view.rectangle(box).height
        func lip(_ index: Int) -> Point? {
            landmarks.point(FaceLandmarks.Region.innerLips.rawValue, index).map { view.point($0.location) }
        }
        // The upper lip's points are followed by those of the lower lip, in the opposite direction.
        let distances = [(0, 5), (1, 4), (2, 3)].compactMap { upper, lower -> Double? in
            guard let upper = lip(upper), let lower = lip(lower) else { return nil }
            return hypot(upper.x - lower.x, upper.y - lower.y)
        }
        guard distances.count == 3, height > 0 else { return nil }
        return distances.reduce(0, +) / 3 / height
    }

    private func readMask(_ frame: borrowing VideoFrame, _ orientation: ImageOrientation) {
        let limits = PeopleMaskMeta.Limits(oldest: nil, orientation: orientation)
        guard case .success(let mask) = PeopleMaskMeta.newestMask(of: frame, limits) else { return }
        isInformed = true
        guard let instances = mask.instances else {
            if people.isEmpty, let outline = mask.outline(row: row) { add(outline, id: nil) }
            return
        }
        for instance in instances {
            let isKnown = people.contains { $0.id != nil && $0.id == instance.id }
            guard !isKnown, let outline = mask.outline(of: instance, row: row) else { continue }
            add(outline, id: instance.id)
        }
    }

    private func add(_ outline: MaskOutline, id: Int?) {
        let top = view.point(Point(x: outline.top, y: outline.box.y)).x
        let box = view.rectangle(outline.box)
        let person = FramedPerson(id: id, outline: box, top: view.isUpright ? top : box.center.x)
        guard person.isUsable else { return }
        // A face in the outline tells where the head is.
        if let known = people.firstIndex(where: { $0.isIn(person) }) {
            people[known].body = people[known].body ?? person.body
            people[known].id = people[known].id ?? id
        } else {
            people.append(person)
        }
    }
}

extension FramedPerson {
    /// Whether a part that was found belongs to this person: it has the same id, or its head is at the same place.
    fileprivate func isSame(as other: FramedPerson) -> Bool {
        if let id, let otherID = other.id { return id == otherID }
        let (dx, dy) = (head.x - other.head.x, head.y - other.head.y)
        return (dx * dx + dy * dy).squareRoot() < max(radius, other.radius)
    }

    /// Whether the head is in the upper half of another person's outline.
    fileprivate func isIn(_ outline: FramedPerson) -> Bool {
        guard let box = outline.body else { return false }
        return head.x >= box.x && head.x <= box.x + box.width && head.y >= box.y - radius
            && head.y <= box.y + 0.5 * box.height
    }
}

/// The map between a stored frame, normalised to 0...1, and the upright frame in units of its height.
struct UprightView {
    private let toUpright: FrameTransform
    private let swapsAxes: Bool
    private let storedAspect: Double
    /// Width over height of the upright frame.
    let aspect: Double
    /// The upward direction in the stored frame.
    let up: Point
    /// Whether frames are stored upright.
    let isUpright: Bool

    /// Creates the map.
    ///
    /// - Parameter aspectRatio: width over height of the stored frame as displayed.
    init(_ orientation: ImageOrientation, aspectRatio: Double) {
        let toStored = FrameTransform.orientation(orientation)
        toUpright = toStored.inverse ?? .identity
        up = Point(x: -toStored.xy, y: -toStored.yy)
        (swapsAxes, storedAspect) = (orientation.swapsAxes, aspectRatio)
        aspect = orientation.swapsAxes ? 1 / aspectRatio : aspectRatio
        isUpright = orientation == .up
    }

    /// Returns a point of the stored frame in the upright one.
    func point(_ point: Point) -> Point {
        let upright = toUpright.map(point)
        return Point(x: upright.x * aspect, y: upright.y)
    }

    /// Returns a rectangle of the stored frame in the upright one.
    func rectangle(_ rectangle: Rectangle) -> Rectangle {
        let upright = toUpright.map(rectangle)
        return Rectangle(
            x: upright.x * aspect, y: upright.y, width: upright.width * aspect, height: upright.height)
    }

    /// Returns a length in heights of the stored frame in those of the upright one.
    func length(_ length: Double) -> Double { swapsAxes ? length / storedAspect : length }
}

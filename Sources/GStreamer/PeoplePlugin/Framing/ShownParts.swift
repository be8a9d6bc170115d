import Framing
import Imaging
import PeopleVision

/// The parts of a stored frame that the output shows: one, or two in its halves.
struct ShownParts: Sendable, Equatable {
    /// A part, and the place where it is shown, as fractions of the stored frame and output.
    struct Pane: Sendable, Equatable {
        let part: Rectangle
        var place = Rectangle.unit
    }

    /// The whole frame.
    static let whole = ShownParts(first: Pane(part: .unit))

    let first: Pane
    var second: Pane?

    /// One part; `shot` is in the upright frame.
    init(_ shot: Shot, in space: ShotSpace, _ orientation: ImageOrientation) {
        let upright = space.crop(shot)
        first = Pane(part: upright == .unit ? .unit : FrameTransform.orientation(orientation).map(upright))
    }

    /// Two parts in the halves of the output.
    init(_ shots: (first: Shot, second: Shot), in screen: SplitScreen, _ orientation: ImageOrientation) {
        let (stored, halves) = (FrameTransform.orientation(orientation), screen.halves)
        first = Pane(part: stored.map(screen.half.crop(shots.first)), place: stored.map(halves.first))
        second = Pane(part: stored.map(screen.half.crop(shots.second)), place: stored.map(halves.second))
    }

    private init(first: Pane) { self.first = first }

    /// Returns the point of the frame that a point of the output shows.
    func inputPoint(of point: Point) -> Point {
        let pane = second.flatMap { $0.place.covers(point) ? $0 : nil } ?? first
        let inside = FrameTransform.crop(pane.place).inverse?.map(point) ?? point
        return FrameTransform.crop(pane.part).map(inside)
    }
}

/// Scales the parts of frames that the output shows.
final class PartScaler {
    private let first = ImageScaler()
    private let second = ImageScaler()

    /// Fills the output; returns whether it shows two parts, which an output of few pixels cannot.
    func scale(_ parts: ShownParts, of image: ImageView, into target: MutableImageView) -> Bool {
        guard let other = parts.second, let (upper, lower) = Self.halves(parts.first, other, of: target)
        else {
            first.scale(parts.first.part, of: image, into: target)
            return false
        }
        first.scale(parts.first.part, of: image, into: upper)
        second.scale(other.part, of: image, into: lower)
        return true
    }

    private static func halves(
        _ one: ShownParts.Pane, _ other: ShownParts.Pane, of target: MutableImageView
    ) -> (MutableImageView, MutableImageView)? {
        func half(_ place: Rectangle) -> MutableImageView? {
            SplitScreen.pixels(of: place, width: target.width, height: target.height).flatMap(target.part)
        }
        return half(one.place).flatMap { first in half(other.place).map { (first, $0) } }
    }
}

package import Imaging

/// The shot of a frame as it would be if the frame stood by itself.
package struct WantedShot: Sendable, Equatable {
    /// The shot, inside of the frame.
    package var shot: Shot
    /// The box that the output should contain, in heights of the frame: the heads.
    package var heads: Rectangle
    /// The part of that box that the output must contain: the head of the one who is followed.
    package var first: Rectangle
    /// The direction in which the person looks: -1 to the left, 1 to the right.
    package var gaze = 0.0

    /// Creates a shot.
    ///
    /// - Parameter first: the head of the one who is followed; nil if that is the only one.
    package init(shot: Shot, heads: Rectangle, first: Rectangle? = nil, gaze: Double = 0) {
        (self.shot, self.heads, self.first, self.gaze) = (shot, heads, first ?? heads, gaze)
    }

    /// Composes the shot of some people; nil if there is nobody.
    ///
    /// - Parameter people: the one who must be shown, and others, of whom those are shown whose heads fit beside.
    package init?(of people: [FramedPerson], _ settings: ShotSettings, in space: ShotSpace) {
        guard let first = people.first else { return nil }
        var (region, heads) = (Box(first.region(settings.framing)), Box(first.headBox))
        let largest = Size(width: space.largestHeight * space.outputAspect, height: space.largestHeight)
        for person in people.dropFirst().sorted(by: {
            $0.distance(to: first.head) < $1.distance(to: first.head)
        }) {
            var more = heads
            more.include(person.headBox)
            guard more.right - more.left <= largest.width, more.bottom - more.top <= largest.height else {
                continue
            }
            region.include(person.region(settings.framing))
            heads = more
        }
        let around = region.rectangle
        let wanted = max(around.height, around.width / space.outputAspect) * (1 + 2 * max(0, settings.margin))
        let extent = max(heads.bottom - heads.top, (heads.right - heads.left) / space.outputAspect)
        let allowed = max(1 / max(1, settings.smallestZoom), extent)
        let height = min(max(wanted, 1 / max(1, settings.largestZoom)), allowed, space.largestHeight)
        // Space that is left over stands above and below the region as that inside of it stands around the heads.
        let anchor = (heads.top + heads.bottom) / 2
        let share = people.count == 1 ? (anchor - region.top) / max(around.height, 1e-6) : 0.4
        let center =
            people.count == 1
            ? anchor + (0.5 - share) * height : anchor + (0.5 - share) * min(height, around.height)
        let shot = Shot(x: around.center.x, y: center, height: height)
        self.init(
            shot: space.inside(shot), heads: heads.rectangle, first: Box(first.headBox).rectangle,
            gaze: people.count == 1 ? first.gaze : 0)
    }
}

extension Shot {
    /// Whether the shot contains a box.
    func contains(_ rectangle: Rectangle, aspect: Double) -> Bool {
        let (part, box) = (Box(self.rectangle(aspect: aspect)), Box(rectangle))
        return part.left <= box.left && box.right <= part.right && part.top <= box.top
            && box.bottom <= part.bottom
    }
}

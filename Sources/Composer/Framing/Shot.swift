package import Imaging

/// The part of a frame that the output shows: its centre and height, in heights of the displayed frame.
///
/// The origin is the frame's upper left corner. The width follows from the output's aspect ratio.
package struct Shot: Sendable, Equatable {
    /// The centre's distance from the frame's left edge.
    package var x: Double
    /// The centre's distance from the frame's upper edge.
    package var y: Double
    /// The height of the part.
    package var height: Double

    /// Creates the shot of a height around a point.
    package init(x: Double, y: Double, height: Double) { (self.x, self.y, self.height) = (x, y, height) }

    /// Returns the part's rectangle in heights of the frame.
    package func rectangle(aspect: Double) -> Rectangle {
        let width = height * aspect
        return Rectangle(x: x - width / 2, y: y - height / 2, width: width, height: height)
    }
}

// MARK: - Arithmetic of paths

extension Shot {
    /// The shot as a point in space.
    var vector: SIMD3<Double> { SIMD3(x, y, height) }

    init(_ vector: SIMD3<Double>) { self.init(x: vector.x, y: vector.y, height: vector.z) }
}

/// The frame that shots are parts of, and the shape of the output.
///
/// The shots inside of a frame are a convex set: a mean of such shots is one, too.
package struct ShotSpace: Sendable, Equatable {
    /// Width over height of the displayed frame.
    package let frameAspect: Double
    /// Width over height of the displayed output.
    package let outputAspect: Double

    /// Creates a space; shapes that are not those of images are replaced by squares.
    package init(frameAspect: Double, outputAspect: Double) {
        let shapes = 1e-5...1e5
        self.frameAspect = shapes.contains(frameAspect) ? frameAspect : 1
        self.outputAspect = shapes.contains(outputAspect) ? outputAspect : self.frameAspect
    }

    /// The height of the largest shot.
    package var largestHeight: Double { min(1, frameAspect / outputAspect) }

    /// The largest shot, in the middle of the frame.
    package var widest: Shot { Shot(x: frameAspect / 2, y: 0.5, height: largestHeight) }

    /// Returns the shot inside of the frame that is nearest to `shot`, of its height if possible.
    package func inside(_ shot: Shot) -> Shot {
        let height = min(max(shot.height, 1e-3), largestHeight)
        let (halfWidth, halfHeight) = (height * outputAspect / 2, height / 2)
        return Shot(
            x: limited(shot.x, halfWidth, frameAspect - halfWidth),
            y: limited(shot.y, halfHeight, 1 - halfHeight),
            height: height)
    }

    /// Returns a rectangle in heights of the frame, normalised to 0...1 of it.
    package func normalised(_ rectangle: Rectangle) -> Rectangle {
        Rectangle(
            x: rectangle.x / frameAspect, y: rectangle.y, width: rectangle.width / frameAspect,
            height: rectangle.height)
    }

    /// Returns a rectangle that is normalised to 0...1 of the frame, in heights of it.
    package func inHeights(_ rectangle: Rectangle) -> Rectangle {
        Rectangle(
            x: rectangle.x * frameAspect, y: rectangle.y, width: rectangle.width * frameAspect,
            height: rectangle.height)
    }

    /// Returns the shot of a rectangle that is normalised to 0...1 of the frame.
    package func shot(of crop: Rectangle) -> Shot {
        Shot(x: crop.center.x * frameAspect, y: crop.center.y, height: crop.height)
    }

    /// Returns the shot's rectangle, normalised to 0...1 of the frame.
    package func crop(_ shot: Shot) -> Rectangle {
        let part = inside(shot).rectangle(aspect: outputAspect)
        return Rectangle(
            x: max(0, part.x / frameAspect), y: max(0, part.y), width: min(1, part.width / frameAspect),
            height: min(1, part.height))
    }
}

/// Returns the number between two that is nearest to `value`; the middle if `value` is none, or `low` is above `high`.
func limited(_ value: Double, _ low: Double, _ high: Double) -> Double {
    guard low <= high, value.isFinite else { return (low + high) / 2 }
    return min(max(value, low), high)
}

/// The wishes of a user about what the output shows, and how it moves.
package struct ShotSettings: Sendable, Equatable {
    /// The part of the people that is shown.
    package var framing = FramingChoice.headAndShoulders
    /// The largest magnification.
    package var largestZoom = 4.0
    /// The smallest magnification, if the heads fit.
    package var smallestZoom = 1.0
    /// The space around the people beyond what belongs to the framing, in shares of the output's height.
    package var margin = 0.0
    /// The speed of the motion; 1 is calm.
    package var speed = 1.0
    /// The room in the direction in which a person looks or moves, 0 to 1.
    package var lead = 0.3
    /// The behaviour while nobody is seen.
    package var lost = LostChoice.wide

    /// Creates the usual settings.
    package init() {}
}

/// The behaviour while nobody is seen.
package enum LostChoice: String, CaseIterable, Sendable {
    /// The output stays where it is.
    case hold
    /// The output stays for some seconds, and then slowly widens.
    case wide
}

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

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

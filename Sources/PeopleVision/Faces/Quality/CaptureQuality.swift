import Glibc

/// How well a face was captured: what counts, and how much.
///
/// Each share is 1 for a good portrait and falls steadily towards 0; the quality is their product, so that
/// one fault is enough to spoil a picture.
package struct CaptureQuality {
    /// From the sharpest edges: a blurred face has none.
    package var sharpness = 1.0
    /// From the noise of the skin.
    package var cleanness = 1.0
    /// From the mean brightness and what is clipped.
    package var exposure = 1.0
    /// From the spread of the brightness.
    package var contrast = 1.0
    /// From the pixels that the face covers.
    package var size = 1.0
    /// From the angles.
    package var pose = 1.0
    /// From how much of the skin is seen, and not a cup or a scarf in front of it.
    package var visibility = 1.0
    /// From how sure the model is that there is a face.
    package var certainty = 1.0
    /// From the eyes, which should be open, and the mouth, which should be at rest.
    package var expression = 1.0

    package init() {}

    /// 0...1.
    package var value: Double {
        sharpness * cleanness * exposure * contrast * size * pose * visibility * certainty
            * expression
    }
}

extension CaptureQuality {
    /// What a clean portrait shows of noise.
    private static let pores = 0.004

    package mutating func judge(_ surface: FaceSurface) {
        sharpness = Self.rising(surface.edges / max(surface.contrast, 0.02), half: 0.35)
        cleanness = 1 / (1 + max(0, surface.noise - Self.pores) / 0.03)
        let middle = (surface.brightness - 0.55) / 0.38
        exposure = exp(-middle * middle * middle * middle) * exp(-4 * surface.clipped)
        contrast = Self.rising(surface.contrast, half: 0.03)
    }

    /// - Parameters:
    ///   - side: of the face, in pixels.
    ///   - angles: roll, yaw and pitch in radians.
    package mutating func judge(side: Double, _ pose: HeadPose) {
        size = Self.rising(side, half: 30)
        let turn = pose.yaw * pose.yaw + pose.pitch * pose.pitch + 0.25 * pose.roll * pose.roll
        self.pose = exp(-turn / (2 * Self.usualTurn * Self.usualTurn))
    }

    /// 25 degrees.
    private static let usualTurn = 0.44

    /// - Parameter visibleSkin: share of the skin that is seen.
    package mutating func judge(visibleSkin: Double) { visibility = visibleSkin * visibleSkin }

    package mutating func judge(presence: Double, eyesShut: Double, grimace: Double) {
        certainty = presence * presence
        expression = (1 - 0.9 * min(max(eyesShut, 0), 1)) * (1 - 0.4 * min(max(grimace, 0), 1))
    }

    /// 0 at 0, a half at `half`, towards 1.
    private static func rising(_ value: Double, half: Double) -> Double {
        let square = value * value
        return square / (square + half * half)
    }
}

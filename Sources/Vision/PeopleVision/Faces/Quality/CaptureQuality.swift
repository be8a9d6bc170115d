import Glibc
import Imaging
import Inference

/// The quality of a face's capture.
///
/// Each factor is 1 for a good portrait and falls steadily towards 0; the quality is their product, so that
/// one fault is enough to spoil a portrait.
package struct CaptureQuality {
    /// Factor from the steepness of the sharpest edges.
    package var sharpness = 1.0
    /// Factor from the noise of the skin.
    package var cleanness = 1.0
    /// Factor from the mean brightness and the share of clipped pixels.
    package var exposure = 1.0
    /// Factor from the spread of the brightness.
    package var contrast = 1.0
    /// Factor from the side of the face in pixels.
    package var size = 1.0
    /// Factor from the angles.
    package var pose = 1.0
    /// Factor from the share of the skin that is not hidden, by a cup or a scarf for example.
    package var visibility = 1.0
    /// Factor from the model's certainty that there is a face.
    package var certainty = 1.0
    /// Factor from the eyes, which should be open, and the mouth, which should be at rest.
    package var expression = 1.0

    package init() {}

    /// The quality, 0...1.
    package var value: Double {
        sharpness * cleanness * exposure * contrast * size * pose * visibility * certainty
            * expression
    }
}

extension CaptureQuality {
    /// Edge steepness relative to contrast, per pixel, at which `sharpness` is a half.
    private static let halfSharpness = 0.35
    /// Contrast, 0...1, below which steepness is not divided by it, because noise would count as edges.
    private static let minimumContrast = 0.02
    /// Contribution of the texture of skin to the noise of a clean portrait, 0...1.
    private static let skinNoise = 0.004
    /// Noise beyond `skinNoise`, 0...1, at which `cleanness` is a half.
    private static let halfNoise = 0.03
    /// Brightness of a well lit face, 0...1.
    private static let goodBrightness = 0.55
    /// Distance from `goodBrightness`, 0...1, at which `exposure` has fallen to about a third (1 / e).
    private static let brightnessRange = 0.38
    /// Rate at which `exposure` falls exponentially with the share of clipped pixels.
    private static let clippingFall = 4.0
    /// Standard deviation of the brightness, 0...1, at which `contrast` is a half.
    private static let halfContrast = 0.03
    /// Side of a face in pixels at which `size` is a half.
    private static let halfSide = 30.0
    /// Standard deviation of the normal curve by which `pose` falls with the angle: 25 degrees, in radians.
    private static let poseRange = 0.44
    /// Weight of roll squared relative to yaw and pitch: a tilted face is still seen from the front.
    private static let rollWeight = 0.25
    /// Reduction of `expression` by shut eyes, 0...1.
    private static let eyesWeight = 0.9
    /// Reduction of `expression` by a grimace, 0...1.
    private static let grimaceWeight = 0.4

    /// Sets sharpness, cleanness, exposure and contrast.
    package mutating func rate(_ surface: FaceSurface) {
        sharpness = Self.rising(
            surface.edges / max(surface.contrast, Self.minimumContrast), half: Self.halfSharpness)
        cleanness = 1 / (1 + max(0, surface.noise - Self.skinNoise) / Self.halfNoise)
        let middle = (surface.brightness - Self.goodBrightness) / Self.brightnessRange
        exposure = exp(-middle * middle * middle * middle) * exp(-Self.clippingFall * surface.clipped)
        contrast = Self.rising(surface.contrast, half: Self.halfContrast)
    }

    /// Sets size and pose.
    ///
    /// - Parameters:
    ///   - side: side of the face, in pixels.
    ///   - pose: angles of the face.
    package mutating func rate(side: Double, _ pose: HeadPose) {
        size = Self.rising(side, half: Self.halfSide)
        let turn = pose.yaw * pose.yaw + pose.pitch * pose.pitch + Self.rollWeight * pose.roll * pose.roll
        self.pose = exp(-turn / (2 * Self.poseRange * Self.poseRange))
    }

    /// Sets the visibility.
    ///
    /// - Parameter visibleSkin: share of the skin that is not hidden, 0...1.
    package mutating func rate(visibleSkin: Double) { visibility = visibleSkin * visibleSkin }

    /// Sets certainty and expression.
    ///
    /// - Parameters:
    ///   - presence: certainty that there is a face, 0...1.
    ///   - eyesShut: degree to which the eyes are shut, 0...1.
    ///   - grimace: degree to which the rest of the face is not at rest, 0...1.
    package mutating func rate(presence: Double, eyesShut: Double, grimace: Double) {
        certainty = presence * presence
        expression =
            (1 - Self.eyesWeight * min(max(eyesShut, 0), 1))
            * (1 - Self.grimaceWeight * min(max(grimace, 0), 1))
    }

    /// Returns a value that rises from 0 at 0, by a half at `half`, towards 1.
    private static func rising(_ value: Double, half: Double) -> Double {
        let square = value * value
        return square / (square + half * half)
    }
}

/// Rates the quality of a face's capture.
final class CaptureRater {
    private let expression: FaceExpression
    private let sampler: TensorSampler
    private var surface = FaceSurface()
    private var occlusion = OcclusionEstimate()
    /// The colours of the face, red, green and blue in turn.
    private let colors = FloatImage()
    private let luma = FloatImage()

    /// Side in pixels of the square in which a face is measured: about that of a face in a portrait of usual
    /// size.
    private static let side = 96
    private static let input = TensorInput(width: side, height: side, filter: .area, border: .replicate)

    init(_ setup: ModelSetup) throws(VisionError) {
        expression = try FaceExpression(setup)
        do throws(SamplingError) {
            sampler = try TensorSampler(Self.input)
        } catch { throw .sampling(error.description) }
        colors.resize(width: 3 * Self.side, height: Self.side)
        luma.resize(width: Self.side, height: Self.side)
    }

    /// Rates a face.
    ///
    /// - Returns: the quality, 0...1; nil when the face cannot be measured.
    func rate(
        _ face: AlignedFace, _ fit: PoseFitter.Fit?, in frame: UprightFrame
    ) throws(VisionError) -> Double? {
        let crop = face.mesh.crop(scale: 1)
        guard let fit, crop.isUsable, try expression.read(face.mesh.points) else { return nil }
        do throws(SamplingError) {
            try sampler.sample(frame.image, region: frame.region(of: crop), into: colors.values)
        } catch { throw .sampling(error.description) }
        luma.fill(brightnessOf: UnsafeBufferPointer(colors.values), in: Self.input)
        surface.measure(UnsafeBufferPointer(luma.values), side: Self.side)
        var quality = CaptureQuality()
        quality.rate(surface)
        quality.rate(side: crop.side, HeadPose(fit.rotation))
        quality.rate(visibleSkin: visibleSkin(of: face.mesh, in: crop))
        quality.rate(
            presence: face.presence, eyesShut: expression.eyesShut, grimace: expression.grimace)
        return quality.value
    }

    private func visibleSkin(of mesh: FaceMesh, in crop: RotatedSquare) -> Double {
        let colors = colors.values
        occlusion.begin()
        for index in OcclusionEstimate.points where mesh.points.indices.contains(index) {
            let place = crop.unit(Point(x: mesh.points[index].x, y: mesh.points[index].y))
            let (column, row) = (Self.pixel(place.x), Self.pixel(place.y))
            let color = 3 * (row * Self.side + column)
            occlusion.add(red: colors[color], green: colors[color + 1], blue: colors[color + 2])
        }
        return occlusion.visibleShare()
    }

    private static func pixel(_ position: Double) -> Int {
        Int(min(max(position * Double(side), 0), Double(side - 1)))
    }
}

/// Reads a face's expression from its mesh: 52 coefficients, of which some matter for a portrait.
package final class FaceExpression {
    private let request: InferenceRequest
    private let points: [Int]
    private let names: [String]
    private let blinks: [Int]
    private let grimaces: [Int]

    /// Degree to which the eyes are shut, 0...1: a weighted mean, in which the more closed eye has 0.75.
    package private(set) var eyesShut = 0.0
    /// Degree of other deviations from a face at rest, 0...1: mouth open, lips pursed, nose wrinkled.
    package private(set) var grimace = 0.0

    /// Coefficients of a grimace; smiles and raised brows do not count.
    private static let unwanted = [
        "jawOpen", "jawLeft", "jawRight", "mouthFunnel", "mouthPucker", "mouthLeft", "mouthRight",
        "noseSneerLeft", "noseSneerRight", "cheekPuff",
    ]

    /// Weight of the more closed eye: one shut eye spoils a portrait nearly as much as two.
    private static let closedWeight = 0.75

    package init(_ setup: ModelSetup) throws(VisionError) {
        let info = try setup.find("face_blendshapes")
        request = try setup.load(info)
        let facts = info.facts["blendshapes"]
        points = facts?["points"]?.array?.compactMap(\.integer) ?? []
        names = facts?["categories"]?.array?.map { $0.string ?? "" } ?? []
        let names = names
        blinks = ["eyeBlinkLeft", "eyeBlinkRight"].compactMap(names.firstIndex)
        grimaces = Self.unwanted.compactMap(names.firstIndex)
        guard !points.isEmpty, request.input.count == 2 * points.count, blinks.count == 2,
            points.allSatisfy({ (0..<10000).contains($0) })
        else { throw request.unsupported("its description does not say how its outputs are read") }
        _ = try request.output(0, count: names.count)
    }

    /// Reads a mesh in any unit of length that is the same in x and y.
    ///
    /// - Returns: false when the mesh lacks points, such as the irises, or a result is not finite; `eyesShut`
    ///   and `grimace` are then undefined.
    package func read(_ mesh: [SIMD3<Double>]) throws(VisionError) -> Bool {
        guard points.allSatisfy(mesh.indices.contains) else { return false }
        for (place, index) in points.enumerated() {
            request.input[2 * place] = Float(mesh[index].x)
            request.input[2 * place + 1] = Float(mesh[index].y)
        }
        try request.infer()
        let values = try request.output(0, count: names.count)
        let (one, other) = (Double(values[blinks[0]]), Double(values[blinks[1]]))
        eyesShut = Self.closedWeight * max(one, other) + (1 - Self.closedWeight) * min(one, other)
        grimace = Double(grimaces.lazy.map { values[$0] }.max() ?? 0)
        return eyesShut.isFinite && grimace.isFinite
    }
}

/// Estimates the hidden share of a face from colours: things in front of a face usually differ from skin in
/// hue.
package struct OcclusionEstimate {
    /// Points of the mesh that lie on skin in every face: forehead, cheeks, nose, lip, chin.
    package static let points = [
        10, 67, 109, 151, 338, 297, 69, 299, 50, 101, 118, 205, 187, 147, 280, 330, 347, 425, 411, 376, 5,
        195, 197, 164, 167, 393, 199, 200, 175, 171, 396, 210, 430, 138, 367,
    ]
    /// Difference up to which a hue is that of the skin, in shadows too, relative to the skin's own distance
    /// from grey.
    private static let sameHue = 0.75
    /// Difference from which a hue is not that of the skin, in the same unit.
    private static let otherHue = 1.05
    /// Distance from grey, in shares of red and green, below which the image has no colours.
    private static let minimumColor = 0.01
    /// The sum of red, green and blue, each 0...1, below which a hue is mostly noise.
    private static let darkest: Float = 0.1
    /// The largest component, 0...1, from which on it may be clipped and the hue wrong.
    private static let brightest: Float = 0.98
    /// Minimum number of points with a hue that the median needs.
    private static let fewest = 4

    private var reds: [Double] = []
    private var greens: [Double] = []
    private var sorted: [Double] = []

    package init() {}

    /// Forgets all colours.
    package mutating func begin() {
        reds.removeAll(keepingCapacity: true)
        greens.removeAll(keepingCapacity: true)
    }

    /// Adds the colour at one of the points, each component 0...1.
    package mutating func add(red: Float, green: Float, blue: Float) {
        let sum = red + green + blue
        guard sum.isFinite, sum > Self.darkest, max(red, green, blue) < Self.brightest else { return }
        reds.append(Double(red / sum))
        greens.append(Double(green / sum))
    }

    /// Returns the share of the points that have the skin's hue, which is their median, 0...1.
    package mutating func visibleShare() -> Double {
        guard reds.count >= Self.fewest else { return 0 }
        let (red, green) = (median(of: reds), median(of: greens))
        let color = hypot(red - 1.0 / 3, green - 1.0 / 3)
        guard color > Self.minimumColor else { return 1 }
        var hidden = 0.0
        for (oneRed, oneGreen) in zip(reds, greens) {
            let distance = hypot(oneRed - red, oneGreen - green) / color
            hidden += min(max((distance - Self.sameHue) / (Self.otherHue - Self.sameHue), 0), 1)
        }
        return 1 - hidden / Double(reds.count)
    }

    private mutating func median(of values: [Double]) -> Double {
        sorted.removeAll(keepingCapacity: true)
        sorted.append(contentsOf: values)
        sorted.sort()
        return sorted[sorted.count / 2]
    }
}

import Imaging

/// Rates how well a face was captured.
final class CaptureRater {
    private let expression: FaceExpression
    private let sampler: TensorSampler
    private var surface = FaceSurface()
    private var occlusion = OcclusionEstimate()
    /// The face in colours, red, green and blue in turn.
    private let colors = FloatImage()
    private let luma = FloatImage()

    /// Side in pixels of the square that a face is measured in: about that of a face in a portrait of usual size.
    private static let side = 96
    private static let input = TensorInput(width: side, height: side, filter: .area, border: .replicate)

    init(_ setup: ModelSetup) throws(VisionError) {
        expression = try FaceExpression(setup)
        do throws(SamplingError) { sampler = try TensorSampler(Self.input) } catch { throw .sampling(error) }
        colors.resize(width: 3 * Self.side, height: Self.side)
        luma.resize(width: Self.side, height: Self.side)
    }

    /// - Returns: 0...1; nil when the face cannot be measured.
    func rate(
        _ face: AlignedFace, _ fit: PoseFitter.Fit?, in frame: UprightFrame
    ) throws(VisionError) -> Double? {
        let crop = face.mesh.crop(scale: 1)
        guard let fit, crop.isUsable, try expression.read(face.mesh.points) else { return nil }
        do throws(SamplingError) {
            try sampler.sample(frame.image, region: frame.region(of: crop), into: colors.values)
        } catch { throw .sampling(error) }
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

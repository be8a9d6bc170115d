import Imaging

/// Rates how well a face was captured.
final class CaptureRater {
    private let expression: FaceExpression
    private let sampler: TensorSampler
    private var surface = FaceSurface()
    private var occlusion = OcclusionEstimate()
    private let colors: UnsafeMutableBufferPointer<Float>
    private let grey: UnsafeMutableBufferPointer<Float>

    /// Side in pixels of the square that a face is measured in: about what a portrait of usual size holds.
    private static let side = 96

    init(_ setup: ModelSetup) throws(VisionError) {
        expression = try FaceExpression(setup)
        do throws(SamplingError) {
            sampler = try TensorSampler(
                TensorInput(width: Self.side, height: Self.side, filter: .area, border: .replicate))
        } catch { throw .sampling(error) }
        colors = .allocate(capacity: 3 * Self.side * Self.side)
        grey = .allocate(capacity: Self.side * Self.side)
        colors.initialize(repeating: 0)
        grey.initialize(repeating: 0)
    }

    deinit {
        colors.deallocate()
        grey.deallocate()
    }

    /// - Returns: 0...1; nil when the face cannot be measured.
    func rate(
        _ face: AlignedFace, _ fit: PoseFitter.Fit?, in frame: UprightFrame
    ) throws(VisionError) -> Double? {
        let crop = face.mesh.crop(scale: 1)
        guard let fit, crop.isUsable, try expression.read(face.mesh.points) else { return nil }
        do throws(SamplingError) {
            try sampler.sample(frame.image, region: frame.region(of: crop), into: colors)
        } catch { throw .sampling(error) }
        for place in 0..<grey.count {
            grey[place] =
                0.299 * colors[3 * place] + 0.587 * colors[3 * place + 1] + 0.114 * colors[3 * place + 2]
        }
        surface.measure(UnsafeBufferPointer(grey), side: Self.side)
        var quality = CaptureQuality()
        quality.judge(surface)
        quality.judge(side: crop.side, HeadPose(fit.rotation))
        quality.judge(visibleSkin: visibleSkin(of: face.mesh, in: crop))
        quality.judge(
            presence: face.presence, eyesShut: expression.eyesShut, grimace: expression.grimace)
        return quality.value
    }

    private func visibleSkin(of mesh: FaceMesh, in crop: RotatedSquare) -> Double {
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

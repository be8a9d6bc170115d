import CommandKit
import Composer
import Framing
import Imaging
import PeopleVision

/// The main subjects of scenes in which nobody is seen.
///
/// A scene is looked at once a second, as a photo that is cropped: what stands out is in the middle.
struct SceneSubjects {
    /// Width of the pictures in which subjects are looked for, in pixels: twice that of the model.
    private static let width = 640

    private let job: Job
    private let space: ShotSpace

    init(of job: Job, in space: ShotSpace) { (self.job, self.space) = (job, space) }

    /// Adds the shots of the main subjects of scenes without any wanted shot.
    ///
    /// - Parameters:
    ///   - wanted: the wanted shot of each frame; nil where nobody is seen.
    ///   - times: the frames', in nanoseconds.
    ///   - rate: frames per second.
    func add(
        to wanted: inout [WantedShot?], _ scenes: [Range<Int>], _ times: [UInt64], rate: Double
    ) throws(ToolError) {
        // A shot that is the whole frame has no place.
        guard abs(space.frameAspect / space.outputAspect - 1) > 0.01 else { return }
        let step = max(1, Int(min(max(rate, 1), 1000).rounded()))
        let empty = scenes.filter { scene in wanted[scene].allSatisfy { $0 == nil } }
        let frames = empty.flatMap { scene in
            scene.count <= step
                ? [scene.lowerBound + scene.count / 2]
                : Array(stride(from: scene.lowerBound + step / 2, to: scene.upperBound, by: step))
        }
        let height = 2 * Int(min(max((Double(Self.width) / space.frameAspect / 2).rounded(), 8), 1280))
        var found: [WantedShot?] = []
        try SampledFrames.read(job, at: frames.map { times[$0] }, width: Self.width, height: height) {
            (_, picture) throws(ToolError) in found.append(try shot(of: picture))
        }
        for (frame, shot) in zip(frames, found) { wanted[frame] = shot }
    }

    /// Returns the largest shot around what stands out in a picture.
    private func shot(of picture: PackedPixels) throws(ToolError) -> WantedShot? {
        var picture = picture
        let shape = AspectRatio(space.outputAspect)
        let crop = picture.withImage { image in
            Result { () throws(VisionError) in
                try AutoCrop.crop(ImageView(image), to: shape, FrameMasks())
            }
        }
        do throws(VisionError) {
            guard let crop = try crop?.get() else { return nil }
            let (width, height) = (Double(picture.width), Double(picture.height))
            var shot = space.shot(
                of: Rectangle(
                    x: Double(crop.left) / width, y: Double(crop.top) / height,
                    width: 1 - Double(crop.left + crop.right) / width,
                    height: 1 - Double(crop.top + crop.bottom) / height))
            shot.height = space.largestHeight
            shot = space.inside(shot)
            return WantedShot(shot: shot, heads: Rectangle(x: shot.x, y: shot.y, width: 0, height: 0))
        } catch { throw ToolError(.failed, "\(job.input): \(error.description)") }
    }
}

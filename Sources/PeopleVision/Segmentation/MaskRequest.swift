public import Imaging

/// A request for masks, which are written where the caller wants them.
///
/// One request per stream. `perform` makes new masks; for streams `find` leaves it to the caller which masks are written,
/// and where to.
public protocol MaskRequest: VisionRequest {
    /// The masks of the last frame.
    var masks: InstanceMasks { get }

    /// Size and format of the masks of a `width` x `height` image, in its stored orientation.
    func maskLayout(width: Int, height: Int, orientation: ImageOrientation) -> MaskLayout
    /// Finds the models' files without loading them.
    func checkModels() throws(VisionError)
    /// Loads the models for images of this size, so that the first one does not wait for them.
    func prepare(width: Int, height: Int, orientation: ImageOrientation) throws(VisionError)
    /// Analyses `frame`, whose masks can be written until the next one.
    ///
    /// - Returns: the instances that have labels of their own, in the order of their labels.
    func find(in frame: InputFrame) throws(VisionError) -> [MaskInstance]
    /// Forgets the frames before: the next one does not follow them, and its instances get other ids.
    func reset()
    /// Releases the loaded models, and forgets the frames before.
    func unload()
}

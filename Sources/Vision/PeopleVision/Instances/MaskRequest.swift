public import Imaging

/// A request for masks, which are written to memory that the caller chooses.
///
/// One request per stream. `perform` makes new masks. For streams, use `find`: the caller then chooses which
/// masks are written, and where to.
public protocol MaskRequest: VisionRequest {
    /// Returns size and format of the masks of a `width` x `height` image, in its stored orientation.
    func maskLayout(width: Int, height: Int, orientation: ImageOrientation) -> MaskLayout
    /// Finds the models' files without loading them.
    func checkModels() throws(VisionError)
    /// Loads the models for images of this size, so that the first one does not wait for them.
    func prepare(width: Int, height: Int, orientation: ImageOrientation) throws(VisionError)
    /// Analyses a frame of a stream before its turn, so that its mask can correct the masks of the frames
    /// before it.
    ///
    /// Frames are given in their order, each once and before it is given to `find` or `perform`; one or two
    /// frames ahead count. Without this call, masks are not corrected by later frames.
    func lookAhead(to frame: InputFrame) throws(VisionError)
    /// Analyses `frame`; its masks can be written until the next call.
    func find(in frame: InputFrame) throws(VisionError) -> InstanceMasks
    /// Forgets the frames before: the next one starts a new stream, and its instances get other ids.
    func reset()
    /// Releases the loaded models, and forgets the frames before.
    func unload()
}

extension MaskRequest {
    /// Loads the models on a thread of the library, for images of this size.
    ///
    /// - Parameters:
    ///   - width: width of the stored images in pixels.
    ///   - height: their height.
    ///   - orientation: rotation or reflection that makes them upright.
    ///   - isolation: the actor of the caller.
    public func prepare(
        width: Int, height: Int, orientation: ImageOrientation = .up,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(VisionError) {
        try await runOnLibraryThread(of: self, isolation) { () throws(VisionError) in
            try self.prepare(width: width, height: height, orientation: orientation)
        }
    }
}

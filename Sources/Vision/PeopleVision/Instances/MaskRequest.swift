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

/// A request that finds instances of an image, people or other subjects, each with a mask of its own.
///
/// Instances keep their `id` through a stream.
public protocol InstanceMaskRequest: MaskRequest where Observation == InstanceMaskObservation {}

/// The treatment of instances beyond the maximum number of masks.
public enum InstanceOverflow: String, CaseIterable, Sendable {
    /// They share one more label.
    case merge
    /// They are background in the label map, and have no mask.
    case background
}

extension InstanceMaskRequest {
    /// The possible numbers of instances with masks of their own.
    public static var possibleInstances: ClosedRange<Int> { 1...12 }

    /// Returns `maximum` and `overflow` as limits of the separation.
    static func limits(_ maximum: Int, _ overflow: InstanceOverflow) -> InstanceSeparator.Limits {
        let possible = possibleInstances
        return InstanceSeparator.Limits(
            maximumCount: min(max(maximum, possible.lowerBound), possible.upperBound), overflow: overflow)
    }
}

extension InstanceMaskObservation {
    /// Copies the masks of a frame.
    init(_ found: InstanceMasks) throws(VisionError) {
        let mask = try Mask.make(found.layout, found.writeMask)
        let labels = try Mask.make(found.layout.labels, found.writeLabels)
        var parts: [Mask] = []
        for label in 1..<(1 + found.instances.count + (found.crowdLabel == nil ? 0 : 1)) {
            let part = try Mask.make(found.layout) { part throws(VisionError) in
                try found.writeMask(of: label, into: part)
            }
            parts.append(part)
        }
        self.init(
            mask: mask, labels: labels, instances: found.instances, crowdLabel: found.crowdLabel,
            totalCount: found.totalCount, revision: found.revision, masks: parts)
    }
}

extension MaskLayout {
    /// The layout of the label map beside masks of this layout.
    package var labels: MaskLayout { MaskLayout(width: width, height: height, format: .gray8) }
}

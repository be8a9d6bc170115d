package import Imaging

/// The sizes for frames of one size; all of them are upright.
package struct SegmentationPlan: Equatable {
    /// A size in pixels.
    package struct Extent: Equatable {
        let width: Int
        let height: Int

        /// Creates an extent in pixels.
        package init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }

        /// Creates an extent of the frame's size, reduced until its longer side is at most `longSide`.
        package init(_ frame: Size, longSide: Double) {
            let scale = min(1, longSide / max(frame.width, frame.height))
            width = max(1, Int((frame.width * scale).rounded()))
            height = max(1, Int((frame.height * scale).rounded()))
        }
    }

    /// The quality level's parameters.
    let profile: QualityProfile
    /// Size of the upright frame.
    let frame: Size
    /// The model that sees the whole frame.
    let coarseModel: CoarseModel
    /// Size of the mask.
    let mask: Extent
    /// Size at which coarse coverage and matte are compared: twice that of the coarse model.
    package let prior: Extent

    /// Creates the plan for upright images of `size`.
    package init(_ profile: QualityProfile, size: Size) {
        self.profile = profile
        frame = size
        coarseModel = CoarseModel(for: size)
        prior = Extent(size, longSide: Double(2 * CoarseModel.square.extent.width))
        mask = profile.longestMaskSide.map { Extent(size, longSide: $0) } ?? coarseModel.extent
    }
}

extension Size {
    /// Width divided by height of a whole frame for the models: longer strips than 16:9 cost more than they
    /// gain.
    var boundedAspect: Double { min(max(width / max(height, 1), 9.0 / 16), 16.0 / 9) }
}

import Imaging

/// Finds the alpha of the people in frames of a stream.
protocol MatteSource: AnyObject {
    /// Alpha of the last frame, 0...1, at the mask's size.
    var matte: FloatImage { get }
    /// The model that it runs; may be handed on to the source of another plan.
    var models: MattingModels { get }

    /// Mattes the people of a frame, who are in the crop of `planner`.
    func estimate(
        _ image: ImageView, orientation: ImageOrientation, _ planner: inout CropPlanner
    ) throws(VisionError)

    /// A frame without people: the matte is empty, at no cost.
    func clear()

    /// The next frame does not follow the last.
    func reset()
}

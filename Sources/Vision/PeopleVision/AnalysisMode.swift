/// The origin of a request's images, which decides what they have in common and how long they may take.
public enum AnalysisMode: String, CaseIterable, Sendable {
    /// Images that stand by themselves: nothing that came before counts, and it may take longer.
    case image
    /// The frames of a recording, which wait for their results.
    ///
    /// Things are followed from one frame to the next, keep their `id`, and are smoothed over time. Equal frames
    /// give equal results.
    case recording
    /// The frames of a live camera, which must not be late.
    ///
    /// As for recordings, but long searches are spread over frames, and no frame waits while a model is compiled
    /// for a new size. Masks of people at `balanced` are computed on a background thread where a mask takes more
    /// than 60 % of the time between two frames; a frame's mask is then the last computed one, moved along with
    /// the image. Before the first mask, and where too much of the motion is lost, it is that of `fast`. Bodies
    /// that move slowly are measured in every second frame, and move along in between. Results depend on timing.
    case camera

    /// Whether images are the frames of a stream.
    var isStream: Bool { self != .image }
}

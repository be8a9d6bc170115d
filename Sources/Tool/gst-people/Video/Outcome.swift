/// The result of a video or image that was made.
struct Outcome {
    var progress: ProgressSnapshot
    /// Changes and losses besides the background, for the user.
    var notes: [String]
    /// Times of the frames of a video in ticks of the input, ascending.
    var times: [Int] = []
}

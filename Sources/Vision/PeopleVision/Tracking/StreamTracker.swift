import Imaging

/// A tracker that finds the things of single images, and follows those of a stream.
protocol StreamTracker: AnyObject {
    associatedtype Configuration: TrackingConfiguration
    associatedtype Models: TrackingModels<Configuration>
    associatedtype Track: StreamTrack
    associatedtype Observation
    typealias Context = TrackingContext<Configuration>

    /// The tracks of the last frame's things.
    var tracks: [Track] { get set }
    /// The ids, and the tracks that ended a short time ago.
    var lost: LostTracks { get set }
    /// Whether the next frame is the first of a stream.
    var isFirst: Bool { get set }

    init()

    /// Creates tracks of all things of a frame, which takes long.
    func findAll(_ frame: UprightFrame, _ models: Models, _ context: Context) throws(VisionError)
    /// Finds the things of the last frame in the next one, and ends the tracks of those that are gone.
    func followTracks(_ frame: UprightFrame, _ models: Models, _ context: Context) throws(VisionError)
    /// Searches for new things, as far as one frame allows.
    func searchOn(_ frame: UprightFrame, _ models: Models, _ context: Context) throws(VisionError)
    /// Makes the next search due at once.
    func makeSearchDue()
    /// Forgets what the search has found so far.
    func resetSearch()
    /// Returns the observation of track `index`.
    func observation(_ index: Int, in frame: UprightFrame, _ models: Models, _ context: Context)
        throws(VisionError) -> Observation
}

/// One thing, followed from frame to frame.
protocol StreamTrack {
    var id: Int { get }
    /// The confidence that the thing is there, 0...1.
    var confidence: Double { get }
    /// The thing's box in the last frame, in pixels of the upright frame.
    var box: Rectangle { get }
    /// Rotation of the thing, clockwise on a screen, in radians.
    var angle: Double { get }
    /// Rank of the track; where there are too many tracks, the least prominent ones end.
    var prominence: Double { get }
}

/// The models of a family of requests, loaded.
protocol TrackingModels<Configuration>: AnyObject {
    associatedtype Configuration

    /// Loads the models.
    ///
    /// - Parameter setup: a model file in it replaces the landmark model; the others stay.
    init(_ setup: ModelSetup) throws(VisionError)
    /// Returns the models that every configuration needs; the one that takes longest to compile comes first.
    static func uses(_ setup: ModelSetup) -> [ModelUse]
    /// Loads the models that only some configurations need.
    func prepare(_ configuration: Configuration) throws(VisionError)
}

extension TrackingModels {
    func prepare(_ configuration: Configuration) throws(VisionError) {}
}

extension StreamTracker {
    /// Forgets all things; ids go on, so that none is used again for something else.
    func reset() {
        tracks.removeAll()
        lost.reset()
        resetSearch()
        isFirst = true
    }

    /// Finds the things of a single image.
    func find(in frame: UprightFrame, _ models: Models, _ context: Context) throws(VisionError) {
        reset()
        lost.restart()
        try findAll(frame, models, context)
    }

    /// Finds the things of the next frame of a stream; the first frame is searched like a single image.
    func follow(in frame: UprightFrame, _ models: Models, _ context: Context) throws(VisionError) {
        if isFirst {
            // A still image may have left its tracks.
            reset()
            isFirst = false
            if context.searchesFirstFrameFully { return try findAll(frame, models, context) }
            makeSearchDue()
        }
        lost.age(by: context.seconds)
        dropSurplus(context.limits.maximumCount)
        try followTracks(frame, models, context)
        try searchOn(frame, models, context)
    }

    /// Ends a track; its id is kept for a while.
    func lose(_ index: Int) {
        let track = tracks.remove(at: index)
        lost.add(id: track.id, box: track.box, angle: track.angle)
    }

    /// Ends the least prominent tracks where the limit has been lowered.
    private func dropSurplus(_ maximumCount: Int) {
        while tracks.count > maximumCount,
            let surplus = tracks.indices.min(by: { tracks[$0].prominence < tracks[$1].prominence })
        {
            lose(surplus)
        }
    }
}

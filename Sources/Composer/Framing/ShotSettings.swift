/// The wishes of a user about what the output shows, and how it moves.
package struct ShotSettings: Sendable, Equatable {
    /// The part of the people that is shown.
    package var framing = FramingChoice.headAndShoulders
    /// The largest magnification.
    package var largestZoom = 4.0
    /// The smallest magnification, if the heads fit.
    package var smallestZoom = 1.0
    /// The space around the people beyond what belongs to the framing, in shares of the output's height.
    package var margin = 0.0
    /// The speed of the motion; 1 is calm.
    package var speed = 1.0
    /// The room in the direction in which a person looks or moves, 0 to 1.
    package var lead = 0.3
    /// The behaviour while nobody is seen.
    package var lost = LostChoice.wide

    /// Creates the usual settings.
    package init() {}
}

/// The behaviour while nobody is seen.
package enum LostChoice: String, CaseIterable, Sendable {
    /// The output stays where it is.
    case hold
    /// The output stays for some seconds, and then slowly widens.
    case wide
}

import Imaging

/// The people beside the one who is followed who belong to the picture: those who stay with him or her.
///
/// People who pass by do not belong to it, so that the output rests meanwhile. People who are there when a scene begins
/// belong to it until they go.
package struct Company: Sendable {
    /// A person who has been seen.
    fileprivate struct Track {
        var person: FramedPerson
        /// Velocity of the head in heights of the frame per second, averaged.
        var velocity = Point(x: 0, y: 0)
        // Seconds since the person began to stay, to move, and was seen last.
        var staying = 0.0
        var moving = 0.0
        var unseen = 0.0
        var belongs: Bool
    }

    /// Time over which velocities are averaged, in seconds: heads nod and sway.
    fileprivate static let memory = 0.5
    /// Speeds below which a person stays, and above which he or she moves, in radii of the head per second: a walk is 1.4 m/s
    /// (Bohannon 1997), which is 8.
    fileprivate static let (slow, fast) = (1.0, 2.0)
    /// Time of staying or moving that counts, in seconds.
    fileprivate static let patience = 1.0
    /// Time after the beginning of a scene in which people are found who are there from its start, in seconds.
    private static let beginning = 0.4

    private var tracks: [Track] = []
    private var age = 0.0

    /// Creates the company at the beginning of a scene.
    package init() {}

    /// Begins again where the scene changes.
    package mutating func restart() { self = Company() }

    /// Returns those of the others who belong to the picture of a frame.
    ///
    /// - Parameters:
    ///   - first: the person who is followed; nil if nobody is followed: all belong to the picture then.
    ///   - seconds: time since the last frame.
    package mutating func members(
        of others: [FramedPerson], beside first: FramedPerson?, after seconds: Double
    ) -> [FramedPerson] {
        age += seconds
        update([first].compactMap { $0 } + others, after: max(seconds, 1e-4))
        guard let first, let own = tracks.first(where: { $0.person == first }) else { return others }
        for index in tracks.indices { tracks[index].judge(beside: own.velocity, after: seconds) }
        return others.filter { person in tracks.contains { $0.person == person && $0.belongs } }
    }

    private mutating func update(_ people: [FramedPerson], after seconds: Double) {
        var rest = tracks
        tracks = people.map { person in
            let same = rest.indices.filter { person.isSame(as: rest[$0].person) }
            guard
                let index = same.min(by: {
                    rest[$0].person.distance(to: person.head) < rest[$1].person.distance(to: person.head)
                })
            else { return Track(person: person, belongs: age <= Self.beginning) }
            var track = rest.remove(at: index)
            track.follow(person, after: seconds)
            return track
        }
        for var track in rest where track.unseen + seconds < Self.patience {
            track.unseen += seconds
            tracks.append(track)
        }
    }
}

extension Company.Track {
    /// Takes over where the person is now.
    fileprivate mutating func follow(_ now: FramedPerson, after seconds: Double) {
        let (share, time) = (min(1, seconds / Company.memory), seconds + unseen)
        velocity.x += share * ((now.head.x - person.head.x) / time - velocity.x)
        velocity.y += share * ((now.head.y - person.head.y) / time - velocity.y)
        (person, unseen) = (now, 0)
    }

    /// Decides whether the person belongs to the picture, by the velocity beside that of the one who is followed.
    fileprivate mutating func judge(beside first: Point, after seconds: Double) {
        let (dx, dy) = (velocity.x - first.x, velocity.y - first.y)
        let speed = (dx * dx + dy * dy).squareRoot() / max(person.radius, 1e-6)
        staying = speed < Company.slow ? staying + seconds : 0
        moving = speed > Company.fast ? moving + seconds : 0
        if staying >= Company.patience { belongs = true }
        if moving >= Company.patience { belongs = false }
    }
}

import Imaging

/// The motion of the output over frames that come one by one.
///
/// It rests while the wanted shot stays in a dead zone. Then it follows by moves of minimum jerk (Flash and Hogan, 1985),
/// one for each step by which its goal moves. The goal moves with a bounded speed, so the sum of these moves has a bounded
/// speed, acceleration and jerk; and as all of them take the same time, the sum is a mean of the goal's places. It never
/// leaves the frame, and never goes beyond its goals.
package struct LivePath: Sendable {
    /// Duration of a move at speed 1, in seconds.
    private static let moveTime = 0.55
    /// Largest speed of the goal at speed 1, in heights of the frame per second: across a wide frame in two seconds.
    private static let goalSpeed = 1.2
    /// Half the size of the dead zone, in widths and heights of the output.
    private static let deadZone = (x: 0.12, y: 0.12)
    /// Change of the wanted height within which the output rests.
    private static let deadZoom = 1.3
    /// Time that the wanted shot must be out of the dead zone, in seconds: single detections are wrong.
    private static let reaction = 0.08
    /// Motion of the wanted shot, in heights of the output, and change of its height within which the person stands still:
    /// an eighth of the height in a second.
    private static let stillness = (way: 0.02, zoom: 1.05)
    /// Time of standing still after which the output rests, in seconds; with the last move it is at rest within 0.75.
    private static let settling = 0.16
    /// Time over which the person's speed is averaged, in seconds.
    private static let memory = 0.25
    /// Time for which the output stays when nobody is seen any more, in seconds.
    private static let holdTime = 2.0
    /// Time after a cut in which the first wanted shot is taken at once, in seconds: analysers need some frames.
    private static let cutTime = 0.4
    /// Speed of the goal while the output widens because nobody is seen, as a share.
    private static let wideningSpeed = 0.2
    /// Largest displacement for room in the direction of the face or the motion, in widths of the output.
    private static let largestLead = 0.16

    private let space: ShotSpace
    private var steps = MoveSum()
    /// The end of all moves so far.
    private var goal: Shot?
    /// The shot that the moves lead to in the end.
    private var target: Shot
    private var isResting = true
    private var (outside, still, lost) = (0.0, 0.0, 0.0)
    /// Time since the cut; nil once somebody has been seen.
    private var waited: Double? = 0
    private var lastWanted: Shot?
    /// The wanted shot since which the person stands still.
    private var anchor = Shot(x: 0, y: 0, height: 0)
    private var velocity = SIMD3<Double>()
    private var gaze = 0.0

    /// Creates a path that begins with its first shot.
    package init(in space: ShotSpace) { (self.space, target) = (space, space.widest) }

    /// Whether the output is the largest shot, and does not move.
    package var isWidest: Bool { goal.map { $0 == space.widest } ?? true && steps.isFinished }

    /// Begins again at the next wanted shot, since the scene changes.
    package mutating func cut() {
        if goal != nil { self = LivePath(in: space) }
    }

    /// Returns the shot of a frame.
    ///
    /// - Parameters:
    ///   - wanted: the frame's wanted shot; nil if nobody is seen.
    ///   - seconds: time since the last frame.
    package mutating func shot(
        for wanted: WantedShot?, _ settings: ShotSettings, after seconds: Double
    ) -> Shot {
        let seconds = min(max(seconds, 1e-4), 1)
        let speed = min(max(settings.speed, 0.05), 20)
        guard let current = goal, !isFirst(wanted, seconds) else { return begin(wanted) }
        let time = Self.moveTime / speed
        var goalSpeed = Self.goalSpeed * speed
        if let wanted {
            lost = 0
            follow(wanted, settings, after: seconds, moveTime: time)
        } else {
            (lastWanted, outside) = (nil, 0)
            lost += seconds
            if settings.lost == .wide, lost > Self.holdTime {
                goalSpeed *= Self.wideningSpeed
                (target, isResting) = (space.widest, false)
            }
        }
        let next = current.moved(towards: target, atMost: goalSpeed * seconds)
        steps.add(next.vector - current.vector, lasting: time)
        goal = next
        return space.inside(Shot(steps.advance(by: seconds)))
    }

    /// Whether a wanted shot is the first one, soon after a cut.
    private mutating func isFirst(_ wanted: WantedShot?, _ seconds: Double) -> Bool {
        guard let time = waited else { return false }
        waited = wanted == nil ? time + seconds : nil
        return wanted != nil && time + seconds <= Self.cutTime
    }

    private mutating func begin(_ wanted: WantedShot?) -> Shot {
        if wanted != nil { waited = nil }
        let first = wanted?.shot ?? space.widest
        steps = MoveSum(at: first.vector)
        (goal, target, lastWanted) = (first, first, wanted?.shot)
        return first
    }

    private mutating func follow(
        _ wanted: WantedShot, _ settings: ShotSettings, after seconds: Double, moveTime: Double
    ) {
        let share = min(1, seconds / Self.memory)
        if let lastWanted {
            // What is faster than the output can follow is no motion, but another detection.
            let pace = Self.goalSpeed * settings.speed
            let motion = ((wanted.shot.vector - lastWanted.vector) / seconds).clamped(
                lowerBound: SIMD3(repeating: -pace), upperBound: SIMD3(repeating: pace))
            velocity += share * (motion - velocity)
        } else {
            velocity = SIMD3()
        }
        lastWanted = wanted.shot
        gaze += share * (wanted.gaze - gaze)
        let ideal = led(wanted, settings, moveTime)
        let offset = ideal.vector - target.vector
        let width = target.height * space.outputAspect
        if isResting {
            let ratio = ideal.height / max(target.height, 1e-6)
            let isOutside =
                abs(offset.x) > Self.deadZone.x * width || abs(offset.y) > Self.deadZone.y * target.height
                || ratio > Self.deadZoom || ratio < 1 / Self.deadZoom
            let isCut = !target.contains(wanted.heads, aspect: space.outputAspect) && offset != SIMD3()
            outside = isOutside || isCut ? outside + seconds : 0
            guard outside >= Self.reaction else { return }
            (isResting, still) = (false, 0)
        }
        target = ideal
        if isStill(wanted.shot) { still += seconds } else { (anchor, still) = (wanted.shot, 0) }
        if still >= Self.settling { (isResting, outside) = (true, 0) }
    }

    private func isStill(_ shot: Shot) -> Bool {
        let reach = Self.stillness.way * anchor.height
        return abs(shot.x - anchor.x) <= reach && abs(shot.y - anchor.y) <= reach
            && shot.height <= anchor.height * Self.stillness.zoom
            && anchor.height <= shot.height * Self.stillness.zoom
    }

    /// Returns the wanted shot with room ahead of the person, which also makes up for the time of the moves.
    private func led(_ wanted: WantedShot, _ settings: ShotSettings, _ moveTime: Double) -> Shot {
        var shot = Shot(wanted.shot.vector)
        let width = shot.height * space.outputAspect
        if !isResting {
            let ahead = velocity * (0.5 * moveTime)
            (shot.x, shot.y) = (shot.x + ahead.x, shot.y + ahead.y)
        }
        let pace = limited(velocity.x / max(0.5 * width, 1e-6), -1, 1)
        let direction = limited(gaze + (isResting ? 0 : pace), -1, 1)
        shot.x += direction * min(max(settings.lead, 0), 1) * Self.largestLead * width
        return space.inside(shot.containing(wanted.heads, aspect: space.outputAspect))
    }
}

extension Shot {
    /// Returns the shot moved towards another, at most by a distance.
    fileprivate func moved(towards other: Shot, atMost distance: Double) -> Shot {
        let way = other.vector - vector
        let length = (way * way).sum().squareRoot()
        guard length > distance else { return other }
        return Shot(vector + way * (distance / length))
    }

    /// Returns the shot moved as little as it takes to contain a box, if that is smaller.
    func containing(_ rectangle: Rectangle, aspect: Double) -> Shot {
        let (half, box) = (height / 2, Box(rectangle))
        return Shot(
            x: limited(x, box.right - half * aspect, box.left + half * aspect),
            y: limited(y, box.bottom - half, box.top + half), height: height)
    }
}

/// The sum of moves from rest to rest that begin one after the other.
struct MoveSum: Sendable {
    private struct Move {
        var way: SIMD3<Double>
        let duration: Double
        /// Seconds since the move began.
        var age: Double
    }

    /// Number of moves that may begin within the duration of one; those that begin closer together are one move.
    private static let resolution = 200.0

    /// The sum of the moves that have ended.
    private var base: SIMD3<Double>
    private var moves: [Move] = []

    /// Creates a sum that is at a place.
    init(at place: SIMD3<Double> = SIMD3()) {
        base = place
        moves.reserveCapacity(Int(Self.resolution) + 2)
    }

    /// Whether no move is in progress.
    var isFinished: Bool { moves.isEmpty }

    /// Adds a move that begins now.
    mutating func add(_ way: SIMD3<Double>, lasting duration: Double) {
        guard way != SIMD3() else { return }
        if let last = moves.indices.last, moves[last].age < duration / Self.resolution {
            moves[last].way += way
        } else {
            moves.append(Move(way: way, duration: duration, age: 0))
        }
    }

    /// Returns the place after some seconds.
    mutating func advance(by seconds: Double) -> SIMD3<Double> {
        for index in moves.indices { moves[index].age += seconds }
        for move in moves where move.age >= move.duration { base += move.way }
        moves.removeAll { $0.age >= $0.duration }
        return moves.reduce(base) { $0 + $1.way * Self.progress($1.age / $1.duration) }
    }

    /// Returns the progress of a move of minimum jerk after a share of its time.
    static func progress(_ share: Double) -> Double {
        guard share > 0 else { return 0 }
        guard share < 1 else { return 1 }
        return share * share * share * (10 + share * (6 * share - 15))
    }
}

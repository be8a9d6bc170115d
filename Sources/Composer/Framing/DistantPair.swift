import Glibc
package import Imaging

/// Two people of a scene who do not fit into one shot: they are shown in the two halves of the output, or the one who speaks.
package struct DistantPair {
    /// Largest distance of a head from where it was seen last, in its radii.
    private static let reach = 3.0
    /// Size of the larger head above which the other person is not one of the two, as a multiple of the smaller one.
    private static let prominence = 1.8
    /// Share of a scene's frames in which each of the two is seen, and of those of both in which they do not fit.
    private static let presence = 0.5

    /// A person's heads in the frames of a scene; nil where he or she is not seen.
    private struct Track {
        var people: [FramedPerson?]
        var last: FramedPerson
        var count = 0
        var radius = 0.0

        init(_ person: FramedPerson, frames: Int) {
            (people, last) = (Array(repeating: nil, count: frames), person)
        }

        /// Whether a head may be that of the person, in a frame in which nobody else is.
        func mayBe(_ person: FramedPerson, in frame: Int) -> Bool {
            people[frame] == nil && person.distance(to: last.head) < DistantPair.reach * last.radius
        }

        mutating func add(_ person: FramedPerson, in frame: Int) {
            (people[frame], last) = (person, person)
            radius = (radius * Double(count) + person.radius) / Double(count + 1)
            count += 1
        }

        /// The mean place of the heads across the frame.
        var place: Double {
            people.reduce(0) { $0 + ($1?.head.x ?? 0) } / Double(max(1, count))
        }
    }

    /// The person on the left, and the one on the right.
    private let left, right: Track
    /// The median distance of the two heads across the frame, in heights of the frame.
    private let distance: Double

    /// Finds the two of a scene; nil if others are as large, or both fit into one shot.
    ///
    /// - Parameter frames: the people of each frame.
    package init?(of frames: [[FramedPerson]], in space: ShotSpace) {
        let pair = Self.prominent(Self.tracks(frames)).sorted { $0.place < $1.place }
        guard pair.count == 2 else { return nil }
        let both = zip(pair[0].people, pair[1].people).compactMap { left, right in
            left.flatMap { left in right.map { (left, $0) } }
        }
        let apart = both.count { !Self.fit($0, $1, in: space) }
        guard apart > 0, Double(apart) >= Self.presence * Double(both.count) else { return nil }
        let distances = both.map { abs($1.head.x - $0.head.x) }.sorted()
        (left, right, distance) = (pair[0], pair[1], distances[distances.count / 2])
    }

    private static func tracks(_ frames: [[FramedPerson]]) -> [Track] {
        var tracks: [Track] = []
        for (frame, people) in frames.enumerated() {
            for person in people where person.isUsable {
                let known = tracks.indices.filter { tracks[$0].mayBe(person, in: frame) }.min {
                    person.distance(to: tracks[$0].last.head) < person.distance(to: tracks[$1].last.head)
                }
                if known == nil { tracks.append(Track(person, frames: frames.count)) }
                tracks[known ?? tracks.count - 1].add(person, in: frame)
            }
        }
        return tracks
    }

    private static func prominent(_ tracks: [Track]) -> [Track] {
        let present = tracks.filter { Double($0.count) >= presence * Double($0.people.count) }
        let largest = present.reduce(0) { max($0, $1.radius) }
        return present.filter { $0.radius * prominence >= largest }
    }

    private static func fit(_ one: FramedPerson, _ other: FramedPerson, in space: ShotSpace) -> Bool {
        var heads = Box(one.headBox)
        heads.include(other.headBox)
        return heads.right - heads.left <= space.largestHeight * space.outputAspect
            && heads.bottom - heads.top <= space.largestHeight
    }

    /// Returns the shots of the left and the right person in each frame.
    ///
    /// - Parameters:
    ///   - framing: the part of the people that is shown.
    ///   - space: half the output.
    ///   - rate: frames per second.
    package func shots(
        _ framing: FramingChoice, in space: ShotSpace, rate: Double
    ) -> [(left: Shot, right: Shot)] {
        var settings = ShotSettings()
        settings.framing = framing
        // Neither half reaches beyond the middle between the two.
        settings.smallestZoom = max(1, space.outputAspect / max(distance, 1e-3))
        let (left, right) = (
            Self.shots(left, settings, in: space, rate: rate),
            Self.shots(right, settings, in: space, rate: rate)
        )
        return zip(left, right).map { (left: $0, right: $1) }
    }

    private static func shots(
        _ track: Track, _ settings: ShotSettings, in space: ShotSpace, rate: Double
    ) -> [Shot] {
        let wanted = track.people.map { $0.flatMap { WantedShot(of: [$0], settings, in: space) } }
        return BestPath.shots(for: wanted, rate: rate, in: space)
    }
}

// MARK: - The one who speaks

extension DistantPair {
    /// A frame's shot of the one who speaks.
    package struct SpeakerShot: Sendable, Equatable {
        /// The shot.
        package let shot: Shot
        /// The certainty that the person speaks, 0.5 to 1, in the first frame of his or her turn; nil in the others.
        package let certainty: Double?
    }

    /// Returns the shot of the one who speaks in each frame; nil if that is not known.
    ///
    /// A picture that shows the other person begins at once, and each turn is framed as a whole.
    ///
    /// - Parameters:
    ///   - isLoud: whether there is sound in each frame.
    ///   - framing: the part of the person that is shown.
    ///   - largestZoom: the largest magnification.
    ///   - space: the output.
    ///   - rate: frames per second.
    package func speakerShots(
        _ isLoud: [Bool], _ framing: FramingChoice, largestZoom: Double, in space: ShotSpace, rate: Double
    ) -> [SpeakerShot]? {
        let mouths = (left: left.people.map { $0?.mouth }, right: right.people.map { $0?.mouth })
        guard let dialogue = Dialogue(mouths, isLoud, rate: rate) else { return nil }
        var settings = ShotSettings()
        (settings.framing, settings.largestZoom) = (framing, largestZoom)
        return dialogue.turns.flatMap { turn in
            let people = (turn.isLeft ? left : right).people[turn.frames]
            let wanted = people.map { $0.flatMap { WantedShot(of: [$0], settings, in: space) } }
            return BestPath.shots(for: wanted, rate: rate, in: space).enumerated().map {
                SpeakerShot(shot: $1, certainty: $0 == 0 ? turn.certainty : nil)
            }
        }
    }
}

/// The turns in which two people speak, by the motion of their mouths while there is sound.
package struct Dialogue: Sendable, Equatable {
    /// A time in which one of the two speaks.
    package struct Turn: Sendable, Equatable {
        /// The turn's frames.
        package let frames: Range<Int>
        /// Whether it is the person on the left.
        package let isLeft: Bool
        /// The person's share in the motion of both mouths, 0.5 to 1.
        package let certainty: Double
    }

    /// The turns in their order; together they have all frames.
    package let turns: [Turn]

    /// Time over which a mouth's motion is averaged, in seconds: some syllables.
    private static let window = 1.0
    /// Motion of a mouth that is still, as the landmarks measure it, in heights of the face per second.
    ///
    /// Still mouths of five clips moved by 0.003 to 0.045, those that spoke by 0.12 to 0.4.
    private static let noise = 0.05
    /// Motion of a mouth that speaks, at least, in the same unit.
    private static let speech = 0.08
    /// Loss of a change from one person to the other, in seconds of a logarithm of the motions' ratio: interjections of less
    /// than about a second and a half change nothing.
    private static let change = 2.0
    /// Share of the shown people in all motion of mouths below which it is not known who speaks.
    private static let minimumCertainty = 0.65

    /// Finds the turns; nil if nobody speaks, or if both mouths move alike.
    ///
    /// - Parameters:
    ///   - mouths: the distances between the lips in each frame, in heights of the face; nil where they are not known.
    ///   - isLoud: whether there is sound in each frame.
    ///   - rate: frames per second.
    package init?(_ mouths: (left: [Double?], right: [Double?]), _ isLoud: [Bool], rate: Double) {
        let count = min(mouths.left.count, mouths.right.count, isLoud.count)
        guard count > 0, (0.1...1000).contains(rate) else { return nil }
        let left = Self.motion(mouths.left.prefix(count), isLoud, rate: rate)
        let right = Self.motion(mouths.right.prefix(count), isLoud, rate: rate)
        let evidence = zip(left, right).map { left, right in
            max(left, right) < Self.speech ? 0 : log((left + Self.noise) / (right + Self.noise)) / rate
        }
        guard evidence.contains(where: { $0 != 0 }) else { return nil }
        let isLeft = Self.isLeft(evidence)
        let starts = (0..<count).filter { $0 == 0 || isLeft[$0] != isLeft[$0 - 1] }
        turns = zip(starts, starts.dropFirst() + [count]).map { start, end in
            let sums = (left[start..<end].reduce(0, +), right[start..<end].reduce(0, +))
            let (shown, other) = isLeft[start] ? sums : (sums.1, sums.0)
            let share = shown + other > 0 ? shown / (shown + other) : 0.5
            return Turn(frames: start..<end, isLeft: isLeft[start], certainty: max(0.5, share))
        }
        let certainty = turns.reduce(0) { $0 + $1.certainty * Double($1.frames.count) } / Double(count)
        guard certainty >= Self.minimumCertainty else { return nil }
    }

    /// Returns the mean speed of a mouth's opening around each frame, in heights of the face per second; silence has none.
    private static func motion(_ mouth: some Sequence<Double?>, _ isLoud: [Bool], rate: Double) -> [Double] {
        var (speeds, last): ([Double], Double?) = ([], nil)
        for (opening, isLoud) in zip(mouth, isLoud) {
            let step = opening.flatMap { new in last.map { abs(new - $0) } } ?? 0
            speeds.append(isLoud && step.isFinite ? step * rate : 0)
            last = opening
        }
        let reach = Int((window * rate / 2).rounded())
        var sums = [0.0]
        for speed in speeds { sums.append(sums[sums.count - 1] + speed) }
        return speeds.indices.map { frame in
            let (start, end) = (max(0, frame - reach), min(speeds.count, frame + reach + 1))
            return (sums[end] - sums[start]) / Double(end - start)
        }
    }

    /// Returns whether the person on the left is shown in each frame: the choice with the largest sum of evidence, less what
    /// its changes cost.
    ///
    /// - Parameter evidence: for the left in each frame, against the right where it is below 0.
    private static func isLeft(_ evidence: [Double]) -> [Bool] {
        var best = (left: 0.0, right: 0.0)
        /// Whether each frame's best choice had the same person in the frame before.
        var stays: [(left: Bool, right: Bool)] = []
        for value in evidence {
            let stay = (left: best.left >= best.right - change, right: best.right >= best.left - change)
            best = (
                left: (stay.left ? best.left : best.right - change) + value,
                right: (stay.right ? best.right : best.left - change) - value
            )
            stays.append(stay)
        }
        var isLeft = [Bool](repeating: best.left >= best.right, count: evidence.count)
        for frame in evidence.indices.dropFirst().reversed() {
            let stay = isLeft[frame] ? stays[frame].left : stays[frame].right
            isLeft[frame - 1] = stay ? isLeft[frame] : !isLeft[frame]
        }
        return isLeft
    }
}

/// An output that shows two parts of a frame: above each other if it is upright, and else beside each other.
package struct SplitScreen: Sendable, Equatable {
    /// Divisor of the place where the halves meet, in pixels: that of the chroma of all formats.
    private static let alignment = 4

    private let isStacked: Bool
    /// The frame, and the shape of half the output.
    package let half: ShotSpace

    /// Divides the output of a space.
    package init(of space: ShotSpace) {
        isStacked = space.outputAspect < 1
        half = ShotSpace(
            frameAspect: space.frameAspect, outputAspect: space.outputAspect * (isStacked ? 2 : 0.5))
    }

    /// The halves as fractions of the upright output; the first one is the upper or the left one.
    package var halves: (first: Rectangle, second: Rectangle) {
        isStacked
            ? (Rectangle(x: 0, y: 0, width: 1, height: 0.5), Rectangle(x: 0, y: 0.5, width: 1, height: 0.5))
            : (Rectangle(x: 0, y: 0, width: 0.5, height: 1), Rectangle(x: 0.5, y: 0, width: 0.5, height: 1))
    }

    /// Returns the pixels of a half; nil if the output is too small.
    ///
    /// - Parameter half: a half as a fraction of the stored output.
    package static func pixels(of half: Rectangle, width: Int, height: Int) -> PixelRect? {
        let (left, right) = (edge(half.x, width), edge(half.x + half.width, width))
        let (top, bottom) = (edge(half.y, height), edge(half.y + half.height, height))
        guard left < right, top < bottom else { return nil }
        return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
    }

    private static func edge(_ share: Double, _ length: Int) -> Int {
        guard share > 0.25 else { return 0 }
        return share > 0.75 ? length : alignment * ((length / 2 + alignment / 2) / alignment)
    }
}

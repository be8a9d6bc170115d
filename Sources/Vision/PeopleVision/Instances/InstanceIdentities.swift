package import Imaging

/// Assigns ids to the people, or other subjects, of a stream by place, motion and colours.
///
/// A person who is hidden or leaves is remembered for a while, and comes back under the same id.
package struct InstanceIdentities {
    /// A person who was detected in a frame.
    package struct Detection {
        let box: Rectangle
        let colors: InstanceColors

        /// Creates a detection in `box`, in the upright frame's unit square.
        package init(box: Rectangle, colors: InstanceColors) { (self.box, self.colors) = (box, colors) }
    }

    fileprivate struct Identity {
        let id: Int
        var box: Rectangle
        /// Speed of the box's centre, per second.
        var velocity = Point(x: 0, y: 0)
        /// The time of the last change of the box: a detector runs in every few frames only.
        var moved: Double
        /// The time at which the person was last seen.
        var seen: Double
        /// Whether the place is still valid; false after a change of scene.
        var isPlaceKnown = true
        let colors: InstanceColors
    }

    /// Seconds for which a person is remembered.
    private static let retention = 5.0
    /// Seconds for which the motion of an unseen person is extrapolated.
    private static let predictionHorizon = 0.5
    /// Weight of a new speed in the mean.
    fileprivate static let newSpeed = 0.5
    /// Weight of a frame's colours in the mean; light and posture change slowly.
    fileprivate static let newColors: Float = 0.1
    /// Maximum shared part of the smaller box; beyond it colours are not measured, because one box shows both
    /// people.
    private static let maximumShared = 0.2
    /// Maximum distance of a person from the expected place in widths of the box, and its growth in a second.
    private static let reach = (now: 1.0, perSecond: 2.0)
    /// Minimum similarity of colours where the place is unknown, 0...1.
    private static let minimumSimilarity = 0.8
    /// Assumed similarity of unknown colours, 0...1.
    private static let unknownSimilarity = 0.7

    private var identities: [Identity] = []
    private var candidates: [(score: Double, identity: Int, detection: Int)] = []
    private var time = 0.0
    private var scene = 0
    private var nextID = 1

    /// Creates an object without people; the first id is 1.
    package init() {}

    /// Forgets all people; ids continue, so that no id is used again for another person.
    package mutating func reset() { identities.removeAll(keepingCapacity: true) }

    /// Writes the ids of a frame's people into `ids`, in the order of `people`.
    ///
    /// - Parameters:
    ///   - seconds: time since the frame before.
    ///   - scene: a number that changes when earlier places are no longer valid.
    package mutating func identify(
        _ people: [Detection], after seconds: Double, scene: Int, into ids: inout [Int]
    ) {
        let before = time
        time += seconds > 0 ? min(seconds, 2 * Self.retention) : 0
        let time = time
        identities.removeAll { time - $0.seen > Self.retention }
        if scene != self.scene {
            self.scene = scene
            for index in identities.indices { identities[index].isPlaceKnown = false }
        }
        ids.removeAll(keepingCapacity: true)
        for _ in people { ids.append(0) }
        // People of the frame before are matched first, those who are only remembered after them.
        match(people, &ids) { $0.seen == before }
        match(people, &ids) { $0.seen < before }
        while let index = firstUnknown(people, ids) {
            ids[index] = nextID
            nextID &+= 1
            identities.append(Identity(people[index], id: ids[index], at: time))
        }
    }

    /// Returns the person without an id who is farthest to the left.
    private func firstUnknown(_ people: [Detection], _ ids: [Int]) -> Int? {
        var first: Int?
        for index in people.indices where ids[index] == 0 {
            if first.map({ people[index].box.center.x < people[$0].box.center.x }) ?? true { first = index }
        }
        return first
    }

    /// Assigns ids of known people to the people who fit best, the best fit first.
    private mutating func match(
        _ people: [Detection], _ ids: inout [Int], _ isMatched: (Identity) -> Bool
    ) {
        candidates.removeAll(keepingCapacity: true)
        for (known, identity) in identities.enumerated() where isMatched(identity) {
            for (index, person) in people.enumerated() {
                if let score = fit(identity, person) { candidates.append((score, known, index)) }
            }
        }
        candidates.sort { $0.score > $1.score }
        for candidate in candidates where ids[candidate.detection] == 0 {
            let id = identities[candidate.identity].id
            guard !ids.contains(id) else { continue }
            ids[candidate.detection] = id
            let person = people[candidate.detection]
            let isAlone = people.indices.allSatisfy {
                $0 == candidate.detection
                    || people[$0].box.shareOfSmaller(with: person.box) < Self.maximumShared
            }
            identities[candidate.identity].follow(person, at: time, isAlone: isAlone)
        }
    }

    /// Returns the fit of a person and a known one; nil where they cannot be the same.
    private func fit(_ identity: Identity, _ person: Detection) -> Double? {
        let similarity = identity.colors.similarity(to: person.colors)
        guard identity.isPlaceKnown else {
            guard let similarity, similarity >= Self.minimumSimilarity else { return nil }
            return similarity - 1
        }
        let gap = time - identity.seen
        let expected = identity.box(after: min(gap, Self.predictionHorizon))
        let unit = max(expected.width, person.box.width, .leastNormalMagnitude)
        let (dx, dy) = (
            expected.center.x - person.box.center.x, expected.center.y - person.box.center.y
        )
        // A person is about twice as high as wide, and moves more across than up and down.
        let distance = (dx * dx + dy * dy / 4).squareRoot() / unit
        let reach = Self.reach.now + Self.reach.perSecond * gap
        guard distance <= reach else { return nil }
        let place = 1 - distance / reach
        // Where people overlap, the sizes of their boxes distinguish better than the distances.
        return place + expected.overlap(with: person.box) + (similarity ?? Self.unknownSimilarity)
    }
}

extension InstanceIdentities.Identity {
    fileprivate init(_ person: InstanceIdentities.Detection, id: Int, at time: Double) {
        (self.id, box, moved, seen) = (id, person.box, time, time)
        colors = InstanceColors()
        colors.approach(person.colors, by: 1)
    }

    /// Returns the box predicted from the motion, `seconds` after the person was seen.
    fileprivate func box(after seconds: Double) -> Rectangle {
        var moved = box
        moved.x += velocity.x * seconds
        moved.y += velocity.y * seconds
        return moved
    }

    fileprivate mutating func follow(
        _ person: InstanceIdentities.Detection, at time: Double, isAlone: Bool
    ) {
        if person.box != box {
            let (seconds, share) = (max(time - moved, 1e-3), InstanceIdentities.newSpeed)
            velocity.x += share * ((person.box.center.x - box.center.x) / seconds - velocity.x)
            velocity.y += share * ((person.box.center.y - box.center.y) / seconds - velocity.y)
            (box, moved) = (person.box, time)
        }
        (seen, isPlaceKnown) = (time, true)
        if isAlone { colors.approach(person.colors, by: InstanceIdentities.newColors) }
    }
}

/// The colours of a person's clothes or of another subject: histograms of the upper and the lower half of the
/// visible part.
///
/// Two samples of one person are alike while the light stays the same. They distinguish people of a stream
/// whose ways cross; faces are not compared.
package final class InstanceColors {
    /// Number of levels of each of red, green and blue.
    private static let levels = 4
    private static let bins = levels * levels * levels
    private static let halves = 2
    /// Minimum coverage of a pixel that counts as the person's, 0...1: outlines also show the background.
    private static let certain: Float = 0.8
    /// Distance of the pixels that count, along both sides: a thousand of 256x256 are enough for a person.
    private static let step = 4

    /// The bins of the pixels that count, row by row.
    private var samples: [UInt8] = []
    /// Shares of each half's pixels; all 0 where a half is not visible.
    private var shares = [Float](repeating: 0, count: halves * bins)

    /// Creates unknown colours.
    package init() {}

    /// Whether nothing has been measured, or no person was visible.
    package var isUnknown: Bool { shares.allSatisfy { $0 == 0 } }

    /// Copies the colours of `other`.
    func copy(_ other: InstanceColors) { (samples, shares) = (other.samples, other.shares) }

    /// Samples an image, for `measure`.
    ///
    /// - Parameter image: R, G and B in the layout of `tensor`.
    package func sample(_ image: UnsafeBufferPointer<Float>, in tensor: TensorInput) {
        samples.removeAll(keepingCapacity: true)
        let (width, height) = (tensor.width, tensor.height)
        guard image.count >= 3 * width * height, tensor.low != tensor.high else { return }
        let (pixel, plane) = tensor.layout == .nhwc ? (3, 1) : (1, width * height)
        let scale = Float(Self.levels) / (tensor.high - tensor.low)
        for y in stride(from: 0, to: height, by: Self.step) {
            for x in stride(from: 0, to: width, by: Self.step) {
                let place = (y * width + x) * pixel
                var bin = 0
                for channel in 0..<3 {
                    let value = (image[place + channel * plane] - tensor.low) * scale
                    bin = bin * Self.levels + Self.level(value)
                }
                samples.append(UInt8(truncatingIfNeeded: bin))
            }
        }
    }

    /// Measures the colours of a person in the image.
    ///
    /// - Parameters:
    ///   - coverage: coverage by the person, 0...1, of the image's size.
    ///   - isOwn: whether the person is in front at a position in the unit square.
    package func measure(_ coverage: FloatImage, isOwn: (_ x: Double, _ y: Double) -> Bool) {
        for i in shares.indices { shares[i] = 0 }
        let (width, height) = (coverage.width, coverage.height)
        guard let extent = coverage.extent(above: Self.certain) else { return }
        let middle = (extent.y + extent.height / 2) * Double(height)
        var (index, upper, lower) = (0, Float(0), Float(0))
        for y in stride(from: 0, to: height, by: Self.step) {
            let row = coverage.row(y)
            for x in stride(from: 0, to: width, by: Self.step) {
                defer { index += 1 }
                guard index < samples.count, row[x] > Self.certain,
                    isOwn((Double(x) + 0.5) / Double(width), (Double(y) + 0.5) / Double(height))
                else { continue }
                let isLower = Double(y) >= middle
                shares[(isLower ? Self.bins : 0) + Int(samples[index])] += 1
                if isLower { lower += 1 } else { upper += 1 }
            }
        }
        for i in shares.indices { shares[i] /= max(1, i < Self.bins ? upper : lower) }
    }

    /// Returns a level, 0..<`levels`, for any value.
    private static func level(_ value: Float) -> Int {
        value > 0 ? (value < Float(levels) ? Int(value) : levels - 1) : 0
    }

    /// Returns the similarity of the colours, 0...1: the mean of the halves' Bhattacharyya coefficients.
    ///
    /// It is nil if no half is known of both.
    package func similarity(to other: InstanceColors) -> Double? {
        var (sum, known): (Float, Float) = (0, 0)
        for half in 0..<Self.halves {
            var (coefficient, mass, otherMass): (Float, Float, Float) = (0, 0, 0)
            for i in (half * Self.bins)..<((half + 1) * Self.bins) {
                coefficient += (shares[i] * other.shares[i]).squareRoot()
                mass += shares[i]
                otherMass += other.shares[i]
            }
            guard mass > 0, otherMass > 0 else { continue }
            sum += coefficient
            known += 1
        }
        return known > 0 ? Double(sum / known) : nil
    }

    /// Moves the colours towards `other` by `share`, 0...1; unknown colours become those of `other`.
    package func approach(_ other: InstanceColors, by share: Float) {
        guard !other.isUnknown else { return }
        let share = isUnknown ? 1 : share
        for i in shares.indices { shares[i] += share * (other.shares[i] - shares[i]) }
    }
}

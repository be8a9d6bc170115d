import Framing
import Imaging

/// People who move, frame by frame, and figures of the shots that follow them.
struct Simulation {
    static let rate = 30.0

    let space: ShotSpace
    var settings = ShotSettings()
    /// The head of the one person in each frame; nil where nobody is seen.
    let people: [FramedPerson?]

    init(
        seconds: Double, frame: Double = 16.0 / 9, output: Double = 16.0 / 9,
        _ framing: FramingChoice = .headAndShoulders,
        _ place: (Double) -> (x: Double, y: Double, radius: Double)?
    ) {
        space = ShotSpace(frameAspect: frame, outputAspect: output)
        settings.framing = framing
        people = (0..<Int(seconds * Self.rate)).map { index in
            place(Double(index) / Self.rate).map {
                FramedPerson(id: 1, head: Point(x: $0.x, y: $0.y), radius: $0.radius)
            }
        }
    }

    /// The wanted shot of each frame, with errors of detection.
    func wanted(noise: Double = 0.0015) -> [WantedShot?] {
        var generator = Noise()
        return people.map { person in
            guard var person else { return nil }
            person.head.x += noise * generator.next()
            person.head.y += noise * generator.next()
            person.radius *= 1 + 0.02 * generator.next()
            return WantedShot(of: [person], settings, in: space)
        }
    }

    func live(noise: Double = 0.0015) -> [Shot] {
        var path = LivePath(in: space)
        return wanted(noise: noise).map { path.shot(for: $0, settings, after: 1 / Self.rate) }
    }

    func best() -> [Shot] { BestPath.shots(for: wanted(), rate: Self.rate, in: space) }

    /// Share of the frames with somebody in which the whole head is shown.
    func shareInside(_ shots: [Shot]) -> Double {
        var (inside, count) = (0, 0)
        for (person, shot) in zip(people, shots) {
            guard let person else { continue }
            let (part, radius) = (shot.rectangle(aspect: space.outputAspect), person.radius - 1e-9)
            count += 1
            if person.head.x - radius >= part.x, person.head.x + radius <= part.x + part.width,
                person.head.y - radius >= part.y, person.head.y + radius <= part.y + part.height
            {
                inside += 1
            }
        }
        return Double(inside) / Double(max(1, count))
    }
}

/// Numbers that vary around 0 like errors of measurement, the same in each run.
struct Noise {
    private var state: UInt64 = 7

    /// Returns the next number, with a standard deviation of 1.
    mutating func next() -> Double {
        var sum = 0.0
        for _ in 0..<12 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            sum += Double(state >> 11) / 9_007_199_254_740_992
        }
        return sum - 6
    }
}

/// The largest differences between shots: of the third order per second to the third, and so on.
struct Motion {
    let speed, acceleration, jerk: Double
    /// Share of the frames that show the same part as the frame before.
    let shareAtRest: Double

    init(_ shots: [Shot]) {
        let speeds = Self.differences(shots.map { SIMD3($0.x, $0.y, $0.height) })
        let accelerations = Self.differences(speeds)
        speed = Self.largest(speeds) * Simulation.rate
        acceleration = Self.largest(accelerations) * Simulation.rate * Simulation.rate
        jerk =
            Self.largest(Self.differences(accelerations)) * Simulation.rate * Simulation.rate
            * Simulation.rate
        // A tenth of a pixel of 1080 rows.
        shareAtRest = Double(speeds.filter { Self.length($0) < 1e-4 }.count) / Double(max(1, speeds.count))
    }

    private static func differences(_ values: [SIMD3<Double>]) -> [SIMD3<Double>] {
        zip(values.dropFirst(), values).map { $0 - $1 }
    }

    private static func length(_ vector: SIMD3<Double>) -> Double { (vector * vector).sum().squareRoot() }

    private static func largest(_ vectors: [SIMD3<Double>]) -> Double { vectors.map(length).max() ?? 0 }
}

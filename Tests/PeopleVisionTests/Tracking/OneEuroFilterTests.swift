import Foundation
import PeopleVision
import TestSupport
import Testing

/// Tests of the filter alone.
struct OneEuroFilterTests {
    private let interval = 1.0 / 30

    @Test func aConstantStaysItself() {
        var filter = OneEuroFilter(minimumCutoff: 1, beta: 1)
        for _ in 0..<10 { #expect(filter.filter(0.7, interval: interval) == 0.7) }
    }

    /// At rest the filter is a first-order low-pass: a known part of a step is left after n samples.
    @Test func isAFirstOrderLowPassAtRest() {
        var filter = OneEuroFilter(minimumCutoff: 1, beta: 0)
        _ = filter.filter(0, interval: interval)
        let share = 1 / (1 + 1 / (2 * .pi * interval))
        for n in 1...20 {
            let expected = 1 - pow(1 - share, Double(n))
            #expect(abs(filter.filter(1, interval: interval) - expected) < 1e-12)
        }
    }

    /// Noise of any size passes through the low-pass of rest, but a step does not.
    @Test(arguments: [1e-3, 1, 1e3]) func noiseDoesNotRaiseTheCutoff(_ size: Double) {
        var filter = OneEuroFilter(minimumCutoff: 0.1, beta: 1000 / size, noiseTolerance: 6)
        var lowPass = OneEuroFilter(minimumCutoff: 0.1, beta: 0)
        var generator = SeededGenerator(seed: 2)
        var apart = 0.0
        for frame in 0..<300 {
            let sample = size * generator.number(-1...1)
            let (a, b) = (
                filter.filter(sample, interval: interval), lowPass.filter(sample, interval: interval)
            )
            if frame >= 60 { apart += abs(a - b) / 240 }
        }
        #expect(apart < 0.2 * size, "\(apart)")
        #expect(filter.filter(20 * size, interval: interval) > 18 * size)
        #expect(lowPass.filter(20 * size, interval: interval) < 2 * size)
    }

    /// At two frames a second motion looks like noise, but must not be delayed.
    @Test func motionIsFollowedInSlowStreams() {
        var filter = OneEuroFilter(minimumCutoff: 0.1, beta: 200, noiseTolerance: 2)
        var error = 0.0
        for frame in 0..<20 {
            let place = 0.2 * sin(2.5 * Double(frame))
            error += abs(filter.filter(place, interval: 0.5) - place) / 20
        }
        #expect(error < 0.02, "\(error)")
    }

    /// A point that moves along a diagonal is filtered like one that moves along an axis.
    @Test func allDirectionsAreTheSame() {
        var (along, across) = (
            OneEuroFilter(minimumCutoff: 0.5, beta: 3), OneEuroFilter(minimumCutoff: 0.5, beta: 3)
        )
        let direction = SIMD3(0.6, 0.48, 0.64)
        for frame in 0..<30 {
            let place = sin(Double(frame) / 4)
            let expected = along.filter(place, interval: interval) * direction
            let filtered = across.filter(place * direction, interval: interval)
            #expect((filtered - expected).norm < 1e-12)
        }
    }

    @Test func withoutTimeThereIsNoMemory() {
        var filter = OneEuroFilter(minimumCutoff: 1, beta: 0)
        _ = filter.filter(0, interval: interval)
        #expect(filter.filter(1, interval: 0) == 1)
        #expect(filter.filter(2, interval: .nan) == 2)
    }

    /// Samples of every second frame, with the known motion between them, lag no more than samples of every frame.
    @Test func aFilterThatMovesAlongDoesNotLag() {
        var (every, second) = (
            OneEuroFilter(minimumCutoff: 0.1, beta: 20), OneEuroFilter(minimumCutoff: 0.1, beta: 20)
        )
        var (lag, ownLag) = (0.0, 0.0)
        for frame in 0..<120 {
            let place = 0.02 * Double(frame)
            let filtered = every.filter(place, interval: interval)
            if frame.isMultiple(of: 2) {
                _ = second.filter(place, interval: interval)
            } else {
                second.move(by: SIMD3(0.02, 0, 0), interval: interval)
            }
            guard frame >= 60, let own = second.current else { continue }
            lag += place - filtered
            ownLag += place - own
        }
        #expect(lag > 0 && ownLag < lag && ownLag > 0, "\(ownLag) of \(lag)")
    }

    /// At rest samples of every second frame, which weigh twice as much, make about as many steps as those of every frame.
    @Test func aFilterThatMovesAlongRests() {
        var (every, second) = (
            OneEuroFilter(minimumCutoff: 0.2, beta: 50, noiseTolerance: 1.75),
            OneEuroFilter(minimumCutoff: 0.2, beta: 50, noiseTolerance: 1.75)
        )
        var generator = SeededGenerator(seed: 4)
        var (steps, ownSteps, last, ownLast) = (0.0, 0.0, 0.0, 0.0)
        for frame in 0..<600 {
            let sample = 0.01 * generator.number(-1...1)
            let filtered = every.filter(sample, interval: interval)
            if frame.isMultiple(of: 2) {
                _ = second.filter(sample, interval: interval)
            } else {
                second.move(by: SIMD3(), interval: interval)
            }
            let own = second.current ?? .infinity
            if frame >= 60 {
                steps += abs(filtered - last)
                ownSteps += abs(own - ownLast)
            }
            (last, ownLast) = (filtered, own)
        }
        #expect(steps > 0 && ownSteps < 1.15 * steps, "\(ownSteps) of \(steps)")
    }

    @Test func aFilterWithoutSamplesDoesNotMove() {
        var filter = OneEuroFilter(minimumCutoff: 1, beta: 1)
        filter.move(by: SIMD3(3, 0, 0), interval: interval)
        #expect(filter.current == nil)
        #expect(filter.filter(0.5, interval: interval) == 0.5)
    }
}

import Foundation
import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests of streams with the real models.
@Suite struct BodyStreamTests {
    private let portrait: Photo
    private let request = DetectHumanBodyPoseRequest.forTests()

    init() throws {
        portrait = try #require(Photo.portrait)
        request.mode = .recording
    }

    @Test func aPersonWhoMovesKeepsTheirId() throws {
        var noses: [Double] = []
        for step in 0..<12 {
            let photo = portrait.placed(left: 6 * step, top: step, width: 640, height: 540)
            let bodies = try request.bodies(in: photo)
            #expect(bodies.map(\.id) == [1])
            noses.append((bodies.first?.joint(.nose).location.x ?? .nan) * 640)
        }
        #expect(abs((noses[11] - noses[3]) / 8 - 6) < 1.5, "\(noses)")
    }

    @Test func aNewcomerIsFoundAndNobodyTwice() throws {
        let empty = Photo.grey(width: 512, height: 512)
        for _ in 0..<3 { #expect(try request.bodies(in: portrait.beside(empty)).count == 1) }
        var ids: [[Int]] = []
        for _ in 0..<24 { ids.append(try request.bodies(in: portrait.beside(portrait)).map(\.id)) }
        #expect(ids.allSatisfy { $0.count <= 2 })
        #expect(ids.last == [1, 2], "\(ids)")
    }

    @Test func aPersonWhoReturnsAtOnceKeepsTheirId() throws {
        _ = try request.bodies(in: portrait)
        let empty = Photo.grey(width: 512, height: 512)
        var isGone = false
        for _ in 0..<8 where !isGone { isGone = try request.bodies(in: empty).isEmpty }
        #expect(isGone)
        var ids: [Int] = []
        for _ in 0..<25 where ids.isEmpty { ids = try request.bodies(in: portrait).map(\.id) }
        #expect(ids == [1])
    }

    @Test func aLoweredLimitEndsTheTracksOfTheSmallest() throws {
        let group = portrait.placed(left: 60, top: 160, width: 512, height: 512, factor: 0.6).beside(portrait)
        let people = try request.bodies(in: group)
        let largest = people.max { $0.boundingBox.height < $1.boundingBox.height }
        #expect(people.count == 2)
        request.maximumPeople = 1
        #expect(try request.bodies(in: group).map(\.id) == [largest?.id])
    }

    /// A search, the body's place and its joints take one image each.
    @Test func theFirstSearchCanBeSpread() throws {
        request.mode = .camera
        let counts = try (0..<3).map { _ in try request.bodies(in: portrait).count }
        #expect(counts == [0, 0, 1])
    }

    @Test func withoutASearchNobodyIsFoundLater() throws {
        request.searchInterval = nil
        _ = try request.bodies(in: .grey(width: 512, height: 512))
        for _ in 0..<4 { #expect(try request.bodies(in: portrait).isEmpty) }
    }

    @Test func anIdIsNotUsedAgainAfterAReset() throws {
        #expect(try request.bodies(in: portrait).map(\.id) == [1])
        request.reset()
        #expect(try request.bodies(in: portrait).map(\.id) == [2])
    }

    /// Jitter is below 0.3 % of the body's height, which is about three times the trunk.
    @Test func aStillPersonDoesNotJitter() throws {
        var noses: [Point] = []
        var height = 0.0
        for seed in 0..<24 {
            let bodies = try request.bodies(in: portrait.noisy(deviation: 3, seed: UInt64(seed)))
            let body = try #require(bodies.first)
            noses.append(body.joint(.nose).location)
            height = 3 * abs(body.joint(.root).location.y - body.joint(.neck).location.y)
        }
        for values in [noses.map(\.x), noses.map(\.y)].map({ $0.dropFirst(10) }) {
            let mean = values.reduce(0, +) / Double(values.count)
            let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
            #expect(variance.squareRoot() < 0.003 * height, "\(variance.squareRoot() / height)")
        }
    }

    /// Returns the share of joints, in each frame with people after the first, that are exactly where they were, by person.
    private func restingShares(of photo: Photo, _ count: Int, _ mode: AnalysisMode) throws -> [[Double]] {
        (request.mode, request.smoothing) = (mode, 0)
        let frames = try (0..<count).map { frame in
            try request.bodies(in: photo.noisy(deviation: 2, seed: UInt64(frame))).map {
                $0.joints.map(\.location)
            }
        }
        return zip(frames, frames.dropFirst()).map { last, next in
            zip(last, next).map { last, next in
                Double(zip(last, next).count { $0 == $1 }) / Double(next.count)
            }
        }
    }

    /// The landmark model runs in every second frame; in others the points rest, because the image does.
    @Test func aStillPersonBeforeACameraIsMeasuredInEverySecondFrame() throws {
        let rests = try restingShares(of: portrait, 18, .camera).suffix(14).map { $0.count { $0 > 0.5 } }
        #expect(rests.count { $0 == 1 } >= 5, "\(rests)")
        #expect(zip(rests, rests.dropFirst()).allSatisfy { $0 + $1 <= 1 }, "\(rests)")
    }

    /// No frame pays for all people: in each of them one of two is measured.
    @Test func twoPeopleBeforeACameraAreMeasuredInTurns() throws {
        let rests = try restingShares(of: portrait.beside(portrait), 40, .camera).suffix(14)
            .map { $0.count { $0 > 0.5 } }
        #expect(rests.count { $0 == 1 } >= 6 && rests.allSatisfy { $0 <= 1 }, "\(rests)")
    }

    @Test(arguments: [AnalysisMode.image, .recording]) func othersAreMeasuredInEachFrame(_ mode: AnalysisMode)
        throws
    {
        let shares = try restingShares(of: portrait, 6, mode)
        #expect(shares.count == 5 && shares.allSatisfy { $0.count == 1 && $0[0] < 0.2 }, "\(shares)")
    }

    /// Joints follow slow motion in the frames in which they are not measured, too, and more exactly than measured ones do.
    @Test func slowMotionIsFollowedInEveryFrame() throws {
        (request.mode, request.smoothing) = (.camera, 0)
        let necks = try (0..<22).compactMap { step in
            let photo = portrait.placed(left: 2 * step, top: 0, width: 600, height: 512)
            return try request.bodies(in: photo).first.map { $0.joint(.neck).location.x * 600 }
        }
        let steps = zip(necks.dropFirst(), necks).map { $0 - $1 }.suffix(16)
        #expect(steps.count == 16 && abs(steps.reduce(0, +) / 16 - 2) < 0.5, "\(steps)")
        #expect(steps.count { abs($0 - 2) < 0.1 } >= 5, "\(steps)")
    }
}

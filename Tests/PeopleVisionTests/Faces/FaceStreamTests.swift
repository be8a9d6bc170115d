import Foundation
import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests of streams with the real models.
@Suite struct FaceStreamTests {
    private let portrait: Photo
    private let request = DetectFaceRectanglesRequest.forTests()

    init() throws {
        portrait = try #require(Photo.portrait)
        request.mode = .recording
    }

    @Test func aFaceThatMovesKeepsItsId() throws {
        var centers: [Double] = []
        for step in 0..<24 {
            let photo = portrait.placed(left: 4 * step, top: step, width: 640, height: 540)
            let faces = try request.faces(in: photo)
            #expect(faces.map(\.id) == [1])
            centers.append(faces.first?.boundingBox.center.x ?? .nan)
        }
        for (before, after) in zip(centers, centers.dropFirst()) {
            #expect(abs((after - before) * 640 - 4) < 2)
        }
    }

    /// The landmark models lose such a head, whose crop it has left, and a detector finds it again in the same frame.
    @Test func aHeadThatMovesByMostOfItsWidthIsFollowed() throws {
        for step in 0..<16 {
            let photo = portrait.placed(left: 36 * step, top: 200, width: 1280, height: 720, factor: 0.6)
            let faces = try request.faces(in: photo)
            #expect(faces.map(\.id) == [1], "frame \(step)")
        }
    }

    @Test func aNewcomerIsFoundAndNobodyTwice() throws {
        let empty = Photo.grey(width: 512, height: 512)
        for _ in 0..<3 { #expect(try request.faces(in: portrait.beside(empty)).count == 1) }
        var ids: [[Int]] = []
        for _ in 0..<20 { ids.append(try request.faces(in: portrait.beside(portrait)).map(\.id)) }
        #expect(ids.allSatisfy { $0.count <= 2 })
        #expect(Set(ids.last ?? []) == [1, 2])
    }

    @Test func aLoweredLimitEndsTracks() throws {
        let group = portrait.beside(portrait)
        #expect(try request.faces(in: group).count == 2)
        request.maximumFaces = 1
        #expect(try request.faces(in: group).count == 1)
    }

    @Test func aSmallNewcomerIsFoundWithinASecond() throws {
        let empty = Photo.grey(width: 1280, height: 720)
        let visited = portrait.placed(left: 900, top: 300, width: 1280, height: 720, factor: 0.42)
        _ = try request.faces(in: empty)
        var counts: [Int] = []
        for _ in 0..<30 where counts.last != 1 { counts.append(try request.faces(in: visited).count) }
        #expect(counts.last == 1, "\(counts)")
    }

    /// The streams have 30 frames a second and follow one or three faces.
    @Test(arguments: [1, 3])
    func aLargeNewcomerIsFoundWithinATenthOfASecond(beside count: Int) throws {
        // Faces take 14 % of the image. Each portrait covers the margins of the last one.
        let place = { (number: Int) in (left: number % 2 * 330, top: number / 2 * 300) }
        func group(_ count: Int) -> Photo {
            (0..<count).reduce(Photo.grey(width: 700, height: 700)) {
                $0.overlaid(by: portrait, left: place($1).left, top: place($1).top, factor: 1)
            }
        }
        let (before, after) = (group(count), group(count + 1))
        for _ in 0..<10 { #expect(try request.faces(in: before).count == count) }
        var waited = 0
        while try request.faces(in: after).count <= count, waited < 30 { waited += 1 }
        #expect(Double(waited) / 30 <= 0.1 + 1e-9, "\(waited) frames")
    }

    @Test func withoutASearchNobodyIsFoundLater() throws {
        request.searchInterval = nil
        _ = try request.faces(in: .grey(width: 512, height: 512))
        for _ in 0..<8 { #expect(try request.faces(in: portrait).isEmpty) }
    }

    /// A large face is found in one of the first images, each of which searches two views at most.
    @Test func theFirstSearchCanBeSpread() throws {
        request.mode = .camera
        let counts = try (0..<4).map { _ in try request.faces(in: portrait).count }
        #expect(counts.last == 1, "\(counts)")
    }

    /// A stream of two frames a second is searched a little in every image.
    @Test func aSlowStreamFindsALargeNewcomerAtOnce() throws {
        _ = try request.faces(in: .grey(width: 512, height: 512), after: 0.5)
        let counts = try (0..<2).map { _ in try request.faces(in: portrait, after: 0.5).count }
        #expect(counts.last == 1, "\(counts)")
    }

    @Test func irisesComeWhenAskedFor() throws {
        for (attributes, count) in [(FaceAttributes(), 468), (.irises, 478), (.landmarks, 478)] {
            request.reset()
            request.attributes = attributes
            for _ in 0..<3 { #expect(try request.faces(in: portrait).first?.mesh.count == count) }
        }
    }

    /// The angles in a stream equal those of single images, up to the differences between the models.
    @Test func aStreamHasTheAnglesOfSingleImages() throws {
        let single = DetectFaceRectanglesRequest.forTests()
        for turn in [0.0, 40] {
            let photo = portrait.rotated(degrees: turn)
            let alone = try #require(try single.faces(in: photo).first)
            request.reset()
            var face: FaceObservation?
            for _ in 0..<12 { face = try request.faces(in: photo).first }
            let followed = try #require(face)
            #expect(abs(degrees(followed.roll, alone.roll)) < 2)
            #expect(abs(degrees(followed.yaw, alone.yaw)) < 3)
            #expect(abs(degrees(followed.pitch, alone.pitch)) < 3)
        }
    }

    @Test func aFaceThatComesBackAtOnceKeepsItsId() throws {
        _ = try request.faces(in: portrait)
        #expect(try request.faces(in: .grey(width: 512, height: 512)).isEmpty)
        var ids: [Int] = []
        for _ in 0..<8 where ids.isEmpty { ids = try request.faces(in: portrait).map(\.id) }
        #expect(ids == [1])
    }

    @Test func anIdIsNotUsedAgainAfterAReset() throws {
        #expect(try request.faces(in: portrait.beside(portrait)).map(\.id) == [1, 2])
        request.reset()
        #expect(try request.faces(in: portrait).map(\.id) == [3])
    }

    @Test func aFaceTurnsAllTheWayRound() throws {
        for angle in stride(from: 0.0, to: 360, by: 12) {
            let faces = try request.faces(in: portrait.rotated(degrees: angle))
            #expect(faces.map(\.id) == [1])
            // The filter may lag by part of a step.
            #expect(abs(degrees(faces.first?.roll ?? .nan, angle * .pi / 180)) < 10)
        }
    }

    /// With tilts of 15 degrees twice a second, the result is nearer to this image's angle than to the last
    /// one's.
    @Test func aFastTiltDoesNotLag() throws {
        let start = try #require(try request.faces(in: portrait).first).roll
        let tilt = { (index: Int) in 15 * sin(2 * .pi * 2 * Double(index) / 30) }
        var (now, before) = (0.0, 0.0)
        for index in 1...40 {
            let face = try #require(try request.faces(in: portrait.rotated(degrees: tilt(index))).first)
            let turned = degrees(face.roll, start)
            guard index > 10 else { continue }
            now += abs(turned - tilt(index))
            before += abs(turned - tilt(index - 1))
        }
        #expect(now < before, "\(now / 30) and \(before / 30) degrees")
    }

    @Test func aStillHeadDoesNotJitter() throws {
        var angles: [[Double]] = []
        for seed in 0..<30 {
            let faces = try request.faces(in: portrait.noisy(deviation: 3, seed: UInt64(seed)))
            let face = try #require(faces.first)
            angles.append([face.roll, face.yaw, face.pitch])
        }
        for axis in 0..<3 {
            let values = angles.dropFirst(10).map { $0[axis] * 180 / .pi }
            let mean = values.reduce(0, +) / Double(values.count)
            let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
            #expect(variance.squareRoot() <= 0.15, "axis \(axis)")
        }
    }
}

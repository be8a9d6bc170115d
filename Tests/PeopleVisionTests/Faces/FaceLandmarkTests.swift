import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests of the 76 points in their regions: the table alone, and the real models on the portrait.
@Suite struct FaceLandmarkTests {
    private typealias Region = FaceLandmarks.Region
    private let portrait: Photo
    private let request = DetectFaceLandmarksRequest()

    init() throws {
        portrait = try #require(Photo.portrait)
        request.modelPath = DetectFaceRectanglesRequest.forTests().modelPath
    }

    @Test func thereAre76PointsEachOnce() {
        #expect(LandmarkIndices.points.count == 76)
        #expect(Set(LandmarkIndices.points).count == 76)
        let counts: [Region: Int] = [
            .faceContour: 17, .leftEye: 6, .rightEye: 6, .leftEyebrow: 6, .rightEyebrow: 6, .nose: 8,
            .noseCrest: 5, .medianLine: 10, .outerLips: 14, .innerLips: 6, .leftPupil: 1, .rightPupil: 1,
        ]
        for region in Region.allCases {
            let indices = FaceLandmarks.indices(of: region)
            #expect(indices.count == counts[region], "\(region)")
            #expect(indices.map { LandmarkIndices.points[$0] } == LandmarkIndices.mesh(region))
        }
    }

    @Test func theMedianLineHasNoPointsOfItsOwn() {
        let others = Region.allCases.filter { $0 != .medianLine }.flatMap(LandmarkIndices.mesh)
        #expect(others.count == 76)
        #expect(Set(LandmarkIndices.mesh(.medianLine)).isSubset(of: others))
    }

    private func landmarks(_ photo: Photo) throws -> FaceLandmarks {
        try #require(try request.faces(in: photo).first?.landmarks)
    }

    /// Regions are near positions that were read off the portrait, in pixels.
    @Test func regionsLieWhereTheyShould() throws {
        let landmarks = try landmarks(portrait)
        let expected: [(Region, x: Double, y: Double, within: Double)] = [
            (.rightPupil, 203, 101, 3), (.leftPupil, 246, 104, 3), (.rightEye, 205, 102, 4),
            (.leftEye, 246, 104, 4), (.rightEyebrow, 202, 90, 5), (.leftEyebrow, 250, 93, 5),
            (.noseCrest, 224, 116, 4), (.nose, 224, 126, 4), (.outerLips, 224, 146, 4),
            (.innerLips, 224, 146, 4), (.medianLine, 224, 136, 6), (.faceContour, 225, 145, 8),
        ]
        #expect(expected.count == Region.allCases.count)
        for (region, x, y, distance) in expected {
            let points = landmarks[region].map(\.position)
            let middle = (
                points.reduce(0) { $0 + $1.x } / Double(points.count) * 512,
                points.reduce(0) { $0 + $1.y } / Double(points.count) * 512
            )
            #expect(abs(middle.0 - x) < distance && abs(middle.1 - y) < distance, "\(region) at \(middle)")
        }
    }

    /// Each named outline has the points of its region, in pixels from either corner.
    @Test func outlinesAreTheRegions() throws {
        let landmarks = try landmarks(portrait)
        let named = [
            landmarks.faceContour, landmarks.leftEye, landmarks.rightEye, landmarks.leftEyebrow,
            landmarks.rightEyebrow, landmarks.nose, landmarks.noseCrest, landmarks.medianLine,
            landmarks.outerLips, landmarks.innerLips, landmarks.leftPupil, landmarks.rightPupil,
        ]
        #expect(named.map(\.region) == Region.allCases)
        #expect(
            zip(named, Region.allCases).allSatisfy { $0.landmarks == landmarks[$1] && !$0.points.isEmpty })
        #expect(
            landmarks.allPoints.points.count == 76
                && landmarks.allPoints.pointsClassification == .disconnected)
        let size = Size(width: 512, height: 512)
        let pupil = landmarks.leftPupil.pointsInImageCoordinates(size)
        #expect(pupil.count == 1 && abs(pupil[0].x - 246) < 3 && abs(pupil[0].y - 104) < 3)
        let below = landmarks.leftPupil.pointsInImageCoordinates(size, origin: .lowerLeft)
        #expect(below[0].x == pupil[0].x && abs(below[0].y - (512 - pupil[0].y)) < 1e-9)
        #expect(landmarks.outerLips.pointsClassification == .closedPath)
        #expect(landmarks.faceContour.pointsClassification == .openPath)
        #expect(landmarks.rightPupil.pointsClassification == .disconnected)
    }

    @Test func leftAndRightAreThePersonsOwn() throws {
        let landmarks = try landmarks(portrait)
        for (left, right) in [
            (Region.leftEye, Region.rightEye), (.leftEyebrow, .rightEyebrow), (.leftPupil, .rightPupil),
        ] {
            let (leftmost, rightmost) = (
                landmarks[left].map(\.position.x).min() ?? 0, landmarks[right].map(\.position.x).max() ?? 1
            )
            #expect(leftmost > rightmost)
        }
    }

    @Test func aFrontalFaceIsTrustedEverywhere() throws {
        let landmarks = try landmarks(portrait)
        #expect(landmarks.points.allSatisfy { $0.confidence > 0.5 && $0.confidence <= 1 })
    }

    /// A quarter of the face lies outside the image, where the model guesses.
    @Test func pointsOutsideTheImageAreTrustedLess() throws {
        let cut = portrait.placed(left: -196, top: 0, width: 512, height: 512)
        let points = try landmarks(cut).points
        let (outside, inside) = (points.filter { $0.position.x < 0 }, points.filter { $0.position.x > 0.05 })
        #expect(outside.count > 4)
        let surest = outside.map(\.confidence).max() ?? 1
        #expect(surest < (inside.map(\.confidence).min() ?? 0))
    }

    @Test func landmarksAreOnlyComputedOnRequest() throws {
        let plain = DetectFaceRectanglesRequest.forTests()
        let face = try #require(try plain.faces(in: portrait).first)
        #expect(face.landmarks == nil)
    }
}

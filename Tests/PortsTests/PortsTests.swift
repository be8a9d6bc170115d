import Foundation
import ImageFiles
import PeopleVision
import TestSupport
import Testing

/// Runs ports of programs that were written for Apple's Vision; docs/vision.md compares the names.
@Suite struct PortsTests {
    private let photo = Checkout.astronaut.path

    /// Returns the pixel of an image file.
    private func pixel(_ path: String, _ x: Int, _ y: Int) throws -> [Int] {
        let file = try ImageFile(reading: path)
        return (0..<3).map { Int(file.view.plane(0).row(y)[3 * x + $0]) }
    }

    /// Writes a plain picture, of another shape than the photo.
    private func plain(_ color: RGBColor, to path: String) throws {
        let nobody = try #require(Mask(format: .gray8, width: 1, height: 1) { _ in })
        try ImageFile(reading: photo).blended(by: nobody, over: .color(color)).writePNG(to: path)
    }

    private func difference(_ a: [Int], _ b: [Int]) -> Int { zip(a, b).map { abs($0 - $1) }.max() ?? 255 }

    @Test(arguments: GeneratePersonSegmentationRequest.QualityLevel.allCases)
    func segmentsAPhoto(_ level: GeneratePersonSegmentationRequest.QualityLevel) async throws {
        let mask = try await segmentPeople(in: photo, qualityLevel: level)
        let values = mask.values
        let (width, height) = (mask.view.width, mask.view.height)
        #expect(values[height / 2 * width + width * 45 / 100] > 0.9)
        #expect(values[height / 20 * width + width / 50] < 0.1)
    }

    @Test func makesAGreeting() async throws {
        let scratch = try Scratch()
        let (background, result) = (scratch.path("background.png"), scratch.path("greeting.jpg"))
        try plain(RGBColor(red: 0, green: 200, blue: 0), to: background)
        try await makeGreeting(from: photo, background: background, to: result)
        #expect(difference(try pixel(result, 10, 25), [0, 200, 0]) < 12)
        #expect(difference(try pixel(result, 230, 250), try pixel(photo, 230, 250)) < 24)
    }

    @Test func makesGreetingsOfAVideo() async throws {
        let scratch = try Scratch()
        let background = scratch.path("background.png")
        try plain(RGBColor(red: 0, green: 0, blue: 200), to: background)
        let results = (0..<3).map { scratch.path("frame\($0).jpg") }
        try await makeGreetings(from: [photo, photo, photo], background: background, to: results)
        for result in results {
            #expect(difference(try pixel(result, 10, 25), [0, 0, 200]) < 12)
            #expect(difference(try pixel(result, 230, 250), try pixel(photo, 230, 250)) < 24)
        }
    }

    @Test func colorsTheBackgroundByTheAngles() async throws {
        let scratch = try Scratch()
        let result = scratch.path("frame.png")
        let color = try #require(try await colorBackground(of: photo, to: result))
        // The head is nearly upright.
        #expect(abs(Int(color.red) - 128) < 60)
        let expected = [Int(color.red), Int(color.green), Int(color.blue)]
        #expect(difference(try pixel(result, 10, 25), expected) < 3)
        #expect(difference(try pixel(result, 230, 250), try pixel(photo, 230, 250)) < 3)
    }

    @Test func liftsThePersonAtAPoint() async throws {
        let lifted = try #require(try await liftPerson(at: NormalizedPoint(x: 0.45, y: 0.4), of: photo))
        #expect(lifted.mask.view.width == 512 && lifted.mask.view.height == 512)
        #expect((257...512).contains(lifted.image.width) && (401...512).contains(lifted.image.height))
        #expect(try await liftPerson(at: NormalizedPoint(x: 0.98, y: 0.5), of: photo) == nil)
    }

    @Test func liftsSubjects() async throws {
        let all = try #require(try await liftSubjects(of: photo))
        let one = try #require(try await liftSubjects(of: photo, at: NormalizedPoint(x: 0.45, y: 0.4)))
        #expect(one.width <= all.width && one.height <= all.height && one.width > 256)
    }

    @Test func findsJointsByNameAndGroup() async throws {
        let (nose, arm) = try #require(try await findArms(in: photo))
        // The face is in the upper half.
        #expect((180...280).contains(nose.x) && (350...450).contains(nose.y))
        #expect(arm.count == 3 && arm.allSatisfy { $0.y < nose.y })
    }

    @Test func placesTheBodyInSpace() async throws {
        let view = try #require(try await viewInSpace(photo))
        #expect(view.bodyHeight == 1.8 && view.scale > 0.3 && view.scale < 3)
        #expect((0...Double.pi).contains(view.elbowAngle))
        // The camera is before the person.
        #expect(view.camera.z > 0.5 && abs(view.camera.x) < view.camera.z)
        #expect(abs(view.shift.x) < view.scale && abs(view.shift.y) < 2 * view.scale)
    }

    /// The first frame of the clip has two right hands and a left one.
    @Test func findsHandsWithTheirChirality() async throws {
        let scratch = try Scratch()
        let (frame, empty) = (scratch.path("frame.png"), scratch.path("nobody.png"))
        let made = try Subprocess.launch(
            "filesrc location=\(Checkout.clip.path) ! decodebin ! videoconvert ! pngenc snapshot=true "
                + "! filesink location=\(frame)")
        try #require(made.status == 0, "\(made.output)")
        let hands = try await findFingers(in: frame)
        #expect(hands.map { $0.chirality.rawValue }.sorted() == ["left", "right", "right"])
        for hand in hands {
            #expect((0...1).contains(hand.thumb.x) && (0...1).contains(hand.index.y))
            #expect(hand.thumb != hand.index)
        }
        try plain(.black, to: empty)
        #expect(try await findFingers(in: empty).isEmpty)
    }

    /// A photo of which black covers all but a seventh is darker.
    @Test func choosesTheBestShot() async throws {
        let scratch = try Scratch()
        let dark = scratch.path("dark.png")
        let seventh = try #require(
            Mask(format: .f32, width: 1, height: 1) { $0.writeRow(0, from: [0.15]) })
        try ImageFile(reading: photo).blended(by: seventh, over: .color(.black), decontaminate: false)
            .writePNG(to: dark)
        #expect(try await bestShot(of: [dark, photo, dark]) == photo)
        let nobody = scratch.path("nobody.png")
        try plain(.black, to: nobody)
        #expect(try await bestShot(of: [nobody]) == nil)
    }
}

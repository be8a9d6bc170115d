import Foundation
import Imaging
import Inference
import PeopleVision
import TestSupport
import Testing

/// Tests of people in real images.
struct PersonDetectorTests {
    private func people(
        in photo: Photo, orientation: ImageOrientation = .up
    ) throws -> [BoxDetection] {
        let (detector, image) = (try PersonDetector(.forTests), photo.image)
        // People of an earlier frame are removed.
        var people = [BoxDetection(box: .unit, score: 1)]
        try detector.find(in: image.view, orientation: orientation, into: &people)
        return people
    }

    private func isNear(_ one: Rectangle, _ other: Rectangle, within distance: Double) -> Bool {
        let left = max(abs(one.x - other.x), abs(one.y - other.y))
        let right = abs(one.x + one.width - other.x - other.width)
        return max(left, right, abs(one.y + one.height - other.y - other.height)) < distance
    }

    /// The box from the hair to the lower edge of the frame and from sleeve to sleeve, measured by hand.
    private let portrait = Rectangle(x: 0.04, y: 0.03, width: 0.67, height: 0.97)

    @Test func thePortraitShowsOnePersonWithFaceAndTrunk() throws {
        let people = try people(in: #require(Photo.portrait))
        #expect(people.count == 1)
        #expect(isNear(try #require(people.first).box, portrait, within: 0.04), "\(people)")
    }

    @Test func findsThreePeople() throws {
        // Flags and helmets give doubtful boxes, with too low a score for a new person.
        let people = try people(in: .row(of: 3)).filter { $0.score >= 0.4 }.sorted { $0.box.x < $1.box.x }
        try #require(people.count == 3, "\(people)")
        for (place, person) in people.enumerated() {
            let expected = Rectangle(
                x: (Double(place) + portrait.x) / 3, y: portrait.y, width: portrait.width / 3,
                height: portrait.height)
            #expect(isNear(person.box, expected, within: 0.04), "\(place): \(person)")
        }
    }

    @Test func aTurnedImageIsSeenUpright() throws {
        let turned = try #require(Photo.portrait).storedForRight
        let people = try people(in: turned, orientation: .right)
        #expect(people.count == 1)
        #expect(isNear(try #require(people.first).box, portrait, within: 0.04), "\(people)")
    }

    @Test func someoneSmallIsFoundInPlace() throws {
        let small = try #require(Photo.portrait)
            .placed(left: 500, top: 200, width: 960, height: 540, factor: 0.4)
        let person = try #require(people(in: small).first)
        let expected = Rectangle(
            x: (500 + 205 * portrait.x) / 960, y: (200 + 205 * portrait.y) / 540,
            width: 205 * portrait.width / 960, height: 205 * portrait.height / 540)
        #expect(isNear(person.box, expected, within: 0.04), "\(person)")
    }

    @Test func findsNobodyInAnEmptyImage() throws {
        let empty = Photo.grey(width: 320, height: 180)
        #expect(try people(in: empty).isEmpty)
        #expect(try people(in: empty.noisy(deviation: 60, seed: 1)).isEmpty)
    }

    @Test func reportsThatAModelIsNoDetector() throws {
        let models = try Scratch()
        let fixtures = Checkout.root.appendingPathComponent("Tests/Fixtures")
        for file in ["scale.xml", "scale.bin"] {
            try FileManager.default.copyItem(
                atPath: fixtures.appendingPathComponent(file).path, toPath: models.path(file))
        }
        let description = try String(
            contentsOf: fixtures.appendingPathComponent("scale.json"), encoding: .utf8)
        try description.replacingOccurrences(of: "\"scale\"", with: "\"person_detection\"")
            .write(toFile: models.path("person_detection.json"), atomically: true, encoding: .utf8)
        do throws(VisionError) {
            _ = try PersonDetector(.init(device: "CPU", threads: 0, modelPath: models.url.path))
            Issue.record("a model without boxes was taken for a detector")
        } catch {
            guard case .inference(.unsupportedModel(models.path("scale.xml"), _)) = error else {
                Issue.record("unexpected \(error)")
                return
            }
        }
    }
}

import Foundation
import ImageFiles
import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests of requests that read their images.
@Suite struct RequestsOnFilesTests {
    /// A request that returns the size and orientation of its image.
    private final class Look: VisionRequest {
        struct Configuration: RequestConfiguration {
            var revision = 1
            var mode = AnalysisMode.image
            var regionOfInterest = NormalizedRect.unit
        }
        static let supportedRevisions = 1...1
        var configuration = Configuration()

        func perform(on frame: InputFrame) throws(VisionError) -> String {
            "\(frame.image.width)x\(frame.image.height) \(frame.orientation)"
        }
    }

    private let path = Checkout.astronaut.path
    private var bytes: [UInt8] { get throws { [UInt8](try Data(contentsOf: Checkout.astronaut)) } }

    private func segmentation() -> GeneratePersonSegmentationRequest {
        let request = GeneratePersonSegmentationRequest()
        (request.qualityLevel, request.modelPath) = (.fast, Checkout.models.path)
        return request
    }

    @Test func takesAPathBytesAndAnImage() throws {
        #expect(try Look().perform(on: path) == "512x512 up")
        #expect(try Look().perform(on: bytes) == "512x512 up")
        #expect(try Look().perform(on: ImageFile(reading: path)) == "512x512 up")
        #expect(try ImageRequestHandler(path).perform(Look()) == "512x512 up")
        #expect(try ImageRequestHandler(bytes, orientation: .down).perform(Look()) == "512x512 down")
    }

    @Test func takesThemAsynchronously() async throws {
        #expect(try await Look().perform(on: path) == "512x512 up")
        #expect(try await Look().perform(on: bytes) == "512x512 up")
        #expect(try await Look().perform(on: ImageFile(reading: path)) == "512x512 up")
        let (first, second) = try await ImageRequestHandler(path).perform(Look(), Look())
        #expect(first == "512x512 up" && second == first)
    }

    @Test func appliesTheOrientationOfTheFile() async throws {
        let bytes = ImageFileTests.jpeg(orientation: 6)
        #expect(try await Look().perform(on: bytes) == "8x8 right")
        #expect(try await Look().perform(on: bytes, orientation: .up) == "8x8 up")
    }

    @Test func masksAreThoseOfTheDecodedImage() async throws {
        let file = try ImageFile(reading: path)
        let expected = try segmentation().mask(of: file)
        #expect(expected.contains { $0 > 0.9 })
        #expect(try await segmentation().perform(on: path).mask.values == expected)
    }

    @Test func anUnreadableImageIsAnError() async throws {
        #expect(throws: VisionError.unreadableImage("/none.png could not be read: No such file or directory"))
        {
            try Look().perform(on: "/none.png")
        }
        await #expect(throws: VisionError.unreadableImage("picture is neither a PNG nor a JPEG")) {
            try await Look().perform(on: [1, 2, 3])
        }
        await #expect(throws: VisionError.self) {
            try await ImageRequestHandler("/none").perform(Look(), Look())
        }
        let mask = try #require(Mask(format: .gray8, width: 1, height: 1) { $0.writeRow(0, from: [1]) })
        #expect(ImageRequestHandler("/none").cutOut(by: mask) == nil)
    }

    // MARK: - Instances

    @Test func instancesAreMaskedAndCropped() async throws {
        let request = GeneratePersonInstanceMaskRequest()
        request.segmentation = segmentation().configuration
        let handler = ImageRequestHandler(path)
        let people = try await handler.perform(request)
        #expect(people.allInstances == [1])
        #expect(people.instanceAtPoint(NormalizedPoint(x: 0.45, y: 0.4)) == [1])
        #expect(people.instanceAtPoint(NormalizedPoint(x: 0.98, y: 0.5)) == [])
        let mask = try people.generateMask(for: [1])
        #expect(mask.view.width == people.mask.view.width && mask.values.contains { $0 > 0.9 })
        let scaled = try people.generateScaledMask(for: [1], scaledToImageFrom: handler)
        #expect(scaled.view.width == 512 && scaled.view.height == 512)
        let whole = try people.generateMaskedImage(for: [1], imageFrom: handler)
        #expect(whole.width == 512 && whole.height == 512)
        let cropped = try people.generateMaskedImage(
            for: [1], imageFrom: handler, croppedToInstancesExtent: true)
        #expect(cropped.width <= 512 && cropped.height <= 512)
        #expect(cropped.width * cropped.height < 512 * 512)
        // The cropped image is a part of the whole one.
        let visible = { (image: CutOut) in
            stride(from: 3, to: image.pixels.count, by: 4).count { image.pixels[$0] > 0 }
        }
        #expect(visible(cropped) == visible(whole) && visible(whole) > 50_000)
        #expect(throws: VisionError.nothingVisible) {
            try people.generateMaskedImage(for: [2], imageFrom: ImageRequestHandler(path))
        }
    }
}

extension GeneratePersonSegmentationRequest {
    fileprivate func mask(of file: ImageFile) throws -> [Float] { try perform(on: file.view).mask.values }
}

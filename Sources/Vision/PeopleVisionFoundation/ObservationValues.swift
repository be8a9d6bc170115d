public import Foundation
public import PeopleVision

// Values of observations in the types that they have in Vision. They are taken where a program does not ask for the
// types of PeopleVision: `let yaw: Double = face.yaw` is in radians, as without this module.

extension VisionObservation {
    /// The identifier of this observation, the same in all its copies.
    public var uuid: UUID { UUID(identifier) }
}

extension UUID {
    /// Creates the identifier of an observation as Foundation's type.
    public init(_ uuid: ObservationUUID) {
        // Both are sixteen bytes in one form; the text always has it.
        self = UUID(uuidString: uuid.uuidString) ?? UUID()
    }
}

extension FaceObservation {
    /// Rotation in the image: positive when the head is turned counter-clockwise.
    public var roll: Measurement<UnitAngle> { measured(angles(in: .radians).roll) }
    /// Rotation to the side: positive when the nose points to the right of the image.
    public var yaw: Measurement<UnitAngle> { measured(angles(in: .radians).yaw) }
    /// Nod: positive when the nose points down.
    public var pitch: Measurement<UnitAngle> { measured(angles(in: .radians).pitch) }

    private func measured(_ radians: Double) -> Measurement<UnitAngle> {
        Measurement(value: radians, unit: .radians)
    }

    /// The quality of a face's capture.
    public struct CaptureQuality: Sendable, Hashable {
        /// The quality, 0...1; only images of one person can be compared.
        public let score: Float
    }

    /// The quality of the face's capture, if requested.
    public var captureQuality: CaptureQuality? { captureScore.map { CaptureQuality(score: Float($0)) } }
}

extension HumanBodyPose3DObservation {
    /// Height of the standing person, from the soles to the top of the head.
    public var bodyHeight: Measurement<UnitLength> { Measurement(value: heightInMetres, unit: .meters) }
    /// The source of `bodyHeight`.
    public var heightEstimationTechnique: HeightEstimation { heightEstimation }
}

extension InstanceMaskObservation {
    /// The labels of the image, including the crowd's.
    public var allInstances: IndexSet { IndexSet(instances.map(\.label) + (crowdLabel.map { [$0] } ?? [])) }

    /// Returns the label at a point, alone; nothing for the background and outside of the image.
    public func instanceAtPoint(_ point: NormalizedPoint) -> IndexSet {
        let label = instance(at: point)
        return label > 0 ? [label] : []
    }
}

/// Vision's name of the orientation of an image.
public typealias CGImagePropertyOrientation = ImageOrientation

/// Vision's name of the result of a segmentation.
public typealias PixelBufferObservation = PersonSegmentationObservation

extension PersonSegmentationObservation {
    /// The size of the mask.
    public var size: CGSize { CGSize(width: mask.view.width, height: mask.view.height) }
}

/// Core Video's number of a pixel format.
public typealias OSType = UInt32

/// 8 bits in each sample, 0...255.
public let kCVPixelFormatType_OneComponent8: OSType = 0x4c30_3038
/// Half floats, 0...1.
public let kCVPixelFormatType_OneComponent16Half: OSType = 0x4c30_3068
/// Single floats, 0...1.
public let kCVPixelFormatType_OneComponent32Float: OSType = 0x4c30_3066

extension GeneratePersonSegmentationRequest {
    /// Sample format of the mask, as Core Video's number; another number than the three above is ignored.
    public var outputPixelFormatType: OSType {
        get { Self.formats.first { $1 == configuration.outputPixelFormat }?.0 ?? 0 }
        set {
            guard let format = Self.formats.first(where: { $0.0 == newValue })?.1 else { return }
            configuration.outputPixelFormat = format
        }
    }

    private static let formats: [(OSType, MaskFormat)] = [
        (kCVPixelFormatType_OneComponent8, .gray8), (kCVPixelFormatType_OneComponent16Half, .f16),
        (kCVPixelFormatType_OneComponent32Float, .f32),
    ]
}

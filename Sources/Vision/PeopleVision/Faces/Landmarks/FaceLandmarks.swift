public import Imaging

/// A point of a face that has a name and a place in a region.
public struct FaceLandmark: Sendable, Hashable, Codable {
    /// The place of the point, in the image's stored orientation, normalised.
    public let position: Point
    /// The certainty of the position, 0...1.
    ///
    /// It is the certainty that this is a face, and less where the point is turned away from the camera or
    /// lies outside the image.
    public let confidence: Double

    package init(position: Point, confidence: Double) {
        (self.position, self.confidence) = (position, confidence)
    }
}

/// The 76 points of a face that outline its parts.
public struct FaceLandmarks: Sendable, Hashable, Codable {
    /// A part of a face; left and right are the person's own.
    ///
    /// The raw values name fields of metadata.
    public enum Region: String, CaseIterable, Sendable {
        /// From the right temple by the chin to the left temple.
        case faceContour = "face-contour"
        /// From the outer corner over the upper lid to the inner corner, and back over the lower lid.
        case leftEye = "left-eye"
        /// Same order as `leftEye`.
        case rightEye = "right-eye"
        /// Upper edge from the outer end to the inner, lower edge back.
        case leftEyebrow = "left-eyebrow"
        /// Same order as `leftEyebrow`.
        case rightEyebrow = "right-eyebrow"
        /// From the nose's right side down, along its base, and up on the left side.
        case nose
        /// From between the eyes to the tip.
        case noseCrest = "nose-crest"
        /// From between the eyes to the chin, through points of other regions.
        case medianLine = "median-line"
        /// From the right corner along the upper lip's upper edge, and back along the lower lip's lower edge.
        case outerLips = "outer-lips"
        /// The upper lip's lower edge from right to left, the lower lip's upper edge from left to right.
        case innerLips = "inner-lips"
        /// The middle of the left iris.
        case leftPupil = "left-pupil"
        /// The middle of the right iris.
        case rightPupil = "right-pupil"

        /// Whether the outline ends where it began.
        public var isClosed: Bool {
            switch self {
            case .leftEye, .rightEye, .leftEyebrow, .rightEyebrow, .outerLips, .innerLips: true
            default: false
            }
        }
    }

    /// All points, each once, region after region.
    public let points: [FaceLandmark]

    /// Returns the indices of `region` in `points`, in the order of its outline.
    public static func indices(of region: Region) -> [Int] { LandmarkIndices.byRegion[region] ?? [] }

    /// Returns the points of `region` in the order of its outline.
    public subscript(region: Region) -> [FaceLandmark] {
        Self.indices(of: region).compactMap { points.indices.contains($0) ? points[$0] : nil }
    }
}

/// The points of the mesh (MediaPipe's numbering, irises included) that are the 76 landmarks.
///
/// docs/elements.md has an image of them, drawn by `pipelines/drawing/landmarks.py`.
package enum LandmarkIndices {
    /// Returns points of the mesh, in the order of the region's outline.
    package static func mesh(_ region: FaceLandmarks.Region) -> [Int] {
        switch region {
        case .faceContour:
            [127, 234, 93, 132, 58, 172, 150, 176, 152, 400, 379, 397, 288, 361, 323, 454, 356]
        case .leftEye: [263, 387, 385, 362, 380, 373]
        case .rightEye: [33, 160, 158, 133, 153, 144]
        case .leftEyebrow: [300, 334, 336, 285, 282, 276]
        case .rightEyebrow: [70, 105, 107, 55, 52, 46]
        case .nose: [198, 129, 98, 97, 326, 327, 358, 420]
        case .noseCrest: [168, 197, 195, 5, 4]
        case .medianLine: [168, 197, 195, 5, 4, 0, 13, 14, 17, 152]
        case .outerLips: [61, 40, 37, 0, 267, 270, 291, 321, 405, 314, 17, 84, 181, 91]
        case .innerLips: [81, 13, 311, 402, 14, 178]
        case .leftPupil: [473]
        case .rightPupil: [468]
        }
    }

    /// The mesh's number of each landmark, each once: regions in order, without points of earlier regions.
    package static let points: [Int] = {
        var points: [Int] = []
        for region in FaceLandmarks.Region.allCases where region != .medianLine {
            points += mesh(region)
        }
        return points
    }()

    /// The highest number in `points`; a mesh without irises ends before it.
    static let lastPoint = points.max() ?? 0

    /// The landmarks of each region, as indices into `points`.
    static let byRegion = Dictionary(
        uniqueKeysWithValues: FaceLandmarks.Region.allCases.map { region in
            (region, mesh(region).compactMap { points.firstIndex(of: $0) })
        })
}

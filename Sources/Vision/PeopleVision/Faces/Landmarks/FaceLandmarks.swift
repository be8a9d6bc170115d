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

extension FaceLandmarks {
    /// The points of a part of the face, in the order of its outline.
    public struct Outline: Sendable, Hashable {
        /// The part; nil for all points.
        public let region: Region?
        /// The points with their confidences.
        public let landmarks: [FaceLandmark]

        /// The places of the points, normalised to 0...1 of the whole image, not of the face's box.
        public var points: [NormalizedPoint] { landmarks.map(\.position) }

        /// The connection of the points.
        public var pointsClassification: PointsClassification {
            guard let region, landmarks.count > 1 else { return .disconnected }
            return region.isClosed ? .closedPath : .openPath
        }

        /// Returns the places of the points in an image, in pixels.
        ///
        /// - Parameters:
        ///   - size: size of the image in pixels.
        ///   - origin: the corner from which pixels are counted.
        public func pointsInImageCoordinates(
            _ size: Size, origin: CoordinateOrigin = .upperLeft
        ) -> [Point] {
            points.map { $0.toImageCoordinates(size, origin: origin) }
        }
    }

    /// The connection of the points of an outline.
    public enum PointsClassification: Sendable {
        /// Nothing connects them.
        case disconnected
        /// A line from the first to the last.
        case openPath
        /// A line that ends where it began.
        case closedPath
    }

    /// Returns the points of a part.
    public func outline(of region: Region) -> Outline {
        Outline(region: region, landmarks: self[region])
    }

    /// All points, each once.
    public var allPoints: Outline { Outline(region: nil, landmarks: points) }
    /// From the right temple by the chin to the left temple.
    public var faceContour: Outline { outline(of: .faceContour) }
    /// The lids of the left eye.
    public var leftEye: Outline { outline(of: .leftEye) }
    /// The lids of the right eye.
    public var rightEye: Outline { outline(of: .rightEye) }
    /// The left eyebrow.
    public var leftEyebrow: Outline { outline(of: .leftEyebrow) }
    /// The right eyebrow.
    public var rightEyebrow: Outline { outline(of: .rightEyebrow) }
    /// The nose's sides and base.
    public var nose: Outline { outline(of: .nose) }
    /// From between the eyes to the tip of the nose.
    public var noseCrest: Outline { outline(of: .noseCrest) }
    /// From between the eyes to the chin.
    public var medianLine: Outline { outline(of: .medianLine) }
    /// The outer edge of the lips.
    public var outerLips: Outline { outline(of: .outerLips) }
    /// The inner edge of the lips.
    public var innerLips: Outline { outline(of: .innerLips) }
    /// The middle of the left iris.
    public var leftPupil: Outline { outline(of: .leftPupil) }
    /// The middle of the right iris.
    public var rightPupil: Outline { outline(of: .rightPupil) }
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

/// Which points of the mesh (MediaPipe's numbering, irises included) are the 76 landmarks.
///
/// docs/elements.md has a picture of them, drawn by `pipelines/drawing/landmarks.py`.
package enum LandmarkIndices {
    /// Points of the mesh, in the order of the region's outline.
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

    /// The mesh's number of each landmark, each once: regions in order, without what an earlier one has.
    package static let points: [Int] = {
        var points: [Int] = []
        for region in FaceLandmarks.Region.allCases where region != .medianLine {
            points += mesh(region)
        }
        return points
    }()

    /// The highest number among them; a mesh without irises ends before it.
    static let lastPoint = points.max() ?? 0

    /// The landmarks of each region, as indices into `points`.
    static let byRegion = Dictionary(
        uniqueKeysWithValues: FaceLandmarks.Region.allCases.map { region in
            (region, mesh(region).compactMap { points.firstIndex(of: $0) })
        })
}

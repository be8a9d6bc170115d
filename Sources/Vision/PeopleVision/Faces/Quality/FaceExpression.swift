import Inference

/// Reads a face's expression from its mesh: 52 coefficients, of which some matter for a portrait.
package final class FaceExpression {
    private let request: InferenceRequest
    private let points: [Int]
    private let names: [String]
    private let blinks: [Int]
    private let grimaces: [Int]

    /// Degree to which the eyes are shut, 0...1: a weighted mean, in which the more closed eye has 0.75.
    package private(set) var eyesShut = 0.0
    /// Degree of other deviations from a face at rest, 0...1: mouth open, lips pursed, nose wrinkled.
    package private(set) var grimace = 0.0

    /// Coefficients of a grimace; smiles and raised brows do not count.
    private static let unwanted = [
        "jawOpen", "jawLeft", "jawRight", "mouthFunnel", "mouthPucker", "mouthLeft", "mouthRight",
        "noseSneerLeft", "noseSneerRight", "cheekPuff",
    ]

    /// Weight of the more closed eye: one shut eye spoils a portrait nearly as much as two.
    private static let closedWeight = 0.75

    package init(_ setup: ModelSetup) throws(VisionError) {
        let info = try setup.find("face_blendshapes")
        request = try setup.load(info)
        let facts = info.facts["blendshapes"]
        points = facts?["points"]?.array?.compactMap(\.integer) ?? []
        names = facts?["categories"]?.array?.map { $0.string ?? "" } ?? []
        let names = names
        blinks = ["eyeBlinkLeft", "eyeBlinkRight"].compactMap(names.firstIndex)
        grimaces = Self.unwanted.compactMap(names.firstIndex)
        guard !points.isEmpty, request.input.count == 2 * points.count, blinks.count == 2,
            points.allSatisfy({ (0..<10000).contains($0) })
        else { throw request.unsupported("its description does not say how its outputs are read") }
        _ = try request.output(0, count: names.count)
    }

    /// Reads a mesh in any unit of length that is the same in x and y.
    ///
    /// - Returns: false when the mesh lacks points, such as the irises, or a result is not finite; `eyesShut`
    ///   and `grimace` are then undefined.
    package func read(_ mesh: [SIMD3<Double>]) throws(VisionError) -> Bool {
        guard points.allSatisfy(mesh.indices.contains) else { return false }
        for (place, index) in points.enumerated() {
            request.input[2 * place] = Float(mesh[index].x)
            request.input[2 * place + 1] = Float(mesh[index].y)
        }
        try request.infer()
        let values = try request.output(0, count: names.count)
        let (one, other) = (Double(values[blinks[0]]), Double(values[blinks[1]]))
        eyesShut = Self.closedWeight * max(one, other) + (1 - Self.closedWeight) * min(one, other)
        grimace = Double(grimaces.lazy.map { values[$0] }.max() ?? 0)
        return eyesShut.isFinite && grimace.isFinite
    }
}

/// Makes one face of the many boxes that a detector puts around it.
///
/// The overlapping boxes are averaged, weighted by score, instead of dropped: the result jitters less
/// from frame to frame (BlazeFace, Bazarevsky et al. 2019, section 4).
package enum WeightedSuppression {
    /// Moves what is left of `candidates` to `faces`, best first.
    package static func reduce(
        _ candidates: inout [FaceCandidate], overlap: Double, into faces: inout [FaceCandidate]
    ) {
        while let best = candidates.max(by: { $0.score < $1.score }) {
            var sum = best * 0
            var weight = 0.0
            for candidate in candidates where belong(candidate, best, overlap) {
                sum = sum + candidate * candidate.score
                weight += candidate.score
            }
            let before = candidates.count
            candidates.removeAll { belong($0, best, overlap) }
            // A box that does not even overlap itself (no area) would keep the loop going.
            guard candidates.count < before, weight > 0 else {
                return candidates.removeAll(keepingCapacity: true)
            }
            var face = sum * (1 / weight)
            face.score = best.score
            faces.append(face)
        }
    }

    private static func belong(_ candidate: FaceCandidate, _ best: FaceCandidate, _ overlap: Double) -> Bool {
        candidate.box.overlap(with: best.box) > overlap
    }
}

/// What a sample of a plane's row belongs to.
enum SampleOwner: Equatable {
    /// Sample `sample` of part `part`: a colour component or alpha.
    case part(Int, sample: Int)
    /// Padding of pixel `pixel`.
    case padding(pixel: Int)
}

extension PixelLayout {
    /// The owner of sample `index` of a row of `plane`.
    func owner(ofSample index: Int, plane: Int) -> SampleOwner {
        for number in 0..<partCount {
            let part = part(number)
            let distance = index - part.first
            if part.plane == plane, distance >= 0, distance % part.step == 0 {
                return .part(number, sample: distance / part.step)
            }
        }
        return .padding(pixel: index / components.0.step)
    }
}

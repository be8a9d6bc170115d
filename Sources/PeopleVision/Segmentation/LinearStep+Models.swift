package import Imaging

extension LinearStep {
    /// For the selfie models, whose outline lies a little outside the person's and is too soft.
    package static let selfie = LinearStep(middle: 0.55, contrast: 1.5)

    /// For MODNet's mattes, which leave faint coverage on the background and are a little transparent on people.
    package static let matte = LinearStep(middle: 0.5, contrast: 1.1)
}

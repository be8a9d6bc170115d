import PeopleVision
import TestSupport

extension ModelSetup {
    /// A set-up with the models of the checkout.
    static let forTests = Self(device: "CPU", threads: 0, modelPath: Checkout.models.path)
}

import PeopleVision
import TestSupport

extension ModelSetup {
    /// The models of the checkout's set-up.
    static let forTests = Self(device: "CPU", threads: 0, modelPath: Checkout.models.path)
}

import Foundation
import TestSupport

extension Scratch {
    /// Makes a directory with photos that a script of `Tests/Fixtures` makes of the portrait.
    convenience init(photosOf script: String) throws {
        try self.init()
        let made = try Subprocess.run(
            "/usr/bin/python3",
            [
                Checkout.root.appendingPathComponent("Tests/Fixtures/\(script)").path,
                Checkout.astronaut.path, url.path,
            ], environment: ["PYTHONDONTWRITEBYTECODE": "1"])
        guard made.status == 0 else { throw SetupFailure(made.output) }
    }
}

import CommandKit

/// Backgrounds and a replacement for a camera: the files that set-up has made in a checkout, or the installed
/// ones.
enum SampleMedia {
    /// A clip that replaces a camera: the video that set-up fetches, which is in no package, else a moving
    /// portrait.
    static var clip: String? {
        Checkout.existing(Checkout.setup.map { $0 + "/media/demovideo.mp4" }) ?? find("stand-in.webm")
    }

    /// The default background.
    static var forest: String? {
        Checkout.existing(Checkout.root.map { $0 + "/forest.jpg" }) ?? find("backgrounds/forest.jpg")
    }

    /// All pictures that are offered as backgrounds.
    static var backgrounds: [String] {
        guard let folder = find("backgrounds") else { return [] }
        return FileSystem.names(in: folder).sorted().map { "\(folder)/\($0)" }
    }

    private static func find(_ name: String) -> String? {
        let folders = [Checkout.setup.map { $0 + "/drawn" }, Checkout.share.map { $0 + "/gst-people" }]
        return folders.lazy.compactMap { Checkout.existing($0.map { "\($0)/\(name)" }) }.first
    }
}

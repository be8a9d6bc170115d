// swift-tools-version:6.0
import PackageDescription

// A package of somebody else's that uses the library: it builds only while no unsafe build flag lies
// on the way to PeopleVision.
let package = Package(
    name: "library-user",
    dependencies: [.package(name: "gst-people", path: "../..")],
    targets: [
        .executableTarget(
            name: "library-user", dependencies: [.product(name: "PeopleVision", package: "gst-people")])
    ]
)

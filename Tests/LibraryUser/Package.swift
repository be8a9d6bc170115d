// swift-tools-version:6.0
import PackageDescription

// A package outside this one that uses the library; it builds only while no unsafe build flag lies on the
// way to PeopleVision. Its program is the one that docs/library.md shows.
let package = Package(
    name: "library-user",
    dependencies: [.package(name: "gst-people", path: "../..")],
    targets: [
        .executableTarget(
            name: "library-user",
            dependencies: [
                .product(name: "ImageFiles", package: "gst-people"),
                .product(name: "PeopleVision", package: "gst-people"),
            ])
    ]
)

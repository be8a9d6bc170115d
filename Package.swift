// swift-tools-version:6.0
import PackageDescription

/// Swift 6 language mode everywhere; imports say who may see them.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
]

/// Leaves out unused code, debug symbols, and the build ID, which would depend on the folder of the build.
///
/// With `-z now`, functions of other libraries are found at the start, and their table is read-only afterwards.
let leanLinking = [
    "--gc-sections", "--strip-debug", "-z", "now", "--build-id=none",
].flatMap { ["-Xlinker", $0] }

/// Needs no Swift on the user's machine and exports only the two entry points.
///
/// `--static-swift-stdlib` has no effect on dynamic products, hence the flag; release only,
/// because a debug build is for people with a toolchain.
let leanPlugin: [LinkerSetting] = [
    .unsafeFlags(
        [
            // The default linker leaves the names of hidden symbols in the dynamic table.
            "-static-stdlib", "-use-ld=lld",
            "-Xlinker",
            "--version-script=\(Context.packageDirectory)/Sources/GStreamer/PeoplePlugin/exports.map",
        ] + leanLinking,
        .when(configuration: .release))
]

/// As `leanPlugin`, for programs that are installed.
let leanProgram: [LinkerSetting] = [
    .unsafeFlags(["-static-stdlib", "-use-ld=lld"] + leanLinking, .when(configuration: .release))
]

/// The words of a package's maker for `gst-inspect-1.0`.
let packagingNames = ["PACKAGE_NAME", "PACKAGE_ORIGIN", "AUTHORS", "DOCUMENTATION"]
let packaging: [CSetting] = packagingNames.compactMap { name in
    guard let text = Context.environment["GST_PEOPLE_\(name)"], !text.isEmpty else { return nil }
    let escaped = text.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : "\($0)" }.joined()
    return .define("PEOPLE_\(name)", to: "\"\(escaped)\"")
}

/// Set by the scripts, whose products are installed: what they compile does not remember its checkout.
let forInstallation: [CSetting] =
    Context.environment["GST_PEOPLE_FOR_INSTALLATION"] == "1" ? [.define("PEOPLE_FOR_INSTALLATION")] : []

/// As `leanPlugin`, for the module that OBS loads; it finds libobs in the program.
let leanModule: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-static-stdlib", "-use-ld=lld",
            "-Xlinker", "--version-script=\(Context.packageDirectory)/Sources/OBS/OBSPlugin/exports.map",
        ] + leanLinking,
        .when(configuration: .release))
]

/// Whether the module for OBS is built, which needs the headers of libobs.
///
/// The scripts set it where `pkg-config` finds libobs. The manifest does not look for the headers itself: SwiftPM
/// keeps what a manifest has said until its text or the environment changes, not when a package is installed.
let buildsOBSModule = Context.environment["GST_PEOPLE_WITH_OBS"] == "1"
let obsProducts: [Product] =
    buildsOBSModule
    ? [.library(name: "gst-people-obs", type: .dynamic, targets: ["OBSPlugin"])] : []
let obsTargets: [Target] =
    buildsOBSModule
    ? [
        .systemLibrary(name: "COBS", path: "Sources/OBS/COBS"),
        .target(
            name: "OBSPlugin",
            dependencies: [
                "COBS", "Composer", "Framing", "PeopleSettings", "PeopleVision", "Imaging", "Properties",
                "Threads",
            ], path: "Sources/OBS/OBSPlugin",
            exclude: ["exports.map"],
            swiftSettings: strict,
            linkerSettings: leanModule),
    ] : []

let package = Package(
    name: "gst-people",
    products: [
        .library(name: "PeopleVision", targets: ["PeopleVision"]),
        .library(name: "ImageFiles", targets: ["ImageFiles"]),
        .library(name: "PeopleVisionGStreamer", targets: ["PeopleVisionGStreamer"]),
        .library(name: "PeopleVisionFoundation", targets: ["PeopleVisionFoundation"]),
        .library(name: "gstpeople", type: .dynamic, targets: ["PeoplePlugin"]),
        .executable(name: "people-bench", targets: ["people-bench"]),
        .executable(name: "gst-people", targets: ["gst-people"]),
    ] + obsProducts,
    targets: [
        // MARK: - C modules

        .systemLibrary(
            name: "CGStreamer", path: "Sources/Base/CGStreamer",
            pkgConfig: "gstreamer-video-1.0 gstreamer-app-1.0"),
        .systemLibrary(
            name: "CGStreamerCheck", path: "Sources/GStreamer/CGStreamerCheck",
            pkgConfig: "gstreamer-check-1.0 gstreamer-controller-1.0"),
        .systemLibrary(name: "COpenVINO", path: "Sources/Vision/COpenVINO"),
        .systemLibrary(name: "CDynamicLinker", path: "Sources/Base/CDynamicLinker"),
        .systemLibrary(name: "CPNG", path: "Sources/Vision/CPNG", pkgConfig: "libpng"),
        .systemLibrary(name: "CTurboJPEG", path: "Sources/Vision/CTurboJPEG", pkgConfig: "libturbojpeg"),
        .systemLibrary(name: "CSoup", path: "Sources/Studio/CSoup", pkgConfig: "libsoup-3.0"),
        .systemLibrary(name: "CGIO", path: "Sources/Tool/CGIO", pkgConfig: "gio-2.0"),
        .systemLibrary(name: "CVips", path: "Sources/Tool/CVips", pkgConfig: "vips"),
        .systemLibrary(name: "CLittleCMS", path: "Sources/GStreamer/CLittleCMS", pkgConfig: "lcms2"),
        .systemLibrary(name: "CZlib", path: "Sources/Base/CZlib", pkgConfig: "zlib"),

        .target(name: "CCheckout", path: "Sources/Base/CCheckout", cSettings: forInstallation),
        .target(name: "CKernels", path: "Sources/Vision/CKernels"),
        .target(name: "CPackaging", path: "Sources/GStreamer/CPackaging", cSettings: packaging),

        // MARK: - Libraries

        .target(
            name: "Imaging", dependencies: ["CKernels"], path: "Sources/Vision/Imaging", swiftSettings: strict
        ),
        .target(name: "JSON", path: "Sources/Base/JSON", swiftSettings: strict),
        .target(name: "Threads", path: "Sources/Base/Threads", swiftSettings: strict),
        .target(
            name: "Inference",
            dependencies: [
                "CCheckout", "CKernels", "Files", "JSON", "Threads", "COpenVINO", "CDynamicLinker",
            ],
            path: "Sources/Vision/Inference",
            swiftSettings: strict),
        .target(
            name: "PeopleVision", dependencies: ["Imaging", "Inference", "JSON", "Threads"],
            path: "Sources/Vision/PeopleVision",
            swiftSettings: strict),
        .target(
            name: "Framing", dependencies: ["Imaging"], path: "Sources/Composer/Framing",
            swiftSettings: strict),
        .target(
            name: "PeopleSettings",
            dependencies: ["PeopleVision", "Inference", "Imaging", "Properties", "Framing"],
            path: "Sources/Composer/PeopleSettings",
            swiftSettings: strict),
        .target(
            name: "Composer", dependencies: ["PeopleSettings", "PeopleVision", "Imaging", "Properties"],
            path: "Sources/Composer/Composer",
            swiftSettings: strict),
        .target(
            name: "ImageFiles", dependencies: ["Files", "PeopleVision", "Imaging", "CPNG", "CTurboJPEG"],
            path: "Sources/Vision/ImageFiles",
            swiftSettings: strict),
        .target(name: "Files", path: "Sources/Base/Files", swiftSettings: strict),
        .target(name: "FileNames", path: "Sources/Base/FileNames", swiftSettings: strict),
        .target(name: "Properties", path: "Sources/Composer/Properties", swiftSettings: strict),
        .target(
            name: "GStreamerKit",
            dependencies: [
                "CGStreamer", "CLittleCMS", "CZlib", "FileNames", "Imaging", "Properties", "Threads",
            ], path: "Sources/GStreamer/GStreamerKit",
            swiftSettings: strict),

        .target(
            name: "PeopleVisionGStreamer", dependencies: ["GStreamerKit", "Imaging", "PeopleVision"],
            path: "Sources/GStreamer/PeopleVisionGStreamer",
            swiftSettings: strict),

        .target(
            name: "PeopleVisionFoundation", dependencies: ["ImageFiles", "PeopleVision"],
            path: "Sources/Vision/PeopleVisionFoundation",
            swiftSettings: strict),

        .target(
            name: "CommandKit", dependencies: ["CGStreamer", "FileNames", "Files"],
            path: "Sources/Base/CommandKit",
            swiftSettings: strict),
        .target(
            name: "MediaFiles", dependencies: ["CommandKit", "FileNames", "Files", "JSON", "Threads"],
            path: "Sources/Tool/MediaFiles",
            swiftSettings: strict),

        // MARK: - Plugin

        .target(
            name: "PeoplePlugin",
            dependencies: [
                "Composer", "GStreamerKit", "PeopleSettings", "PeopleVision", "Inference", "Imaging",
                "Framing",
                "CPackaging",
            ], path: "Sources/GStreamer/PeoplePlugin",
            exclude: ["exports.map"],
            swiftSettings: strict,
            linkerSettings: leanPlugin),

        // MARK: - Tools

        .target(
            name: "Studio",
            dependencies: [
                "CommandKit", "FileNames", "Files", "GStreamerKit", "Imaging", "PeopleSettings",
                "Properties", "CGStreamer", "CSoup", "JSON", "Threads",
            ], path: "Sources/Studio/Studio",
            // In the program itself, which is installed alone.
            resources: [
                "index.html", "studio.css", "studio.js", "photos.js", "body.js", "watch.js", "icon.svg",
                "Languages/de.json", "Languages/fr.json", "Languages/es.json", "Languages/ja.json",
            ].map {
                .embedInCode("Page/\($0)")
            },
            swiftSettings: strict),

        .executableTarget(
            name: "people-bench",
            dependencies: ["PeopleVision", "Inference", "Imaging", "GStreamerKit"],
            path: "Sources/Lab/people-bench",
            swiftSettings: strict),

        .executableTarget(
            name: "gst-people",
            dependencies: [
                "CommandKit", "MediaFiles", "FileNames", "Files", "GStreamerKit", "CGStreamer", "CGIO",
                "CVips",
                "CLittleCMS", "Composer", "Framing", "Imaging", "Inference", "JSON", "PeopleSettings",
                "PeopleVision", "Properties", "Studio", "Threads",
            ], path: "Sources/Tool/gst-people",
            swiftSettings: strict,
            linkerSettings: leanProgram),

        // MARK: - Tests

        .target(
            name: "TestSupport", dependencies: ["Imaging", "GStreamerKit", "CGStreamer", "CGStreamerCheck"],
            path: "Tests/TestSupport", swiftSettings: strict),
        .testTarget(name: "CKernelsTests", dependencies: ["CKernels", "TestSupport"]),
        .testTarget(name: "ImagingTests", dependencies: ["Imaging", "TestSupport"]),
        .testTarget(name: "FramingTests", dependencies: ["Framing", "Imaging"]),
        .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"]),
        .testTarget(name: "ThreadsTests", dependencies: ["Threads"]),
        .testTarget(name: "InferenceTests", dependencies: ["Inference", "COpenVINO", "TestSupport"]),
        .testTarget(
            name: "PeopleVisionTests",
            dependencies: ["PeopleVision", "Inference", "Imaging", "TestSupport"]),
        .testTarget(
            name: "ImageFilesTests", dependencies: ["ImageFiles", "PeopleVision", "Imaging", "TestSupport"]),
        .testTarget(
            name: "PeopleVisionFoundationTests",
            dependencies: ["ImageFiles", "PeopleVision", "PeopleVisionFoundation", "TestSupport"]),
        .testTarget(name: "PortsTests", dependencies: ["PeopleVision", "ImageFiles", "TestSupport"]),
        .testTarget(
            name: "GStreamerKitTests",
            dependencies: ["GStreamerKit", "CGStreamer", "Imaging", "TestSupport"]),
        .testTarget(name: "CommandKitTests", dependencies: ["CommandKit"]),
        .testTarget(name: "MediaFilesTests", dependencies: ["MediaFiles", "CommandKit"]),
        .testTarget(
            name: "PeopleSettingsTests", dependencies: ["PeopleSettings", "Properties", "Imaging"]),
        .testTarget(
            name: "ComposerTests",
            dependencies: ["Composer", "PeopleSettings", "PeopleVision", "Imaging", "TestSupport"]),
        .testTarget(name: "FileNamesTests", dependencies: ["FileNames"]),
        .testTarget(
            name: "PipelineTests",
            dependencies: [
                "CGStreamer", "CGStreamerCheck", "ImageFiles", "Imaging", "PeopleSettings", "PeopleVision",
                "PeopleVisionGStreamer", "Properties", "TestSupport",
            ]),
    ] + obsTargets
)

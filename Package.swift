// swift-tools-version: 6.2
import PackageDescription

// Warnings are errors in checks alone: later compilers and libraries have others.
let warnings: [SwiftSetting] =
  Context.environment["UPRIGHT_WARNINGS"] == "error" ? [.treatAllWarnings(as: .error)] : []

let settings: [SwiftSetting] =
  warnings + [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]

// Tests run once after they are compiled, and half of the time to compile them would go into making them fast. A job of its own
// for their interface, which nobody imports, would expand their macros once more.
let testSettings =
  settings + [
    .unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"], .when(configuration: .release))
  ]

// The C libraries of the core. Without them it is pure Swift, as on systems other than Linux.
let libraries = TargetDependencyCondition.when(platforms: [.linux], traits: ["Libraries"])

let package = Package(
  name: "upright",
  // The first systems with InlineArray and Array.span.
  platforms: [.macOS(.v26), .iOS(.v26), .tvOS(.v26), .watchOS(.v26), .visionOS(.v26)],
  products: [
    .library(name: "Upright", targets: ["Upright", "ImageFormats", "Verification"]),
    .library(name: "UprightFoundation", targets: ["UprightFoundation"]),
    .library(name: "Records", targets: ["Records"]),
    .library(name: "PhotoFiles", targets: ["PhotoFiles"]),
    .library(name: "PhotoFilesFoundation", targets: ["PhotoFilesFoundation"]),
    .library(name: "Reports", targets: ["Reports"]),
    .library(name: "HEIFDecoder", targets: ["HEIFDecoder"]),
    .library(name: "ImageOrientation", targets: ["ImageOrientation"]),
    .executable(name: "upright", targets: ["upright-tool"]),
  ],
  traits: [
    .default(enabledTraits: ["Libraries"]),
    .trait(
      name: "Libraries",
      description: "libjpeg-turbo, expat and libexif, on Linux; without it, the core is pure Swift."
    ),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.4.0"),
  ],
  targets: [
    // C libraries of the system, each with one Swift module that may import it.
    .systemLibrary(
      name: "CTurboJPEG",
      pkgConfig: "libturbojpeg",
      providers: [.apt(["libturbojpeg0-dev"]), .brew(["jpeg-turbo"])]
    ),
    .systemLibrary(
      name: "CExif",
      pkgConfig: "libexif",
      providers: [.apt(["libexif-dev"]), .brew(["libexif"])]
    ),
    .systemLibrary(
      name: "CExpat",
      pkgConfig: "expat",
      providers: [.apt(["libexpat1-dev"]), .brew(["expat"])]
    ),
    .systemLibrary(
      name: "CNettle",
      pkgConfig: "nettle",
      providers: [.apt(["nettle-dev"]), .brew(["nettle"])]
    ),
    .systemLibrary(
      name: "CZlib",
      pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
    ),
    // Declares libheif and loads it when it is needed: neither its headers nor linking is required.
    .target(name: "CHEIF"),
    .systemLibrary(name: "CFileSystem"),
    .systemLibrary(name: "CMemory"),
    .systemLibrary(name: "CVectors"),

    // The core: bytes in, bytes out.
    .target(name: "ImageOrientation", swiftSettings: settings),
    // What all formats have: integers, edits, Exif.
    .target(
      name: "FileBytes",
      dependencies: ["CMemory", "ImageOrientation"],
      swiftSettings: settings
    ),
    .target(
      name: "JPEGCore",
      dependencies: ["CMemory", "CVectors", "FileBytes", "ImageOrientation"],
      swiftSettings: settings
    ),
    .target(
      name: "TurboTransform",
      dependencies: [
        .target(name: "CTurboJPEG", condition: libraries), "ImageOrientation", "JPEGCore",
      ],
      swiftSettings: settings
    ),
    .target(
      name: "XMPPacket",
      dependencies: [.target(name: "CExpat", condition: libraries), "FileBytes"],
      swiftSettings: settings
    ),
    // Boxes and items, as in HEIF.
    .target(
      name: "ISOBMFF",
      dependencies: ["FileBytes", "ImageOrientation"],
      swiftSettings: settings
    ),
    .target(
      name: "ImageFormats",
      dependencies: ["FileBytes", "ISOBMFF", "ImageOrientation"],
      swiftSettings: settings
    ),
    .target(
      name: "Upright",
      dependencies: [
        "FileBytes", "ISOBMFF", "ImageFormats", "ImageOrientation", "JPEGCore", "TurboTransform",
        "XMPPacket",
      ],
      swiftSettings: settings
    ),

    // The independent check of a result.
    .target(name: "ExifReference", dependencies: ["CExif"], swiftSettings: settings),
    .target(
      name: "Verification",
      dependencies: [
        .target(name: "ExifReference", condition: libraries), "FileBytes", "ISOBMFF",
        "ImageFormats",
        "ImageOrientation", "JPEGCore", "TurboTransform", "Upright", "XMPPacket",
      ],
      swiftSettings: settings
    ),

    // For programs that hold Data and URLs. Only this, PhotoFilesFoundation and the messages of HEIFDecoder need Foundation.
    .target(
      name: "UprightFoundation",
      dependencies: ["ImageOrientation", "Upright", "Verification"],
      swiftSettings: settings
    ),

    // Files, people and the command.
    .target(
      name: "Reports",
      dependencies: [
        "FileBytes", "ImageFormats", "ImageOrientation", "Upright", "Verification",
      ],
      swiftSettings: settings
    ),
    .target(
      name: "FileSystem",
      dependencies: [
        "CFileSystem", "ImageFormats", .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: settings
    ),
    .target(name: "Hashing", dependencies: ["CNettle"], swiftSettings: settings),
    .target(
      name: "Records",
      dependencies: [
        "FileBytes", "FileSystem", "Hashing", "CZlib", "ImageOrientation", "JPEGCore", "Reports",
        "Upright",
        "Verification",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "Conversion",
      dependencies: [
        "FileBytes", "Hashing", "ISOBMFF", "ImageFormats", "ImageOrientation", "JPEGCore",
        "Reports", "TurboTransform", "Upright", "XMPPacket",
      ],
      swiftSettings: settings
    ),
    .target(
      name: "HEIFDecoder",
      dependencies: [
        "CHEIF", "Conversion", "FileBytes", "FileSystem", "ISOBMFF", "ImageOrientation", "Reports",
        "TurboTransform", "Upright", .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: settings
    ),
    // Photos on disk, with the files beside them.
    .target(
      name: "PhotoFiles",
      dependencies: [
        "Conversion", "FileBytes", "FileSystem", "ImageFormats", "ImageOrientation", "JPEGCore",
        "Records",
        "Reports", "TurboTransform", "Upright",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: settings
    ),
    // For programs that hold URLs.
    .target(
      name: "PhotoFilesFoundation",
      dependencies: ["PhotoFiles", "Records", "Upright"],
      swiftSettings: settings
    ),
    .target(
      name: "Commands",
      dependencies: [
        "FileBytes", "FileSystem", "Conversion", "ExifReference", "HEIFDecoder", "Hashing",
        "ImageFormats",
        "ImageOrientation", "JPEGCore", "PhotoFiles", "Records", "Reports", "Upright",
        "Verification",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      resources: [
        .embedInCode("HTML/Resources/page.html"), .embedInCode("HTML/Resources/page.css"),
        .embedInCode("HTML/Resources/model.js"), .embedInCode("HTML/Resources/overview.js"),
        .embedInCode("HTML/Resources/filter.js"), .embedInCode("HTML/Resources/gallery.js"),
        .embedInCode("HTML/Resources/marks.js"), .embedInCode("HTML/Resources/cards.js"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "upright-tool",
      dependencies: [
        "Commands", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings
    ),

    // What several test targets share: the fixtures, and programs to compare with.
    .target(
      name: "Fixtures",
      dependencies: ["CFileSystem", "FileBytes", "ImageOrientation", "JPEGCore"],
      path: "Tests/Fixtures",
      swiftSettings: settings
    ),
    // Makes system calls fail: takes the place of a function of CFileSystem, which it does not import.
    .target(
      name: "FaultInjection",
      dependencies: [.product(name: "SystemPackage", package: "swift-system")],
      path: "Tests/FaultInjection",
      swiftSettings: settings
    ),

    // One target for each layer, so that few are expanded, loaded and linked.
    .testTarget(
      name: "CoreTests",
      dependencies: [
        "FileBytes", "Fixtures", "ISOBMFF", "ImageOrientation", "JPEGCore", "XMPPacket",
      ],
      swiftSettings: testSettings
    ),
    // The C libraries of the core, and what is compared with them.
    .testTarget(
      name: "LibraryTests",
      dependencies: [
        "ExifReference", "FileBytes", "Fixtures", "ImageOrientation", "JPEGCore", "TurboTransform",
        "XMPPacket",
      ],
      swiftSettings: testSettings
    ),
    .testTarget(
      name: "UprightTests",
      dependencies: [
        "ExifReference", "FileBytes", "Fixtures", "ISOBMFF", "ImageFormats", "ImageOrientation",
        "JPEGCore",
        "TurboTransform", "Upright", "UprightFoundation", "Verification", "XMPPacket",
      ],
      swiftSettings: testSettings
    ),
    .testTarget(
      name: "FileSystemTests",
      dependencies: [
        "FaultInjection", "FileSystem", "ImageFormats",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: testSettings
    ),
    .testTarget(
      name: "RecordsTests",
      dependencies: [
        "FileBytes", "FileSystem", "Fixtures", "ImageOrientation", "JPEGCore", "Records", "Reports",
        "Upright",
        "Verification",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: testSettings
    ),
    .testTarget(
      name: "PhotoFilesTests",
      dependencies: [
        "FaultInjection", "FileSystem", "Fixtures", "ImageOrientation", "PhotoFiles",
        "PhotoFilesFoundation",
        "Records", "Reports", "Upright",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: testSettings
    ),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        // Without upright-tool, which the tests run: they need not wait until it is compiled.
        "Conversion", "FileBytes", "FileSystem", "Fixtures", "HEIFDecoder", "ImageOrientation",
        "JPEGCore", "PhotoFiles", "Records", "TurboTransform", "Upright",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: testSettings
    ),
  ]
)

#if compiler(>=6.3)
// The C library, whose functions `@c` makes; tools/package/install-library links it as libupright.so.0.
package.products.append(
  .library(name: "UprightC", type: .static, targets: ["CInterface"])
)
package.targets += [
  .systemLibrary(name: "CUpright"),
  .target(
    name: "CInterface",
    dependencies: [
      "CUpright", "FileSystem", "ImageFormats", "ImageOrientation", "JPEGCore", "PhotoFiles",
      "Records", "Reports", "Upright", "Verification",
    ],
    swiftSettings: settings
  ),
]
#endif

// On systems other than Linux, only the core and its tests can be built and run.
if Context.environment["UPRIGHT_ONLY"] == "core" {
  let core = [
    "CExpat", "CFileSystem", "CMemory", "CVectors", "CoreTests", "FileBytes", "Fixtures", "ISOBMFF",
    "ImageOrientation", "JPEGCore", "XMPPacket",
  ]
  package.targets.removeAll { !core.contains($0.name) }
  package.products.removeAll { $0.name != "ImageOrientation" }
  package.dependencies = []
}

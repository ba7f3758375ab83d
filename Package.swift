// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "upright",
  products: [
    .library(name: "Upright", targets: ["Upright"]),
    .library(name: "ImageOrientation", targets: ["ImageOrientation"]),
    .executable(name: "upright", targets: ["upright-tool"]),
  ],
  traits: [
    .trait(name: "HEIF", description: "upright convert: HEIF files to JPEG, through libheif.")
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
    .systemLibrary(
      name: "CHEIF",
      pkgConfig: "libheif",
      providers: [.apt(["libheif-dev"]), .brew(["libheif"])]
    ),
    .systemLibrary(name: "CFileSystem"),

    // The core: bytes in, bytes out.
    .target(name: "ImageOrientation", swiftSettings: settings),
    .target(name: "JPEGCore", dependencies: ["ImageOrientation"], swiftSettings: settings),
    .target(
      name: "TurboTransform",
      dependencies: ["CTurboJPEG", "ImageOrientation", "JPEGCore"],
      swiftSettings: settings
    ),
    .target(name: "XMPPacket", dependencies: ["CExpat"], swiftSettings: settings),
    .target(
      name: "Upright",
      dependencies: ["ImageOrientation", "JPEGCore", "TurboTransform", "XMPPacket"],
      swiftSettings: settings
    ),

    // Files, people and the command.
    .target(name: "ExifReference", dependencies: ["CExif"], swiftSettings: settings),
    .target(
      name: "Archive",
      dependencies: ["CFileSystem", .product(name: "SystemPackage", package: "swift-system")],
      swiftSettings: settings
    ),
    .target(
      name: "Records",
      dependencies: [
        "Archive", "CNettle", "CZlib", "ImageOrientation", "JPEGCore", "Upright",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "Conversion",
      dependencies: [
        "ImageOrientation", "JPEGCore", "Records", "TurboTransform", "Upright", "XMPPacket",
      ],
      swiftSettings: settings
    ),
    .target(
      name: "HEIFDecoder",
      dependencies: [
        .target(name: "CHEIF", condition: .when(traits: ["HEIF"])),
        "Conversion", "JPEGCore", "Upright",
      ],
      swiftSettings: settings
    ),
    .target(
      name: "Commands",
      dependencies: [
        "Archive", "Conversion", "ExifReference", "ImageOrientation", "JPEGCore", "Records",
        "Upright", .target(name: "HEIFDecoder", condition: .when(traits: ["HEIF"])),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      resources: [
        .embedInCode("HTML/Resources/audit.html"), .embedInCode("HTML/Resources/audit.css"),
        .embedInCode("HTML/Resources/audit.js"),
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
    .target(name: "Fixtures", path: "Tests/Fixtures", swiftSettings: settings),

    .testTarget(
      name: "ArchiveTests",
      dependencies: ["Archive", .product(name: "SystemPackage", package: "swift-system")],
      swiftSettings: settings
    ),
    .testTarget(
      name: "ConversionTests",
      dependencies: [
        "Conversion", "Fixtures", "ImageOrientation", "JPEGCore", "Records", "TurboTransform",
        "Upright", .target(name: "HEIFDecoder", condition: .when(traits: ["HEIF"])),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "EndToEndTests",
      dependencies: ["Fixtures", "Records", "upright-tool"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "ExifReferenceTests",
      dependencies: ["ExifReference"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "ImageOrientationTests",
      dependencies: ["ImageOrientation"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "JPEGCoreTests",
      dependencies: ["Fixtures", "ImageOrientation", "JPEGCore", "TurboTransform"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "RecordsTests",
      dependencies: [
        "Archive", "Fixtures", "Records", "Upright",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "UprightTests",
      dependencies: [
        "ExifReference", "Fixtures", "ImageOrientation", "JPEGCore", "TurboTransform", "Upright",
        "XMPPacket",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "VerificationTests",
      dependencies: ["Fixtures", "ImageOrientation", "JPEGCore", "Upright"],
      swiftSettings: settings
    ),
    .testTarget(name: "XMPPacketTests", dependencies: ["XMPPacket"], swiftSettings: settings),
  ]
)

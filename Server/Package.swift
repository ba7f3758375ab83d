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

// Tests run once after they are compiled.
let testSettings =
  settings + [
    .unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"], .when(configuration: .release))
  ]

// The HTTP service. It uses what any service can: the public API of the package above it.
let package = Package(
  name: "upright-server",
  platforms: [.macOS(.v26)],
  products: [
    .library(name: "UprightServer", targets: ["UprightServer"]),
    .executable(name: "upright-serve", targets: ["upright-serve"]),
  ],
  dependencies: [
    .package(name: "upright", path: ".."),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
  ],
  targets: [
    .target(
      name: "UprightServer",
      dependencies: [
        .product(name: "ImageOrientation", package: "upright"),
        .product(name: "Reports", package: "upright"),
        .product(name: "Upright", package: "upright"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      resources: [
        .embedInCode("Page/page.html"), .embedInCode("Page/page.css"), .embedInCode("Page/page.js"),
        .embedInCode("Page/icon.svg"), .embedInCode("openapi.json"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "upright-serve",
      dependencies: [
        "UprightServer",
        .product(name: "HEIFDecoder", package: "upright"),
        .product(name: "Reports", package: "upright"),
        .product(name: "Upright", package: "upright"),
      ],
      swiftSettings: settings + [.unsafeFlags(["-Osize"], .when(configuration: .release))]
    ),
    .testTarget(
      name: "UprightServerTests",
      dependencies: [
        "UprightServer",
        .product(name: "ImageOrientation", package: "upright"),
        .product(name: "Upright", package: "upright"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: testSettings
    ),
  ]
)

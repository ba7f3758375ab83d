// swift-tools-version: 6.2
import PackageDescription

// What the articles and docs/from-uikit.md show, as programs of another package; tools/check/examples runs them.
let package = Package(
  name: "examples",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "upright", path: "../..")],
  targets: [
    .executableTarget(
      name: "FirstSteps",
      dependencies: [
        .product(name: "ImageOrientation", package: "upright"),
        .product(name: "Upright", package: "upright"),
      ]
    ),
    .executableTarget(
      name: "ReceiveUploads",
      dependencies: [
        .product(name: "Upright", package: "upright"),
        .product(name: "UprightFoundation", package: "upright"),
      ]
    ),
    .executableTarget(
      name: "AuditTree",
      dependencies: [
        .product(name: "Reports", package: "upright"),
        .product(name: "Upright", package: "upright"),
        .product(name: "UprightFoundation", package: "upright"),
      ]
    ),
    .executableTarget(
      name: "KeepRecords",
      dependencies: [
        .product(name: "Records", package: "upright"),
        .product(name: "Upright", package: "upright"),
        .product(name: "UprightFoundation", package: "upright"),
      ]
    ),
    .executableTarget(
      name: "FromUIKit",
      dependencies: [
        .product(name: "ImageOrientation", package: "upright"),
        .product(name: "Upright", package: "upright"),
        .product(name: "UprightFoundation", package: "upright"),
      ]
    ),
  ]
)

// swift-tools-version: 6.2
import PackageDescription

// The programs of the articles and of docs/from-uikit.md, in a package of their own; tools/check/examples runs them.
let package = Package(
  name: "examples",
  dependencies: [.package(name: "upright", path: "../..")],
  targets: [
    program("FirstSteps", "ImageOrientation", "Upright"),
    program("ReceiveUploads", "Upright", "UprightFoundation"),
    program("AuditTree", "Reports", "Upright", "UprightFoundation"),
    program("KeepRecords", "PhotoFiles", "PhotoFilesFoundation", "Records", "Reports", "Upright"),
    program("NormalizeFolder", "PhotoFiles", "Records", "Reports", "Upright"),
    program("FromUIKit", "ImageOrientation", "Upright", "UprightFoundation"),
    program("FromPhotosPicker", "Upright", "UprightFoundation"),
  ]
)

/// An executable that uses products of Upright.
func program(_ name: String, _ products: String...) -> Target {
  .executableTarget(
    name: name,
    dependencies: products.map { .product(name: $0, package: "upright") }
  )
}

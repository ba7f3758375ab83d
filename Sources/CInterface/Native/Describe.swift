// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

internal import CUpright
internal import PhotoFiles
internal import Reports
internal import Upright

// Functions of upright.h that upright.wasm does not have.

@c @implementation
public func upright_describe() -> UnsafePointer<CChar>? { unsafe description.string }

private let description = CBytes(
  string: SettingsDescription(Setting.all + Setting.ofFiles).jsonLine
)

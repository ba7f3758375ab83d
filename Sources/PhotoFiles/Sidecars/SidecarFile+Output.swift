internal import FileSystem
internal import SystemPackage
internal import Upright

/// The sidecars of outputs elsewhere.
extension SidecarFile {
  /// Returns the path that a sidecar has beside an output: in the same form as before, with the name of the output.
  ///
  /// A world file whose ending is made of the whole extension of the photo gets one that is made of that of the output.
  static func path(of sidecar: FilePath, _ photo: FilePath, beside output: FilePath) -> FilePath {
    let name = sidecar.lastComponent?.bytes ?? []
    let (old, new) = (photo.lastComponent?.bytes ?? [], output.lastComponent?.bytes ?? [])
    let dot = [UInt8(ascii: ".")]
    if name.starts(with: old + dot) {
      return sibling(of: output, new + name[old.count...]) ?? output
    }
    var ending = String(decoding: name[min(stem(of: old).count, name.count)...], as: UTF8.self)
    if let former = photo.extension, let own = output.extension,
      ending.lowercased() == ".\(former.lowercased())w",
      worldFileEndings.contains(".\(own.lowercased())w")
    {
      let isCapital = ending == ending.uppercased()
      ending = isCapital ? ".\(own.uppercased())W" : ".\(own.lowercased())w"
    }
    return sibling(of: output, stem(of: new) + Array(ending.utf8)) ?? output
  }

  /// Finds out whose a sidecar of an output is, too, or would be; nil if it is that of the output alone.
  ///
  /// - Parameters:
  ///   - path: The sidecar.
  ///   - output: The output.
  ///   - contents: What the sidecar will have.
  /// - Returns: To whom it belongs, too.
  /// - Throws: ``FileError``, if that cannot be found out.
  static func sharing(
    of path: FilePath,
    beside output: FilePath,
    _ contents: Contents
  ) throws(FileError) -> Claim? {
    let name = output.lastComponent?.bytes ?? []
    let isStem = path.lastComponent?.bytes.starts(with: name + [UInt8(ascii: ".")]) != true
    // The content was read as that of a sidecar before.
    guard let file = try? SidecarFile(path, of: output, isStem, contents) else { return nil }
    if let owner = try file.otherOwner() { return owner }
    return try file.sharing()
  }
}

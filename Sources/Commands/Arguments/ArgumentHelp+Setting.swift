internal import ArgumentParser
internal import PhotoFiles
internal import Upright

extension ArgumentHelp {
  /// Returns the help of the option that is a setting of the library, and after it what only the command has to say.
  static func of(
    _ name: String,
    _ more: String = "",
    valueName: String? = nil,
    visibility: ArgumentVisibility = .default
  ) -> ArgumentHelp {
    ArgumentHelp(
      "\(Setting.named(name, in: Setting.all + Setting.ofFiles).help)\(more)",
      valueName: valueName,
      visibility: visibility
    )
  }
}

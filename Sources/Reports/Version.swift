/// The version of the package.
public enum Version {
  /// The version, as the command and the C library give it.
  public static let current = "0.3.0"
}

/// A text for those who document what it describes.
///
/// Embedded Swift has none, so that a module of WebAssembly does not hold what only `describe` and the command's help need.
package struct Prose: Sendable {
  #if hasFeature(Embedded)
  package init(_ text: String) {}
  #else
  package let text: String

  package init(_ text: String) { self.text = text }
  #endif
}

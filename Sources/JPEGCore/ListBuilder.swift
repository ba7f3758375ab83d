/// Builds a list of the elements, optional elements and lists that the statements of a function give.
///
/// Public, because functions of another module are inlined and specialized only then.
@resultBuilder
public enum ListBuilder<Element> {
  /// An element, or nothing.
  @inlinable public static func buildExpression(_ element: Element?) -> [Element] {
    element.map { [$0] } ?? []
  }
  /// All elements of a list.
  @inlinable public static func buildExpression(_ elements: [Element]) -> [Element] { elements }
  /// The elements of the first statement.
  @inlinable public static func buildPartialBlock(first: [Element]) -> [Element] { first }
  /// The elements of the statements so far, and of the next one; most give none.
  @inlinable public static func buildPartialBlock(
    accumulated: [Element],
    next: [Element]
  ) -> [Element] { next.isEmpty ? accumulated : accumulated + next }
  /// The elements of a condition's statements, if it holds.
  @inlinable public static func buildOptional(_ part: [Element]?) -> [Element] { part ?? [] }
  /// The elements of the first branch.
  @inlinable public static func buildEither(first part: [Element]) -> [Element] { part }
  /// The elements of the second branch.
  @inlinable public static func buildEither(second part: [Element]) -> [Element] { part }
  /// The elements of all passes of a loop.
  @inlinable public static func buildArray(_ parts: [[Element]]) -> [Element] {
    parts.reduce([]) { buildPartialBlock(accumulated: $0, next: $1) }
  }
}

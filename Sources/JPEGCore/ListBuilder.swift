/// Builds a list of the elements, optional elements and lists that the statements of a function give.
@resultBuilder
package enum ListBuilder<Element> {
  @inlinable package static func buildExpression(_ element: Element?) -> [Element] {
    element.map { [$0] } ?? []
  }
  @inlinable package static func buildExpression(_ elements: [Element]) -> [Element] { elements }
  @inlinable package static func buildBlock(_ parts: [Element]...) -> [Element] {
    parts.flatMap { $0 }
  }
  @inlinable package static func buildOptional(_ part: [Element]?) -> [Element] { part ?? [] }
  @inlinable package static func buildEither(first part: [Element]) -> [Element] { part }
  @inlinable package static func buildEither(second part: [Element]) -> [Element] { part }
  @inlinable package static func buildArray(_ parts: [[Element]]) -> [Element] {
    parts.flatMap { $0 }
  }
}

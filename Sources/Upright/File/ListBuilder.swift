/// Builds a list of the elements, optional elements and lists that the statements of a function give.
@resultBuilder
enum ListBuilder<Element> {
  static func buildExpression(_ element: Element?) -> [Element] { element.map { [$0] } ?? [] }
  static func buildExpression(_ elements: [Element]) -> [Element] { elements }
  static func buildBlock(_ parts: [Element]...) -> [Element] { parts.flatMap { $0 } }
  static func buildOptional(_ part: [Element]?) -> [Element] { part ?? [] }
  static func buildEither(first part: [Element]) -> [Element] { part }
  static func buildEither(second part: [Element]) -> [Element] { part }
  static func buildArray(_ parts: [[Element]]) -> [Element] { parts.flatMap { $0 } }
}

// What the sources use of Foundation, as Apple declares it, for tools/check/apple.

@available(macOS 10.10, iOS 8.0, watchOS 2.0, tvOS 9.0, *)
public struct Data: RandomAccessCollection, MutableCollection, RangeReplaceableCollection, Sendable
{
  public init() { fatalError() }
  public init<S: Sequence>(_ elements: S) where S.Element == UInt8 { fatalError() }
  public init(contentsOf url: URL) throws { fatalError() }
  public var startIndex: Int { fatalError() }
  public var endIndex: Int { fatalError() }
  public subscript(index: Int) -> UInt8 {
    get { fatalError() }
    set { fatalError() }
  }
  public mutating func replaceSubrange<C: Collection>(_ range: Range<Int>, with elements: C)
  where C.Element == UInt8 { fatalError() }
}

@available(macOS 10.10, iOS 8.0, watchOS 2.0, tvOS 9.0, *)
public struct URL: Sendable {}

@available(macOS 10.10, iOS 8.0, watchOS 2.0, tvOS 9.0, *)
public protocol LocalizedError: Error { var errorDescription: String? { get } }

@available(macOS 10.10, iOS 8.0, watchOS 2.0, tvOS 9.0, *)
extension Error {
  public var localizedDescription: String { fatalError() }
}

@available(macOS 10.10, iOS 8.0, watchOS 2.0, tvOS 9.0, *)
public class FileHandle {
  public convenience init(forReadingFrom url: URL) throws { fatalError() }
  @available(macOS 10.15.4, iOS 13.4, watchOS 6.2, tvOS 13.4, *)
  public func read(upToCount count: Int) throws -> Data? { fatalError() }
  @available(macOS 10.15.4, iOS 13.4, watchOS 6.2, tvOS 13.4, *)
  @discardableResult public func seekToEnd() throws -> UInt64 { fatalError() }
  @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
  public func seek(toOffset offset: UInt64) throws { fatalError() }
  @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
  public func close() throws { fatalError() }
}

@available(macOS 10.10, iOS 8.0, watchOS 2.0, tvOS 9.0, *)
open class ProcessInfo: @unchecked Sendable {
  public class var processInfo: ProcessInfo { fatalError() }
  public var activeProcessorCount: Int { fatalError() }
}

@available(macOS 10.10, iOS 8.0, watchOS 2.0, tvOS 9.0, *)
open class OperationQueue: @unchecked Sendable {
  public init() { fatalError() }
  public var maxConcurrentOperationCount: Int {
    get { fatalError() }
    set { fatalError() }
  }
  public func addOperation(_ block: @escaping @Sendable () -> Void) { fatalError() }
}

@available(macOS 10.10, iOS 8.0, watchOS 2.0, tvOS 9.0, *)
public struct URLRequest: Sendable {
  public init(url: URL) { fatalError() }
  public var httpMethod: String? {
    get { fatalError() }
    set { fatalError() }
  }
  public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) { fatalError() }
}

@available(macOS 10.10, iOS 8.0, watchOS 2.0, tvOS 9.0, *)
open class URLResponse: @unchecked Sendable {}

open class HTTPURLResponse: URLResponse, @unchecked Sendable {
  open var statusCode: Int { fatalError() }
}

@available(macOS 10.10, iOS 8.0, watchOS 2.0, tvOS 9.0, *)
open class URLSession: @unchecked Sendable {
  public class var shared: URLSession { fatalError() }
  @available(macOS 12.0, iOS 15.0, watchOS 8.0, tvOS 15.0, *)
  public func upload(for request: URLRequest, from body: Data) async throws -> (Data, URLResponse) {
    fatalError()
  }
}

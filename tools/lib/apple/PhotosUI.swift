// What the example uses of PhotosUI and CoreTransferable, as Apple declares it, for tools/check/apple.

public import Foundation
public import SwiftUI

@available(macOS 13.0, iOS 16.0, watchOS 9.0, tvOS 16.0, *)
public protocol Transferable {}
@available(macOS 13.0, iOS 16.0, watchOS 9.0, tvOS 16.0, *)
extension Data: Transferable {}

@available(macOS 13.0, iOS 16.0, watchOS 9.0, *)
public struct PHPickerFilter: Equatable, Hashable, Sendable {
  public static var images: PHPickerFilter { fatalError() }
}

@available(macOS 13.0, iOS 16.0, watchOS 9.0, *)
public struct PhotosPickerItem: Equatable, Hashable, Sendable {
  public struct EncodingDisambiguationPolicy: Equatable, Hashable, Sendable {
    public static var automatic: Self { fatalError() }
    public static var current: Self { fatalError() }
    public static var compatible: Self { fatalError() }
  }
  public func loadTransferable<T>(type: T.Type) async throws -> T? where T: Transferable {
    fatalError()
  }
}

@available(macOS 13.0, iOS 16.0, watchOS 9.0, *)
@MainActor public struct PhotosPicker: View {
  public init<S: StringProtocol>(
    _ title: S,
    selection: Binding<PhotosPickerItem?>,
    matching filter: PHPickerFilter? = nil,
    preferredItemEncoding: PhotosPickerItem.EncodingDisambiguationPolicy = .automatic
  ) { fatalError() }
  public var body: some View { self }
}

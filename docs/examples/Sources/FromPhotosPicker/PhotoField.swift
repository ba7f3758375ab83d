#if canImport(PhotosUI)
import Foundation
import PhotosUI
import SwiftUI

struct PhotoField: View {
  let server: URL
  @State private var item: PhotosPickerItem?
  @State private var label = "Photo"

  var body: some View {
    PhotosPicker(
      label,
      selection: $item,
      matching: .images,
      preferredItemEncoding: .compatible
    )
    .task(id: item) {
      do {
        guard let photo = try await item?.loadTransferable(type: Data.self) else { return }
        try await upload(photo, to: server)
      } catch {
        label = explanation(of: error)
      }
    }
  }
}
#endif

#if canImport(PhotosUI)
import Foundation
import PhotosUI
import SwiftUI

struct PhotoField: View {
  let server: URL
  @State private var item: PhotosPickerItem?

  var body: some View {
    PhotosPicker(
      "Photo",
      selection: $item,
      matching: .images,
      preferredItemEncoding: .compatible
    )
    .task(id: item) {
      guard let photo = try? await item?.loadTransferable(type: Data.self) else { return }
      try? await upload(photo, to: server)
    }
  }
}
#endif

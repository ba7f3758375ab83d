#if canImport(CTurboJPEG)
internal import CTurboJPEG
internal import ImageOrientation

/// Compresses pixels into a baseline JPEG stream.
package enum PixelEncoder {
  /// Compresses an image to a stream with a JFIF segment and the example Huffman tables of T.81, annex K.
  ///
  /// JPEG allows 65,500 pixels a side. The quality is 1 to 100, as libjpeg scales the quantization tables of that
  /// annex.
  package static func encode(_ image: PixelImage, quality: Int) throws(TransformError) -> [UInt8] {
    precondition(image.isWhole, "as many bytes as the size needs")
    let subsampling = image.sampling.subsampling
    let bound = tjBufSize(
      Int32(image.size.width),
      Int32(image.size.height),
      subsampling
    )
    guard bound != UInt.max, let handle = unsafe tjInitCompress() else { throw .outOfMemory }
    defer { unsafe tjDestroy(handle) }
    var status: Int32 = -1
    let stream = unsafe [UInt8](unsafeUninitializedCapacity: Int(bound)) { buffer, count in
      var output = buffer.baseAddress
      var size = bound
      status = unsafe tjCompressFromYUV(
        handle,
        image.paddedPlanes(subsampling),
        Int32(image.size.width),
        1,
        Int32(image.size.height),
        subsampling,
        &output,
        &size,
        Int32(quality),
        TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT
      )
      if status == 0 { count = Int(size) }
    }
    guard status == 0 else {
      throw .damaged(unsafe String(cString: tjGetErrorStr2(handle)))
    }
    return stream
  }
}

extension PixelImage.Sampling {
  /// The corresponding TJSAMP constant of TurboJPEG.
  fileprivate var subsampling: Int32 {
    let value =
      switch self {
      case .grayscale: TJSAMP_GRAY
      case .full: TJSAMP_444
      case .halvedWidth: TJSAMP_422
      case .halved: TJSAMP_420
      }
    return Int32(value.rawValue)
  }
}

extension PixelImage {
  /// Returns the planes one after the other, in the sizes that TurboJPEG requires: whole multiples of the chroma
  /// subsampling.
  ///
  /// The last column and the last row are repeated if necessary.
  fileprivate func paddedPlanes(_ subsampling: Int32) -> [UInt8] {
    var joined: [UInt8] = []
    for (index, plane) in planes.enumerated() {
      let old = planeSize(index)
      let wide = Int(tjPlaneWidth(Int32(index), Int32(size.width), subsampling))
      let high = Int(tjPlaneHeight(Int32(index), Int32(size.height), subsampling))
      guard wide != old.width || high != old.height else {
        joined += plane
        continue
      }
      for row in 0..<high {
        let start = min(row, old.height - 1) * old.width
        let line = plane[start..<start + old.width]
        joined += line
        if wide > old.width, let last = line.last {
          joined += repeatElement(last, count: wide - old.width)
        }
      }
    }
    return joined
  }
}
#endif

extension RegisteredData {
  /// One kind of data: where it is, how it is recognized and what a transform means for it.
  struct Row {
    let kind: StaticString
    let name: StaticString
    let place: Place
    let effect: Effect

    init(
      _ kind: StaticString,
      _ name: StaticString,
      _ place: Place,
      _ effect: Effect = .misregistered
    ) {
      (self.kind, self.name, self.place, self.effect) = (kind, name, place, effect)
    }
  }

  /// Where data is and how it is recognized.
  enum Place {
    /// An APPn segment whose payload has these bytes at an offset.
    case segment(UInt8, StaticString, at: Int = 0)
    /// An APPn segment that no other row recognizes, in a file whose Exif Make is this.
    case unnamedSegment(UInt8, make: StaticString)
    /// An APPn segment that begins with a JPEG stream, or with a short name and a JPEG stream.
    case preview(UInt8)
    /// Image resources of Photoshop with these numbers.
    case imageResources(ClosedRange<UInt16>)
    /// A property in XMP or extended XMP of a namespace, given as its URI without the scheme's name.
    case property(StaticString, in: StaticString)
    /// A text in XMP or extended XMP.
    case text(StaticString)
    /// Photo Sphere XMP.
    case panorama
    /// A crop or local corrections of Camera Raw in XMP, which are still to be applied.
    case cameraRaw
    /// A block of this type in Samsung's trailer.
    case samsungBlock(UInt16)
    /// Bytes after the image, in a file whose Exif Make is one of these and that does not end with EOI.
    case trailer(StaticString, makes: [StaticString])
    /// The last bytes of the file.
    case end(StaticString)
  }

  static let table = [
    // Radiometric matrices.
    Row("flir", "FLIR thermal data", .segment(1, "FLIR\0")),
    Row("parrot-thermal", "Parrot thermal data", .segment(1, "PARROT\0")),
    Row("infiray", "InfiRay thermal data", .segment(2, "IJPEG\0", at: 4)),
    Row("dji-thermal", "DJI thermal data", .unnamedSegment(3, make: "DJI")),
    // Depth maps and images in XMP.
    Row(
      "gdepth",
      "depth map in XMP (GDepth)",
      .property("Data", in: "://ns.google.com/photos/1.0/depthmap/")
    ),
    Row(
      "gimage",
      "image in XMP (GImage)",
      .property("Data", in: "://ns.google.com/photos/1.0/image/")
    ),
    Row(
      "dynamic-depth",
      "depth map (Dynamic Depth)",
      .text("://ns.google.com/photos/dd/1.0/depthmap/")
    ),
    Row("xiaomi-depth", "depth map of a Xiaomi phone", .text("depthlength=")),
    Row(
      "xmp-thumbnail",
      "thumbnail in XMP",
      .property("image", in: "://ns.adobe.com/xap/1.0/g/img/"),
      .stale
    ),
    // Depth maps and images after the image.
    Row("samsung-depth", "depth map in Samsung's trailer", .samsungBlock(0x0AB1)),
    Row("samsung-depth", "depth map in Samsung's trailer", .samsungBlock(0x0B41)),
    Row("samsung-image", "image in Samsung's trailer", .samsungBlock(0x0001), .independent),
    Row("samsung-image", "image in Samsung's trailer", .samsungBlock(0x0A20), .independent),
    Row(
      "huawei-depth",
      "depth map after the image (edof)",
      .trailer("\0edof\0", makes: ["HUAWEI", "HONOR"])
    ),
    // Layouts of the raster.
    Row("panorama", "panorama geometry in XMP (GPano)", .panorama),
    Row("camera-raw", "crop or local corrections of Camera Raw (crs)", .cameraRaw),
    Row("samsung-360", "360° image of a Samsung camera", .samsungBlock(0xA050)),
    Row("insta360", "360° image of an Insta360 camera", .end("8db42d694ccc418790edff439fe026bf")),
    Row("jps", "layout of a stereo pair (JPS)", .segment(3, "_JPSJPS_")),
    Row("stim", "geometry of a stereo image (CIPA DC-006)", .segment(3, "Stim\0")),
    // Residuals and outlines.
    Row("jpeg-hdr", "ratio image of JPEG-HDR", .segment(11, "HDR_RI ")),
    Row("photoshop-path", "Photoshop paths", .imageResources(2000...2997)),
    // Previews in segments of their own.
    Row("app2-preview", "preview in an APP2 segment", .preview(2), .stale),
    Row("app3-preview", "preview in an APP3 segment", .preview(3), .stale),
  ]
}

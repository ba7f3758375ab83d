extension Reference {
  /// All kinds.
  static let table = [
    // Radiometric matrices.
    Reference("flir", "FLIR thermal data", .segment(1, "FLIR\0")),
    Reference("parrot-thermal", "Parrot thermal data", .segment(1, "PARROT\0")),
    Reference("infiray", "InfiRay thermal data", .segment(2, "IJPEG\0", at: 4)),
    Reference("dji-thermal", "DJI thermal data", .unnamedSegment(3, make: "DJI")),
    // Depth maps and images in XMP.
    Reference(
      "gdepth",
      "depth map in XMP (GDepth)",
      .property("Data", in: "://ns.google.com/photos/1.0/depthmap/")
    ),
    Reference(
      "gimage",
      "image in XMP (GImage)",
      .property("Data", in: "://ns.google.com/photos/1.0/image/")
    ),
    Reference(
      "dynamic-depth",
      "depth map (Dynamic Depth)",
      .text("://ns.google.com/photos/dd/1.0/depthmap/")
    ),
    Reference("xiaomi-depth", "depth map of a Xiaomi phone", .text("depthlength=")),
    Reference(
      "xmp-thumbnail",
      "thumbnail in XMP",
      .property("image", in: "://ns.adobe.com/xap/1.0/g/img/"),
      .kept(.stale)
    ),
    // Depth maps and images after the image.
    Reference("samsung-depth", "depth map in Samsung's trailer", .samsungBlock(0x0AB1)),
    Reference("samsung-depth", "depth map in Samsung's trailer", .samsungBlock(0x0B41)),
    Reference(
      "samsung-image",
      "image in Samsung's trailer",
      .samsungBlock(0x0001),
      .kept(.independent)
    ),
    Reference(
      "samsung-image",
      "image in Samsung's trailer",
      .samsungBlock(0x0A20),
      .kept(.independent)
    ),
    Reference(
      "huawei-depth",
      "depth map after the image (edof)",
      .trailer("\0edof\0", makes: ["HUAWEI", "HONOR"])
    ),
    // Layouts of the raster.
    Reference("panorama", "panorama geometry in XMP (GPano)", .panorama),
    Reference("camera-raw", "crop or local corrections of Camera Raw (crs)", .cameraRaw),
    Reference("samsung-360", "360° image of a Samsung camera", .samsungBlock(0xA050)),
    Reference(
      "insta360",
      "360° image of an Insta360 camera",
      .end("8db42d694ccc418790edff439fe026bf")
    ),
    Reference("jps", "layout of a stereo pair (JPS)", .segment(3, "_JPSJPS_")),
    Reference("stim", "geometry of a stereo image (CIPA DC-006)", .segment(3, "Stim\0")),
    // Residuals and outlines.
    Reference("jpeg-hdr", "ratio image of JPEG-HDR", .segment(11, "HDR_RI ")),
    Reference("photoshop-path", "Photoshop paths", .imageResources(2000...2997)),
    // Previews in segments of their own.
    Reference("app2-preview", "preview in an APP2 segment", .preview(2), .kept(.stale)),
    Reference("app3-preview", "preview in an APP3 segment", .preview(3), .kept(.stale)),
  ]
}

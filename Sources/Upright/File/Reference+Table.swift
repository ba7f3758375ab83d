internal import FileBytes
internal import JPEGCore
internal import XMPPacket

extension Reference {
  /// All kinds.
  static let table = [
    // Copies of Orientation.
    Reference(
      "exif-copy",
      "Exif in Photoshop's resources",
      .imageResources(1058...1059),
      .changed(.exifOrientation)
    ),
    Reference(
      "xmp-copy",
      "XMP in Photoshop's resources",
      .imageResources(1060...1060),
      .changed(.xmpOrientation)
    ),
    Reference(
      "photomechanic-rotation",
      "rotation of Photo Mechanic",
      .property("Rotation", in: "://ns.camerabits.com/photomechanic/1.0/"),
      .changed(.rotation)
    ),
    // IPTC-NAA Information Interchange Model 4.2; Photoshop File Formats Specification.
    Reference(
      "iptc-layout",
      "Image Orientation of IPTC",
      .imageResources(1028...1028),
      .changed(.layout)
    ),
    Reference(
      "photoshop-resolution",
      "resolution of Photoshop",
      .imageResources(1005...1005),
      .changed(.resolution)
    ),
    Reference(
      "photoshop-pixel-aspect",
      "pixel aspect ratio of Photoshop",
      .imageResources(1064...1064),
      .changed(.aspectRatio)
    ),
    // Numbers in XMP.
    Reference(
      "apple-face",
      "angle of a face (Apple)",
      .property("AngleInfoRoll", in: "://ns.apple.com/faceinfo/1.0/"),
      .changed(.angle)
    ),
    Reference(
      "camera-raw",
      "crop or local corrections of Camera Raw (crs)",
      .packet("://ns.adobe.com/camera-raw-settings/") { !CameraRawEdits($0).isEmpty },
      .changed(.edits)
    ),
    Reference(
      "gfocus",
      "focal point (GFocus)",
      .property("FocalPointX", in: "://ns.google.com/photos/1.0/focus/"),
      .changed(.point(y: "FocalPointY", isInPixels: false))
    ),
    Reference(
      "dji-center",
      "optical center (DJI)",
      .property("CalibratedOpticalCenterX", in: "://www.dji.com/drone-dji/1.0/"),
      .changed(.point(y: "CalibratedOpticalCenterY", isInPixels: true))
    ),
    Reference(
      "dji-dewarp",
      "lens calibration (DJI)",
      .property("DewarpData", in: "://www.dji.com/drone-dji/1.0/"),
      .changed(.calibration)
    ),
    Reference(
      "dji-offset",
      "offset of the optical center (DJI)",
      .property("RelativeOpticalCenterX", in: "://www.dji.com/drone-dji/1.0/"),
      .changed(.vector(y: "RelativeOpticalCenterY"))
    ),
    // Whether they count from the edge or the center of the first pixel is not described.
    Reference(
      "dji-homography",
      "homography between cameras (DJI)",
      .property("DewarpHMatrix", in: "://www.dji.com/drone-dji/1.0/")
    ),
    Reference(
      "dji-homography",
      "homography between cameras (DJI)",
      .property("CalibratedHMatrix", in: "://www.dji.com/drone-dji/1.0/")
    ),
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
    Reference(
      "dynamic-depth",
      "camera model (Dynamic Depth)",
      .text("://ns.google.com/photos/dd/1.0/imagingmodel/")
    ),
    Reference("xiaomi-depth", "depth map of a Xiaomi phone", .text("depthlength=")),
    Reference(
      "xiaomi-watermark",
      "part of the image under the watermark of a Xiaomi phone",
      .packet("://ns.xiaomi.com/photos/1.0/camera/") { $0.hasXiaomiPatch },
      .kept(.stale)
    ),
    Reference(
      "xmp-thumbnail",
      "thumbnail in XMP",
      .property("image", in: "://ns.adobe.com/xap/1.0/g/img/"),
      .kept(.stale)
    ),
    // Depth maps and images after the image.
    Reference("samsung-depth", "depth map in Samsung's trailer", .samsungBlock([0x0AB1, 0x0B41])),
    Reference(
      "samsung-image",
      "image in Samsung's trailer",
      .samsungBlock([0x0001, 0x0A20]),
      .kept(.independent)
    ),
    Reference(
      "huawei-depth",
      "depth map after the image (edof)",
      .trailer("\0edof\0", makes: ["HUAWEI", "HONOR"])
    ),
    // Edits in trailers, which their programs apply to the stored image.
    Reference(
      "canon-recipe",
      "recipe of Canon's Digital Photo Professional",
      .record(.canonRecipe) { Trailers.hasGeometry(canonRecipe: $0) }
    ),
    Reference(
      "fotostation-edit",
      "crop or rotation of FotoStation",
      .record(.fotoStation(2)) { Trailers.hasGeometry(softEdit: $0) }
    ),
    // Without a crop, it still has the dimensions of the stored image.
    Reference(
      "fotostation-edit",
      "dimensions in FotoStation's trailer",
      .record(.fotoStation(2)) { _ in true },
      .kept(.stale)
    ),
    Reference(
      "photomechanic-crop",
      "crop or rotation in Photo Mechanic's trailer",
      .record(.photoMechanic) { Trailers.hasGeometry(photoMechanic: $0) }
    ),
    Reference(
      "canon-recipe",
      "XMP in Canon's trailer",
      .record(.canonRecipe) { Trailers.hasPacket(canonRecipe: $0) },
      .kept(.stale)
    ),
    Reference(
      "afcp-layout",
      "Image Orientation of IPTC in the AFCP trailer",
      .record(.fileConcatenation) { Trailers.hasLayout(fileConcatenation: $0) },
      .kept(.stale)
    ),
    Reference(
      "mie",
      "rotation, size or metadata of the image in an MIE trailer",
      .record(.mie) { Trailers.hasGeometry(mie: $0) },
      .kept(.stale)
    ),
    Reference("nikon-capture", "crop, rotation or retouching of Nikon's Capture NX", .nikonCapture),
    // Layouts of the raster.
    Reference("panorama", "panorama geometry in XMP (GPano)", .panorama),
    Reference(
      "camera-raw",
      "masks of Camera Raw (crs)",
      .packet("://ns.adobe.com/camera-raw-settings/") { CameraRawEdits($0).hasUnknown }
    ),
    Reference(
      "camera-raw",
      "crop or local corrections in defaults of Camera Raw (crd)",
      .packet("://ns.adobe.com/camera-raw-defaults/") {
        !CameraRawEdits($0, in: XMPNamespace.cameraRawDefaults).isEmpty
      }
    ),
    Reference(
      "camera-raw-perspective",
      "perspective correction of Camera Raw (crs)",
      .packet("Perspective") { CameraRawEdits($0).hasPerspective }
    ),
    Reference(
      "apple-crop",
      "crop of Apple's adjustments (aas)",
      .packet("://ns.apple.com/adjustment-settings/") { $0.hasAppleCrop }
    ),
    // The camera of newer Pixels writes this type without GPano, whose row applies first.
    Reference(
      "panorama",
      "panorama of a Pixel (SpecialTypeID)",
      .text("specialtype.SpecialType-PANORAMA")
    ),
    // ISO/IEC 19566-6: 785F34B7-5D4B-474C-B89F-1D99E0E3A8DD.
    Reference(
      "jpeg-360",
      "geometry of a 360° image (JPEG 360)",
      .box([
        0x78, 0x5F, 0x34, 0xB7, 0x5D, 0x4B, 0x47, 0x4C, 0xB8, 0x9F, 0x1D, 0x99, 0xE0, 0xE3, 0xA8,
        0xDD,
      ])
    ),
    Reference("samsung-360", "360° image of a Samsung camera", .samsungBlock([0xA050])),
    Reference(
      "insta360",
      "360° image of an Insta360 camera",
      .end("8db42d694ccc418790edff439fe026bf")
    ),
    Reference("jps", "layout of a stereo pair (JPS)", .segment(3, "_JPSJPS_")),
    Reference("stim", "geometry of a stereo image (CIPA DC-006)", .segment(3, "Stim\0")),
    Reference(
      "multi-picture",
      "layout of a panorama of several images (MPF)",
      .segmentWhere(2, "MPF\0") {
        MultiPictureGeometry.states(MultiPictureGeometry.layout, in: $0, $1)
      }
    ),
    // Nothing shows another image because of them, so that a pair is better rotated than not.
    Reference(
      "multi-picture-directions",
      "directions of the cameras of several views (MPF)",
      .segmentWhere(2, "MPF\0") {
        MultiPictureGeometry.states(MultiPictureGeometry.directions, in: $0, $1)
      },
      .kept(.stale)
    ),
    // Positions in millimeters of a sensor whose size is not known.
    Reference(
      "pix4d-camera",
      "camera calibration (Pix4D)",
      .property("PrincipalPoint", in: "://pix4d.com/camera/1.0")
    ),
    Reference(
      "pix4d-camera",
      "camera calibration (Pix4D)",
      .property("VignettingCenter", in: "://pix4d.com/camera/1.0")
    ),
    Reference(
      "photomechanic-crop",
      "crop of Photo Mechanic",
      .packet("://ns.camerabits.com/photomechanic/") { $0.hasPhotoMechanicCrop }
    ),
    Reference(
      "object-position",
      "positions of objects (Sony)",
      .packet("ObjectPos") { $0.hasObjectPosition },
      .kept(.stale)
    ),
    Reference(
      "panorama",
      "panorama geometry of Microsoft",
      .property("PanoramicStitchMapType", in: "://ns.microsoft.com/photo/1.1")
    ),
    // darktable applies it from sidecars only.
    Reference(
      "darktable-history",
      "edits of darktable",
      .packet("://darktable.sf.net/") { $0.hasDarktableGeometry },
      .kept(.stale)
    ),
    // Residuals and outlines.
    Reference("jpeg-hdr", "ratio image of JPEG-HDR", .segment(11, "HDR_RI ")),
    Reference("photoshop-path", "Photoshop paths", .imageResources(2000...2997)),
    Reference(
      "photoshop-guides",
      "guides of Photoshop",
      .imageResource(1032) { ($0.uint32(at: $1.lowerBound + 12) ?? 0) > 0 },
      .kept(.stale)
    ),
    Reference(
      "photoshop-slices",
      "slices of Photoshop",
      .imageResource(1050) { ImageResource.sliceCount($0, $1) > 1 },
      .kept(.stale)
    ),
    // Previews in Exif, and in segments of their own.
    Reference("makernote-preview", "preview in the MakerNote", .makerNote, .kept(.stale)),
    Reference("app2-preview", "preview in an APP2 segment", .preview(2), .kept(.stale)),
    Reference("app3-preview", "preview in an APP3 segment", .preview(3), .kept(.stale)),
    Reference(
      "ciff-preview",
      "preview of Canon (CIFF)",
      .previewAfter(0, "HEAPJPGM", at: 6),
      .kept(.stale)
    ),
    Reference(
      "flashpix-preview",
      "preview in FlashPix data",
      .previewAfter(2, "FPXR\0"),
      .kept(.stale)
    ),
    Reference("scalado-preview", "preview of Scalado", .segment(4, "SCALADO\0"), .kept(.stale)),
    Reference("app12-preview", "preview in an APP12 segment", .previewAfter(12, ""), .kept(.stale)),
  ]
}

internal import XMPPacket

/// The namespaces of XMP that have a public meaning, and of which no property has positions in the image besides those
/// that are compared by value or searched for as registered data.
enum KnownNamespaces {
  /// Returns whether a property is known.
  static func contains(_ name: String, in namespace: String) -> Bool {
    if whole.contains(namespace) { return true }
    return partly[namespace]?.contains(name) ?? false
  }

  /// Returns whether a property is the private data of a maker in a namespace of known properties.
  static func isMakerNote(_ name: String, in namespace: String) -> Bool {
    namespace == XMPNamespace.camera && makerNotes.contains(name)
  }

  /// Google's private data of HDR+.
  private static let makerNotes: Set<String> = [
    "hdrp_makernote", "HdrPlusMakernote", "shot_log_data",
  ]

  private static let whole: Set<String> = [
    XMPNamespace.rdf, XMPNamespace.xml, "adobe:ns:meta/",
    // XMP part 1 and 2: descriptions, rights, history, references to other documents, colorants, video and sound.
    "http://purl.org/dc/elements/1.1/", "http://purl.org/dc/terms/", "http://ns.adobe.com/xap/1.0/",
    "http://ns.adobe.com/xap/1.0/rights/", "http://ns.adobe.com/xap/1.0/mm/",
    "http://ns.adobe.com/xap/1.0/bj/", "http://ns.adobe.com/xap/1.0/t/pg/",
    "http://ns.adobe.com/xap/1.0/g/", "http://ns.adobe.com/xap/1.0/g/img/",
    "http://ns.adobe.com/xap/1.0/sType/ResourceEvent#",
    "http://ns.adobe.com/xap/1.0/sType/ResourceRef#", "http://ns.adobe.com/xap/1.0/sType/Version#",
    "http://ns.adobe.com/xap/1.0/sType/ManifestItem#", "http://ns.adobe.com/xap/1.0/sType/Job#",
    "http://ns.adobe.com/xap/1.0/sType/Font#", "http://ns.adobe.com/xmp/Identifier/qual/1.0/",
    "http://ns.adobe.com/xmp/1.0/DynamicMedia/", "http://ns.adobe.com/pdf/1.3/",
    "http://ns.adobe.com/pdfx/1.3/", "http://ns.adobe.com/photoshop/1.0/",
    "http://ns.adobe.com/iX/1.0/", "http://ns.adobe.com/xmp/note/",
    // Tags of TIFF and Exif, whose positions are compared as those of Exif.
    XMPNamespace.tiff, XMPNamespace.exif, "http://ns.adobe.com/exif/1.0/aux/",
    "http://cipa.jp/exif/1.0/", "http://cipa.jp/exif/2.32/",
    // Regions, which are compared with their dimensions.
    "http://www.metadataworkinggroup.com/schemas/regions/",
    "http://www.metadataworkinggroup.com/schemas/keywords/",
    "http://www.metadataworkinggroup.com/schemas/collections/", XMPNamespace.area,
    XMPNamespace.dimensions, "http://ns.microsoft.com/photo/1.2/",
    "http://ns.microsoft.com/photo/1.2/t/RegionInfo#", XMPNamespace.microsoftRegion,
    XMPNamespace.iptcExtension, XMPNamespace.acdseeArea, XMPNamespace.acdseeDimensions,
    "http://ns.acdsee.com/regions/", "http://ns.apple.com/faceinfo/1.0/",
    // IPTC, PLUS, PRISM, Creative Commons, and catalogs: descriptions and rights.
    "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/", "http://ns.useplus.org/ldf/xmp/1.0/",
    "http://prismstandard.org/namespaces/basic/2.0/", "http://creativecommons.org/ns#",
    "http://ns.microsoft.com/photo/1.0", "http://ns.microsoft.com/photo/1.0/",
    "http://ns.adobe.com/lightroom/1.0/", "http://ns.adobe.com/bridge/1.0/",
    "http://ns.acdsee.com/iptc/1.0/", "http://www.digikam.org/ns/1.0/",
    "http://www.digikam.org/ns/kipi/1.0/", "http://ns.iview-multimedia.com/mediapro/1.0/",
    "http://ns.microsoft.com/expressionmedia/1.0/", "http://ns.idimager.com/ics/1.0/",
    "http://ns.extensis.com/extensis/1.0/", "http://www.artstor.org/ARTstorCore/",
    "http://ns.fotoware.com/iptcxmp-custom/1.0/", "http://ns.adobe.com/DICOM/",
    "http://www.gimp.org/xmp/", "http://ns.google.com/photos/1.0/creations/",
    "http://ns.google.com/photos/1.0/audio/", "http://rs.tdwg.org/dwc/terms/",
    // Settings that have no positions, or whose positions are compared or searched for.
    XMPNamespace.cameraRaw, XMPNamespace.darktable, XMPNamespace.photoMechanic,
    XMPNamespace.panorama, "http://ns.google.com/photos/1.0/depthmap/",
    "http://ns.google.com/photos/1.0/image/", "http://ns.google.com/photos/1.0/focus/",
    // Directories of the images in the file, gain maps and levels of light.
    XMPNamespace.container, XMPNamespace.containerItem, XMPNamespace.gainMap,
    XMPNamespace.appleGainMap, XMPNamespace.applePixelDataInfo,
    "http://ns.adobe.com/hdr-metadata/1.0/", "http://ns.apple.com/ImageIO/1.0/",
  ]

  /// The known properties of namespaces to which makers add others.
  private static let partly: [String: Set<String>] = [
    XMPNamespace.camera: [
      "BurstID", "BurstPrimary", "DisableAutoCreation", "DisableSuggestedAction", "MicroVideo",
      "MicroVideoOffset", "MicroVideoPresentationTimestampUs", "MicroVideoVersion", "MotionPhoto",
      "MotionPhotoPresentationTimestampUs", "MotionPhotoVersion", "SpecialTypeID",
    ],
    "http://www.dji.com/drone-dji/1.0/": [
      "AbsoluteAltitude", "AltitudeType", "CalibratedFocalLength", "CamReverse",
      "CameraSerialNumber", "CaptureUUID", "DewarpFlag", "DroneModel", "DroneSerialNumber",
      "FlightPitchDegree", "FlightRollDegree", "FlightXSpeed", "FlightYSpeed", "FlightYawDegree",
      "FlightZSpeed", "GPSLatitude", "GPSLongitude", "GPSLongtitude", "GimbalPitchDegree",
      "GimbalReverse", "GimbalRollDegree", "GimbalYawDegree", "GpsLatitude", "GpsLongitude",
      "GpsLongtitude", "GpsStatus", "ImageSource", "LRFStatus", "LRFTargetAbsAlt", "LRFTargetAlt",
      "LRFTargetDistance", "LRFTargetLat", "LRFTargetLon", "Latitude", "LensPosition",
      "LensTemperature", "Longitude", "PictureQuality", "ProductName", "RecommendedExposureIndex",
      "RelativeAltitude", "RtkDiffAge", "RtkFlag", "RtkStdHgt", "RtkStdLat", "RtkStdLon",
      "SelfData",
      "SensorFPS", "SensorTemperature", "ShutterCount", "ShutterType", "SurveyingMode",
      "UTCAtExposure", "Version", "WhiteBalanceCCT", "NTRIPHost", "NTRIPMountPoint", "NTRIPPort",
    ],
    "http://pix4d.com/camera/1.0/": [
      "BandName", "BandSensitivity", "BlackCurrent", "BlackLevel", "CentralWavelength",
      "FNumber", "GPSXYAccuracy", "GPSZAccuracy", "Gyroscope", "Gain", "IMUPitchAccuracy",
      "IMURollAccuracy", "IMUYawAccuracy", "Irradiance", "IrradianceExposureTime", "IrradianceGain",
      "IrradianceList", "IrradiancePitch", "IrradianceRoll", "IrradianceYaw", "IsNormalized",
      "ModelType", "PerspectiveDistortion", "PerspectiveFocalLength",
      "PerspectiveFocalLengthUnits", "Pitch", "RigCameraIndex", "RigName", "RigRelatives",
      "RigRelativesReferenceRigCameraIndex", "Roll", "SunSensor", "VignettingPolynomial",
      "WavelengthFWHM", "Yaw",
    ],
  ]
}

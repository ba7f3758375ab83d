/// The URIs of namespaces with properties about orientation, dimensions and parts of an image.
package enum XMPNamespace {
  /// The syntax of RDF.
  package static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  /// Attributes of XML, such as `xml:lang`.
  package static let xml = "http://www.w3.org/XML/1998/namespace"

  /// TIFF tags, including Orientation.
  package static let tiff = "http://ns.adobe.com/tiff/1.0/"
  /// Exif tags.
  package static let exif = "http://ns.adobe.com/exif/1.0/"
  /// Photoshop's properties, which raw converters use in sidecars.
  package static let photoshop = "http://ns.adobe.com/photoshop/1.0/"

  /// References of XMP to extended XMP.
  package static let note = "http://ns.adobe.com/xmp/note/"
  /// The settings of Camera Raw.
  package static let cameraRaw = "http://ns.adobe.com/camera-raw-settings/1.0/"
  /// The snapshots of Camera Raw's settings.
  package static let cameraRawSnapshots = "http://ns.adobe.com/camera-raw-saved-settings/1.0/"
  /// Defaults of Camera Raw, with the names of its settings.
  package static let cameraRawDefaults = "http://ns.adobe.com/camera-raw-defaults/1.0/"
  /// Apple's adjustments.
  package static let appleAdjustments = "http://ns.apple.com/adjustment-settings/1.0/"
  /// Properties of Xiaomi's cameras.
  package static let xiaomiCamera = "http://ns.xiaomi.com/photos/1.0/camera/"
  /// The edits of darktable.
  package static let darktable = "http://darktable.sf.net/"
  /// Photo Mechanic's properties.
  package static let photoMechanic = "http://ns.camerabits.com/photomechanic/1.0/"

  /// Properties of Google's cameras.
  package static let camera = "http://ns.google.com/photos/1.0/camera/"
  /// Google's directory of the images and videos in one file.
  package static let container = "http://ns.google.com/photos/1.0/container/"
  /// One entry of Google's directory.
  package static let containerItem = "http://ns.google.com/photos/1.0/container/item/"
  /// Adobe's gain map.
  package static let gainMap = "http://ns.adobe.com/hdr-gain-map/1.0/"
  /// Apple's gain map.
  package static let appleGainMap = "http://ns.apple.com/HDRGainMap/1.0/"
  /// Apple's description of auxiliary images.
  package static let applePixelDataInfo = "http://ns.apple.com/pixeldatainfo/1.0/"

  /// Renditions of an image in XMP, as Base64.
  package static let imageRendition = "http://ns.adobe.com/xap/1.0/g/img/"
  /// The part of a panorama that an image shows.
  package static let panorama = "http://ns.google.com/photos/1.0/panorama/"

  /// Regions of the Metadata Working Group.
  package static let regions = "http://www.metadataworkinggroup.com/schemas/regions/"
  /// The area of a region.
  package static let area = "http://ns.adobe.com/xmp/sType/Area#"
  /// Dimensions, such as those that a region applies to.
  package static let dimensions = "http://ns.adobe.com/xap/1.0/sType/Dimensions#"

  /// One region of Microsoft's list.
  package static let microsoftRegion = "http://ns.microsoft.com/photo/1.2/t/Region#"

  /// IPTC Extension, including image regions.
  package static let iptcExtension = "http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
  /// The area of an ACDSee region.
  package static let acdseeArea = "http://ns.acdsee.com/sType/Area#"
  /// Dimensions that ACDSee's regions apply to.
  package static let acdseeDimensions = "http://ns.acdsee.com/sType/Dimensions#"
}

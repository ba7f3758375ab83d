internal import FileSystem
internal import ImageFormats
internal import SystemPackage
internal import Upright

extension Neighbour {
  /// One kind of such files.
  ///
  /// `all` lists them; `docs/archives.md` describes them.
  struct Kind: Sendable {
    /// The kind as text for people.
    let name: String
    /// The ends of the files' names, in small letters; they may be written in capitals, too.
    let endings: [String]
    var place = Place.stem
    var effect = Effect.described
    var test = Test.none
  }

  /// Where a file is, and what is before the ending of its name.
  enum Place: Sendable {
    /// The photo's name without its extension.
    case stem
    /// The photo's name.
    case name
    /// The photo's name with a number before its extension, as in `IMG_01.jpg.xmp`.
    case duplicate
    /// The name without the extension, of the shot of a Pixel: `.RAW-01.COVER` is replaced by `.RAW-02.ORIGINAL`.
    case original
    /// Nothing: the file is about all photos of its folder.
    case folder
    /// The photo's name, in a folder beside the photo.
    case inFolder(String)
    /// The photo's name, in the folders that begin with a text, in a folder beside the photo.
    case inFolders(String, beginningWith: String)
    /// The photo's name without its extension, in the tree that is beside the one with this name that the photo is in.
    case parallel(String, beside: String)
  }

  /// How to find out whether a file concerns a photo.
  enum Test: Sendable {
    /// Any file does.
    case none
    /// The content decides, which is read to its end.
    case content(@Sendable (NeighbourContent) -> Bool)
    /// The first bytes decide, this many.
    case beginning(Int, @Sendable (NeighbourContent) -> Bool)
    /// What a list of Picasa says of the photo decides.
    case list(@Sendable (PicasaList.Entry) -> Bool)
  }
}

extension Neighbour.Kind {
  static let all =
    [
      Self(
        name: "edit of Apple Photos",
        endings: [".aae"],
        effect: .edit,
        test: .content { $0.has("adjustmentData") }
      ),
      Self(
        name: "edit of Picasa",
        endings: PicasaList.names,
        place: .folder,
        effect: .edit,
        test: .list { $0.contains(.edit) }
      ),
      Self(
        name: "list of faces of Picasa",
        endings: PicasaList.names,
        place: .folder,
        test: .list { $0.contains(.faces) }
      ),
      Self(
        name: "edit of darktable",
        endings: [".xmp"],
        place: .name,
        effect: .edit,
        test: .content(\.isEditOfDarktable)
      ),
      Self(
        name: "edit of darktable",
        endings: [".xmp"],
        place: .duplicate,
        effect: .edit,
        test: .content(\.isEditOfDarktable)
      ),
      Self(
        name: "edit of RawTherapee",
        endings: [".pp3"],
        place: .name,
        test: .content(\.isEditOfRawTherapee)
      ),
      Self(
        name: "edit of ART",
        endings: [".arp"],
        place: .name,
        test: .content(\.isEditOfRawTherapee)
      ),
      Self(
        name: "edit of RapidRAW",
        endings: [".rrdata"],
        place: .name,
        test: .content(\.isEditOfRapidRAW)
      ),
      Self(name: "edit of DxO PhotoLab", endings: [".dop"], place: .name),
      Self(name: "edit of ON1", endings: [".on1"]),
      Self(name: "recipe of Canon DPP", endings: [".vrd", ".dr4"]),
      Self(
        name: "edit of Nikon NX Studio",
        endings: [".nksc"],
        place: .inFolder("NKSC_PARAM")
      ),
      Self(
        name: "edit of Capture One",
        endings: [".cos"],
        place: .inFolders("CaptureOne", beginningWith: "Settings")
      ),
      Self(
        name: "world file",
        endings: SidecarFile.worldFileEndings,
        effect: .placement,
        // Of a larger file, the beginning is none either.
        test: .beginning(4096) { (try? WorldFile($0.text)) != nil }
      ),
      Self(
        name: "map position of GDAL",
        endings: [".aux.xml"],
        place: .name,
        effect: .placement,
        test: .content { $0.has("<GeoTransform>") || $0.has("<GCPList") }
      ),
      Self(
        name: "map points of QGIS",
        endings: [".points"],
        place: .name,
        effect: .placement
      ),
      Self(
        name: "map position of MapInfo",
        endings: [".tab"],
        effect: .placement,
        test: .beginning(4096) { $0.has("\"RASTER\"") }
      ),
      Self(
        name: "map position of OziExplorer",
        endings: [".map"],
        effect: .placement,
        test: .beginning(64) { $0.has("OziExplorer Map Data File") }
      ),
      Self(name: "overview or mask of GDAL", endings: [".ovr", ".msk"], place: .name),
    ] + labels + [
      Self(name: "video of a Live Photo", endings: [".mov"], effect: .counterpart),
      Self(name: "raw file", endings: raws, effect: .counterpart),
      Self(name: "raw file", endings: [".dng"], place: .original, effect: .counterpart),
    ]

  /// The names of files that are about all photos of their folder, in small letters.
  static let namesInFolders = all.flatMap { (kind) -> [String] in
    if case .folder = kind.place { kind.endings.map { $0.lowercased() } } else { [] }
  }

  private static let raws =
    (ImageFormat.all(of: .raw) + [.dng]).flatMap { $0.endings.map { ".\($0)" } }

  /// Labels are beside the images, or in a tree of their own.
  private static let labels =
    [.stem, .parallel("labels", beside: "images"), .parallel("Annotations", beside: "JPEGImages")]
    .flatMap { (place: Neighbour.Place) in
      [
        Self(
          name: Neighbour.labelFile,
          endings: [".xml"],
          place: place,
          test: .content { $0.has("<bndbox>") }
        ),
        Self(
          name: Neighbour.labelFile,
          endings: [".json"],
          place: place,
          test: .content { $0.has("\"shapes\"") && $0.has("\"points\"") }
        ),
        Self(
          name: Neighbour.labelFile,
          endings: [".txt"],
          place: place,
          test: .beginning(4096, \.isOfYOLO)
        ),
        Self(
          name: Neighbour.labelFile,
          endings: [".pts"],
          place: place,
          test: .beginning(4096) { $0.has("n_points") }
        ),
      ]
    }

  /// The number of bytes of a file that are read at most.
  private static let maxSize = SidecarFile.maxSize

  /// Reads a file as far as that tells whether it concerns a photo.
  ///
  /// - Returns: The status of the file, and whether it is too large to be read; nil if there is none, or it does not concern
  ///   the photo.
  /// - Throws: ``FileError``, if the photo would be skipped because of the file, which cannot be examined or read.
  func examine(
    _ path: FilePath,
    _ photo: [UInt8]
  ) throws(FileError) -> (status: FileIdentity, isUnread: Bool)? {
    var status: FileIdentity?
    do throws(FileError) {
      status = try path.examined()
      guard let status, status.kind == .regular else { return nil }
      let isMeant =
        switch test {
        case .none: true
        case .content(let test):
          test(NeighbourContent(bytes: try FileReader(path).readAll(limit: Self.maxSize)))
        case .beginning(let count, let test):
          test(NeighbourContent(bytes: try FileReader(path).read(at: 0, count: count)))
        case .list(let test):
          test(try PicasaList.at(path, status, limit: Self.maxSize)[photo])
        }
      return isMeant ? (status, false) : nil
    } catch {
      if error.problem == .tooLarge, let status { return (status, true) }
      // Nothing depends on what is only named.
      if case .described = effect { return nil }
      if case .counterpart = effect { return nil }
      throw error
    }
  }
}

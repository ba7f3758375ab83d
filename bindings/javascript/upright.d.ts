/** The bytes of a photo. */
export type Source = File | Blob | ArrayBuffer | ArrayBufferView;

// made: options

/** Options of the command `upright`, in camel case. */
export interface Options {
  /**
   * What to do if an edge of the image is not aligned to whole blocks and the transform requires it. redraw: the
   * affected components are re-encoded, and nothing is cut off; trim: the partial blocks are cut off; skip: the file
   * is skipped; fail: the file fails with an error.
   */
  unaligned?: "redraw" | "trim" | "skip" | "fail";
  /**
   * What to do if the Orientation tag seems stale. The image seems to be upright already then. skip: the file is
   * skipped; trust-tag: the image is rotated or flipped anyway; reset-tag: only Orientation is set to 1.
   */
  onConflict?: "skip" | "trust-tag" | "reset-tag";
  /**
   * What to do with a file that has C2PA content credentials, which any change makes invalid. skip: the file is
   * skipped; keep: it is rewritten, and the credentials are kept; strip: it is rewritten, and the credentials are
   * removed.
   */
  contentCredentials?: "skip" | "keep" | "strip";
  /**
   * What to do with a file whose thermal data, depth map or other data would no longer fit the image. skip: the file
   * is skipped; keep: the image is transformed, and the data is kept.
   */
  registeredData?: "skip" | "keep";
  /**
   * Quality of re-encoded parts. standard: the noise of a quarter of the original's quantization steps; compact: that
   * of half of the steps, in about three quarters of the size; max: steps of 1, in about one and a half times the
   * size.
   */
  redrawQuality?: "standard" | "compact" | "max";
  /**
   * What to do if the axes are swapped and the X and Y resolutions differ. keep: they are kept; follow: they are
   * swapped, too.
   */
  resolution?: "keep" | "follow";
  /**
   * What to do with face and subject regions. auto: those in XMP are transformed if the file shows that they describe
   * the stored image; keep: all are kept; follow: all are transformed, SubjectArea included.
   */
  regions?: "auto" | "keep" | "follow";
  /** Skip files that cannot be rotated losslessly. That includes their thumbnails and gain maps. */
  losslessOnly?: boolean;
  /** Skip files with Orientation 0, which is treated as 1 by default. */
  strictOrientation?: boolean;
  /** Set an Orientation of 0 or above 8, which has no meaning, to 1. */
  resetInvalid?: boolean;
  /** Skip images with more pixels than this. */
  maxPixels?: number;
  /** Skip images with more scans than this. */
  maxScans?: number;
  /** Refuse files with more bytes than this, because files are read into memory. */
  maxBytes?: number;
  /** Skip files for which the estimate of memory is higher than this. In MiB. */
  memory?: number;
  /**
   * How a result is checked before it is returned. restore: the original is restored from it and compared, byte for
   * byte; reference: it is compared with TurboJPEG's lossless transform of the original; none: it is not checked.
   */
  verify?: "restore" | "reference" | "none";
  /** Also decode the files that are already upright, and report damaged ones. */
  checkUnchanged?: boolean;
  /** Skip files whose original could not be restored byte for byte. */
  requireUndo?: boolean;
  /** The name of the file in the report. */
  path?: string;
}

/** Options of rotate and flip. */
export interface TransformOptions extends Omit<Options, "onConflict"> {
  /** Change only the Orientation tag; leave the image as stored. */
  tagOnly?: boolean;
  /** Report what would be done; write nothing. */
  dryRun?: boolean;
}

/** Options of crop. */
export interface CropOptions extends Omit<Options, "onConflict"> {
  /** Report what would be done; write nothing. */
  dryRun?: boolean;
  /**
   * What to do with a rectangle that does not start at a block. grow: it grows to whole blocks, so that the crop is
   * lossless; shrink: it shrinks to whole blocks, so that the crop is lossless; exact: it is kept, and components
   * whose blocks it cuts are re-encoded.
   */
  snap?: "grow" | "shrink" | "exact";
}

// made

/** Options of a pool's calls. */
export interface CallOptions {
  /** Cancels the work; the promise is rejected with the code `cancelled` and the name `AbortError`. */
  signal?: AbortSignal;
  /**
   * Milliseconds of work after which the promise is rejected with the code `time-limit`; the wait for a worker does
   * not count. Durations of more than 24 days, such as `Infinity`, are no limit.
   */
  timeLimit?: number;
}

/**
 * What changes a decision or prevents an error: a policy with another value, a higher limit, or another action. Names
 * are those of options, such as `onConflict`; the text is an imperative, as on a button.
 */
export type Remedy =
  | { policy: string; value: string; text?: string }
  | { limit: string; text?: string }
  | { action: string; text?: string };

// The types of reports, objects of the schema upright/2, which tools/dev/make-interfaces writes.
// made: reports

/** What else an audit found in the file. Plans do not depend on it. */
export interface Facts {
  /** The file's size in bytes. */
  size: number;
  /**
   * What the format itself states: irot and imir of HEIF, the codestream of JPEG XL, the matrix of a video, the
   * rotation of X3F and CRW.
   */
  formatOrientation?: number;
  /** Of formats other than JPEG: whether all readers show the same, whichever statement they obey. */
  orientationsAgree?: boolean;
  /** The number in Exif's Orientation, valid or not. */
  exifOrientation?: number;
  /** The number in XMP's tiff:Orientation, valid or not. */
  xmpOrientation?: number;
  /** What a trimmed image would lose, whatever the policy is; absent if nothing. */
  trimming?: TrimmedEdges;
  /** Why the Orientation tag may be stale. */
  conflicts?: Evidence[];
  /** Make and model from Exif. */
  camera?: string;
  /**
   * When the photo was taken, by the camera's clock, as in `2024-05-06T07:08:09`, with a fraction of the second and
   * the offset from UTC if they are known.
   */
  captured?: string;
  /** Whether Exif has a latitude and a longitude, as fractions or as text; 0/0 is not a value. */
  gps: boolean;
  /** Whether Exif has a thumbnail. */
  thumbnail: boolean;
  /** Whether the metadata announce a gain map. */
  gainMap: boolean;
  /** Whether the metadata announce a motion photo's video. */
  motionPhoto: boolean;
  /**
   * The transform after which the thumbnail of an upright image would show it upright, too; only from audits that read
   * whole files.
   */
  thumbnailTransform?:
    | "none"
    | "flip-horizontal"
    | "rotate-180"
    | "flip-vertical"
    | "transpose"
    | "rotate-90"
    | "transverse"
    | "rotate-270";
  /** How many bytes follow the primary image; absent if only its scan data would show it. */
  trailingBytes?: number;
  /** Whether the file has C2PA content credentials. */
  contentCredentials: boolean;
  /** Whether XMP has regions of the image. */
  regions: boolean;
  /** Whether Exif has a SubjectArea or SubjectLocation. */
  subjectArea: boolean;
  /** Whether the file has the data to undo its last rewrite. */
  undoData: boolean;
}

/** A file beside the photo, and what was done with it, or would be. */
export interface Companion {
  /** The file. Bytes that are not UTF-8 are replaced by U+FFFD. */
  path: string;
  /** The bytes of the path in hexadecimal, if they are not UTF-8. */
  pathBytes?: string;
  /** What the file is to the photo. */
  kind: "sidecar" | "world-file" | "edit" | "placement" | "description" | "counterpart";
  /** What the file is, as a noun, such as `sidecar` or `edit of darktable`. For people; the wording may change. */
  name: string;
  /** What becomes of the file. */
  action: "update" | "reset" | "copy" | "complete" | "restore" | "leave";
  /** Whether that was done; otherwise it is planned, or failed. */
  done: boolean;
  /** Why the file stays as it is; only of the action `leave`. */
  reason?:
    | "fits"
    | "photo-unchanged"
    | "outdated"
    | "may-be-outdated"
    | "kept"
    | "of-another"
    | "unreadable"
    | "format"
    | "same-shot"
    | "obeyed"
    | "changed-since"
    | "missing"
    | "of-result"
    | "may-be-of-result";
  /** The Orientation in the file, if it differs from that of the photo. */
  orientation?: number;
  /** The file that was written, if not `path`. */
  output?: string;
  /** Why the file could not be read or written. */
  error?: Failure;
  /** What the file keeps although it may not fit the photo any more. */
  notes?: Note[];
  /** What changes the decision. */
  remedies?: Remedy[];
}

/** An identifier and a remark. */
export interface Note {
  /** The note, as listed in docs/identifiers.md. */
  id: string;
  /** For people; the wording may change. */
  text: string;
  /** What changes what is noted. */
  remedies?: Remedy[];
}

/** A range of bytes that is replaced. */
export interface Change {
  /** What the bytes are, such as `exif.ifd0.orientation`. */
  field: string;
  /** The first byte in the original; of a conversion, in its Exif block or XMP packet. */
  offset: number;
  /** How many bytes are replaced; 0 for an insertion. */
  oldLength: number;
  /** How many bytes replace them. */
  newLength: number;
  /** The value before; absent if there is none. */
  old?: string;
  /** The value after; absent if there is none. */
  new?: string;
}

/** Data that is registered to the pixels of the image. */
export interface RegisteredData {
  /** The kind of data, such as `flir` or `gdepth`. */
  kind: string;
  /**
   * What the transform means for it: `misregistered`, it no longer fits the image; `stale`, it is a preview that shows
   * the image as it was stored; `independent`, nothing.
   */
  effect: "misregistered" | "stale" | "independent";
  /** Where in the original it was recognized. */
  offset: number;
}

/** What becomes of one kind of regions. */
export interface Region {
  /** The kind of regions. */
  kind: "mwg" | "microsoft" | "acdsee" | "iptc" | "subject" | "xmp-subject";
  /**
   * `transformed`; `fitting`: they describe the displayed image and are kept; `kept`: they describe the image as it
   * was stored, or may do so.
   */
  disposition: "transformed" | "fitting" | "kept";
  /** The image that they refer to; absent if unknown. */
  frame?: "stored" | "displayed";
  /** What the decision is based on. */
  evidence: "applied-to-dimensions" | "rotation" | "agreement" | "specification" | "same-frame" | "option" | "none";
}

/** A secondary image, a thumbnail or a video in the file. */
export interface EmbeddedImage {
  /** The purpose of the image. */
  role: "thumbnail" | "gain-map" | "depth-map" | "matte" | "preview" | "view" | "video" | "unknown";
  /** Its first byte in the original. */
  offset: number;
  /** Its length in bytes. */
  length: number;
  /** Its stored width, if it can be read. */
  width?: number;
  /** Its stored height, if it can be read. */
  height?: number;
  /** What was done with it; absent if the file is unchanged. */
  disposition?: "transformed" | "re-encoded" | "regenerated" | "removed" | "kept" | "stale";
}

/** An identifier and what happened. */
export interface Failure {
  /** The error, as listed in docs/identifiers.md. */
  id: string;
  /** For people; the wording may change. */
  text: string;
  /** What prevents the error. */
  remedies?: Remedy[];
  /** The byte in the file, where it is known. */
  offset?: number;
}

/** Evidence of a stale Orientation tag. */
export interface Evidence {
  /** The evidence; docs/specification.md, section 6, gives the weights. */
  id:
    | "dimensions-swapped"
    | "dimensions-shape"
    | "thumbnail-swapped"
    | "thumbnail-shape"
    | "thumbnail-portrait"
    | "thumbnail-content"
    | "panorama"
    | "software"
    | "stored-portrait"
    | "jfif-first"
    | "exif-twice"
    | "sampling"
    | "xmp-only";
  /** For people; the wording may change. */
  text: string;
}

/** An identifier and what it means. */
export interface Reason {
  /** The reason, as listed in docs/identifiers.md. */
  id: string;
  /** For people; the wording may change. */
  text: string;
  /** Why a stale Orientation tag is suspected; only of the reason `conflict`. */
  evidence?: Evidence[];
  /** What changes the decision. */
  remedies?: Remedy[];
}

/** The distortion and the size of the re-encoded image. */
export interface Redraw {
  /** PSNR in dB of the displayed red, green and blue, as docs/output.md explains; absent if nothing differs. */
  psnr?: number;
  /** The largest difference of two samples, in the lines that are measured (docs/output.md). */
  largestError: number;
  /** The number of coefficients that the undo data must list. */
  exceptions: number;
  /** Their size in the undo data, in bytes. */
  exceptionBytes: number;
  /** The size of the entropy-coded data before, in bytes. */
  sizeBefore: number;
  /** The size of the entropy-coded data after, in bytes. */
  sizeAfter: number;
}

/** A rectangle in pixels of the upright image. */
export interface Rectangle {
  /** From the left. */
  x: number;
  /** From the top. */
  y: number;
  /** The width. */
  width: number;
  /** The height. */
  height: number;
}

/** The requested rectangle and the resulting one, in pixels of the upright image. */
export interface Crop {
  /** The requested rectangle. */
  requested: Rectangle;
  /** The rectangle of the result. */
  result: Rectangle;
}

/** Columns and rows of the stored raster. */
export interface TrimmedEdges {
  /** Columns, from the right. */
  columns: number;
  /** Rows, from the bottom. */
  rows: number;
}

/** The report of one file: what was done with it, or would be done. */
export interface Report {
  /** The schema and its version. */
  schema: "upright/2";
  /** The file, as given or found; `-` is standard input. Bytes that are not UTF-8 are replaced by U+FFFD. */
  path: string;
  /** The bytes of the path in hexadecimal, if they are not UTF-8. */
  pathBytes?: string;
  /** Where the result was written, if not to `path`. */
  output?: string;
  /** What was done with the file, or would be done. */
  status:
    | "already-upright"
    | "unchanged"
    | "planned"
    | "normalized"
    | "rotated"
    | "flipped"
    | "cropped"
    | "reset"
    | "tagged"
    | "restored"
    | "restorable"
    | "stripped"
    | "converted"
    | "convertible"
    | "skipped"
    | "failed"
    | "interrupted";
  /** How the stored image is transformed (rotations are clockwise); `none` if it is only cropped. */
  transform?:
    | "none"
    | "flip-horizontal"
    | "rotate-180"
    | "flip-vertical"
    | "transpose"
    | "rotate-90"
    | "transverse"
    | "rotate-270";
  /** How the displayed image is transformed (rotations are clockwise); absent if it does not change. */
  displayTransform?:
    | "flip-horizontal"
    | "rotate-180"
    | "flip-vertical"
    | "transpose"
    | "rotate-90"
    | "transverse"
    | "rotate-270";
  /** Whether the image is lossless, or what is done with its partial MCUs. */
  edges?: "lossless" | "re-encoded" | "trimmed";
  /** The components that stay lossless although others are re-encoded, by their index from 0. */
  keptComponents?: number[];
  /** The partial MCUs that are cut off. */
  trimmed?: TrimmedEdges;
  /** The requested rectangle and the resulting one. */
  crop?: Crop;
  /** The distortion and the size of the re-encoded image. */
  redraw?: Redraw;
  /** How the result was verified before it was written. */
  verification?: "restored" | "reference" | "coefficients" | "none";
  /** Why the file is already upright, unchanged or skipped, or why its tag is reset. */
  reason?: Reason;
  /** Why the file failed. */
  error?: Failure;
  /** The name that the file should have, if its ending is that of another format. */
  expectedName?: string;
  /** In an audit: the names of the images and videos next to the file whose names differ in their endings only. */
  pairedWith?: string[];
  /** The format of the file, by its content; of a conversion, that of the result. */
  format?:
    | "jpeg"
    | "heic"
    | "heif"
    | "avif"
    | "tiff"
    | "dng"
    | "png"
    | "webp"
    | "jxl"
    | "nef"
    | "cr2"
    | "arw"
    | "pef"
    | "srw"
    | "rw2"
    | "orf"
    | "raw"
    | "raf"
    | "cr3"
    | "mrw"
    | "x3f"
    | "crw"
    | "mp4"
    | "mov";
  /** The media type of this format, such as `image/jpeg`. */
  mediaType?: string;
  /** The stored width in pixels before the rewrite, of HEIF as cropped (`clap`); of a conversion, the result's. */
  width?: number;
  /**
   * The stored height in pixels before the rewrite, of HEIF as cropped (`clap`); of a conversion, the result's. 0 if
   * the frame header leaves it to DNL.
   */
  height?: number;
  /**
   * `4:2:0`, `4:2:2`, `4:4:4`, `4:4:0`, `4:1:1`, `4:4:1`, `4:1:0`, `grayscale`, or the sampling factors, as in
   * `2x2,1x1,1x1`. Only of JPEG files.
   */
  sampling?: string;
  /**
   * `baseline`, `extended`, `progressive`, `lossless` or `sequential`, with `, arithmetic` or `, hierarchical`. Only
   * of JPEG files.
   */
  coding?: string;
  /** Evidence against the Orientation tag of an image that is transformed all the same. */
  contradictions?: Evidence[];
  /**
   * The orientation before the rewrite, 1 to 8, if there is a valid one; of other formats, the one that their standard
   * obeys.
   */
  orientation?: number;
  /** The size in bytes of the file that was or would be written. */
  size?: number;
  /** The SHA-256 of the original that undo restores, or of the file without undo data. */
  sha256?: string;
  /** The SHA-256 of the file before a rewrite that is recorded. */
  sha256Before?: string;
  /** The SHA-256 of the file after a rewrite that is recorded. */
  sha256After?: string;
  /** Whether the identical original can be restored from the result; a record of it then has the undo data. */
  restorable?: boolean;
  /** The other images in the file. */
  embeddedImages?: EmbeddedImage[];
  /** What becomes of the regions of an image that is or would be transformed. */
  regions?: Region[];
  /** Data that is registered to the pixels of an image that is or would be transformed. */
  registeredData?: RegisteredData[];
  /** Every change, in file order. */
  changes?: Change[];
  /** What else is worth knowing. */
  notes?: Note[];
  /** The JPEG quality of a conversion. */
  quality?: number;
  /** What a conversion cannot carry over. */
  losses?: Reason[];
  /** The files beside the photo that describe it, or may, and what becomes of each. */
  companions?: Companion[];
  /** What an audit reads about the contents of the file. */
  facts?: Facts;
  /** What the new file lacks although the photo was processed, such as an owner that the system refused to copy. */
  warnings?: Note[];
  [field: string]: unknown;
}

// made

/** The result of a call. */
export interface Result {
  /** The new file; if nothing was changed, the given bytes. */
  bytes: Uint8Array;
  changed: boolean;
  /** The undo data; null if nothing was changed or the identical original cannot be restored. */
  undo: Uint8Array | null;
  report: Report;
  /** The report as JSON on one line, as the command prints it. */
  line: string;
}

/** A report without a new file. */
export interface Planned {
  report: Report;
  line: string;
}

/** A photo could not be processed. */
export class UprightError extends Error {
  /** An identifier in docs/identifiers.md, or `argument`, `unknown-option`, `unknown-value`, or `internal`. */
  readonly code: string;
  /** The byte in the file at which the error was found. */
  readonly offset: number | null;
  readonly report: Report | null;
  constructor(code: string, message: string, offset?: number | null, report?: Report | null, cause?: unknown);
}

/** What upright.wasm is loaded from. */
export type ModuleSource = string | URL | Response | BufferSource | WebAssembly.Module;

/** Limits of the module's memory, in bytes. */
export interface MemoryLimits {
  /** The maximum for a photo; 1 GiB by default, 4 MiB to 4 GiB. Beyond it, the error is `out-of-memory`. */
  maxMemory?: number;
  /** Memory beyond this is released after each call; 64 MiB by default. */
  keptMemory?: number;
}

/** Compiles upright.wasm. Only needed if the file is not beside upright.js. */
export function load(
  source?: ModuleSource | Promise<ModuleSource>,
  limits?: MemoryLimits,
): Promise<WebAssembly.Module>;

/** Normalizes the orientation of a photo. */
export function normalize(source: Source, options?: Options): Promise<Result>;
/** Reports what normalize would do, from the header. */
export function plan(source: Source, options?: Options): Promise<Planned>;
/** Reports what normalize would do, and what is in the file (`report.facts`). */
export function audit(source: Source, options?: Options): Promise<Planned>;
/** Rotates the displayed image clockwise. */
export function rotate(source: Source, degrees: 90 | 180 | 270, options?: TransformOptions): Promise<Result>;
/** Flips the displayed image. */
export function flip(
  source: Source,
  axis: "horizontal" | "vertical" | "transpose" | "transverse",
  options?: TransformOptions,
): Promise<Result>;
/** Crops the displayed image to a rectangle, which grows to whole blocks unless `snap` is set. */
export function crop(source: Source, rectangle: Rectangle, options?: CropOptions): Promise<Result>;
/** Restores an original from a new file and its undo data. */
export function undo(
  source: Source,
  data: Source,
  options?: Pick<Options, "maxPixels" | "maxBytes" | "path">,
): Promise<Result>;
/** The number of bytes of memory that the module holds for the next call. */
export function heldMemory(): number;
/** The version of Upright in the module. */
export function version(): Promise<string>;

/** The bytes of a photo. */
export type Source = File | Blob | ArrayBuffer | ArrayBufferView;

/** Options of the command `upright`, in camel case; the README lists them. */
export interface Options {
  /** What to do if the transform would move partial MCUs from an edge. */
  unaligned?: "redraw" | "trim" | "skip" | "fail";
  losslessOnly?: boolean;
  redrawQuality?: "standard" | "compact" | "max";
  /** What to do if a stale Orientation tag is suspected. */
  onConflict?: "skip" | "trust-tag" | "reset-tag";
  resolution?: "keep" | "follow";
  regions?: "auto" | "keep" | "follow";
  contentCredentials?: "skip" | "keep" | "strip";
  /** What to do with thermal data, depth maps and other data that would no longer fit the image. */
  registeredData?: "skip" | "keep";
  strictOrientation?: boolean;
  /** Sets an Orientation of 0 or above 8, which has no meaning, to 1. */
  resetInvalid?: boolean;
  verify?: "restore" | "reference" | "none";
  checkUnchanged?: boolean;
  requireUndo?: boolean;
  maxPixels?: number;
  maxScans?: number;
  maxBytes?: number;
  /** MiB of memory; a photo whose estimate is higher is skipped. */
  memory?: number;
  /** The name of the photo in the report; the name of a File by default. */
  path?: string;
}

/** Options of rotate and flip. */
export interface TransformOptions extends Omit<Options, "onConflict"> {
  /** Changes only the tag. */
  tagOnly?: boolean;
  /** Only reports. */
  dryRun?: boolean;
}

/** Options of crop. */
export interface CropOptions extends Omit<Options, "onConflict"> {
  snap?: "grow" | "shrink" | "exact";
  dryRun?: boolean;
}

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

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * What changes a decision or prevents an error: a policy with another value, a higher limit, or another action. Names
 * are those of options, such as `onConflict`; the text is an imperative, as on a button.
 */
export type Remedy =
  | { policy: string; value: string; text?: string }
  | { limit: string; text?: string }
  | { action: string; text?: string };

/** An object of the schema `upright/2`; docs/output.md describes it. */
export interface Report {
  schema: "upright/2";
  path: string;
  status: string;
  width?: number;
  height?: number;
  orientation?: number;
  transform?: string;
  displayTransform?: string;
  edges?: "lossless" | "re-encoded" | "trimmed";
  reason?: { id: string; text: string; evidence?: { id: string; text: string }[]; remedies?: Remedy[] };
  error?: { id: string; text: string; offset?: number; remedies?: Remedy[] };
  registeredData?: { kind: string; effect: "misregistered" | "stale" | "independent"; offset: number }[];
  changes?: { field: string; offset: number; oldLength: number; newLength: number; old?: string; new?: string }[];
  notes?: string[];
  restorable?: boolean;
  verification?: string;
  [field: string]: unknown;
}

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

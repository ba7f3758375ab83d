/** Whatever holds the bytes of a photograph. */
export type Source = File | Blob | ArrayBuffer | ArrayBufferView;

/** Options of the command `upright`, in camel case; docs/javascript.md lists them. */
export interface Options {
  /** What happens to an image whose edge is not block-aligned where the transform needs it. */
  unaligned?: "redraw" | "trim" | "skip" | "fail";
  losslessOnly?: boolean;
  redrawQuality?: "standard" | "compact" | "max";
  /** What happens to a photograph whose Orientation tag seems to be stale. */
  onConflict?: "skip" | "trust-tag" | "reset-tag";
  resolution?: "keep" | "follow";
  regions?: "keep" | "follow";
  contentCredentials?: "skip" | "keep" | "strip";
  strictOrientation?: boolean;
  verify?: "restore" | "reference" | "none";
  checkUnchanged?: boolean;
  requireUndo?: boolean;
  maxPixels?: number;
  maxScans?: number;
  maxBytes?: number;
  /** MiB that the work may be estimated to take; a photograph that needs more is skipped. */
  memory?: number;
  /** What the report names the photograph; the name of a File by default. */
  path?: string;
}

/** Options of rotate and flip. */
export interface TurnOptions extends Omit<Options, "onConflict"> {
  /** Changes the tag alone. */
  tagOnly?: boolean;
  /** Reports only. */
  dryRun?: boolean;
}

/** Options of crop. */
export interface CropOptions extends Omit<Options, "onConflict"> {
  snap?: "grow" | "shrink" | "exact";
  dryRun?: boolean;
}

/** Options of a pool's calls. */
export interface CallOptions {
  /** Ends the work; the promise is rejected with the code `cancelled`. */
  signal?: AbortSignal;
  /** Milliseconds after which the work is ended with the code `time-limit`. */
  timeLimit?: number;
}

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** An object of the schema `upright/2`, which docs/output.md documents. */
export interface Report {
  schema: "upright/1";
  path: string;
  status: string;
  width?: number;
  height?: number;
  orientation?: number;
  transform?: string;
  edges?: "exact" | "re-encoded" | "trimmed";
  reason?: { id: string; text: string; evidence?: { id: string; text: string }[] };
  error?: { id: string; text: string; offset?: number };
  changes?: { field: string; offset: number; oldLength: number; newLength: number; old?: string; new?: string }[];
  notes?: string[];
  restorable?: boolean;
  verification?: string;
  [field: string]: unknown;
}

/** What became of a photograph. */
export interface Result {
  /** The new file; where nothing was changed, the bytes that were given. */
  bytes: Uint8Array;
  changed: boolean;
  /** What restores the original from the new file; null where nothing was changed or it cannot be restored. */
  undo: Uint8Array | null;
  report: Report;
  /** The report as the command prints it: JSON on one line. */
  line: string;
}

/** A report alone. */
export interface Planned {
  report: Report;
  line: string;
}

/** Why a photograph could not be worked on. */
export class UprightError extends Error {
  /** An identifier of docs/output.md, `argument`, `unknown-option`, `unknown-value`, or `internal`. */
  readonly code: string;
  /** The offset in the file where it was noticed. */
  readonly offset: number | null;
  readonly report: Report | null;
  constructor(code: string, message: string, offset?: number | null, report?: Report | null, cause?: unknown);
}

/** What upright.wasm is loaded from. */
export type ModuleSource = string | URL | Response | BufferSource | WebAssembly.Module;

/** Limits of the module's memory, in bytes. */
export interface MemoryLimits {
  /** The most memory that a photograph may take; 1 GiB by default. Beyond it, the code is `out-of-memory`. */
  maxMemory?: number;
  /** Memory beyond this is restored after each call; 64 MiB by default. */
  keptMemory?: number;
}

/** Compiles upright.wasm. Nobody needs to call it where the file is beside upright.js. */
export function load(
  source?: ModuleSource | Promise<ModuleSource>,
  limits?: MemoryLimits,
): Promise<WebAssembly.Module>;

/** Makes a photograph upright. */
export function normalize(source: Source, options?: Options): Promise<Result>;
/** What normalize would do, from the header. */
export function plan(source: Source, options?: Options): Promise<Planned>;
/** What normalize would do, and what is in the file (`report.facts`). */
export function audit(source: Source, options?: Options): Promise<Planned>;
/** Rotates what a viewer sees, clockwise. */
export function rotate(source: Source, degrees: 90 | 180 | 270, options?: TurnOptions): Promise<Result>;
/** Mirrors what a viewer sees. */
export function flip(
  source: Source,
  axis: "horizontal" | "vertical" | "transpose" | "transverse",
  options?: TurnOptions,
): Promise<Result>;
/** Cuts a rectangle out of what a viewer sees; it grows to where blocks begin, unless `snap` says otherwise. */
export function crop(source: Source, rectangle: Rectangle, options?: CropOptions): Promise<Result>;
/** Restores an original from a new file and its undo data. */
export function undo(
  source: Source,
  data: Source,
  options?: Pick<Options, "maxPixels" | "maxBytes" | "path">,
): Promise<Result>;
/** How many bytes of memory the module holds for the next call. */
export function heldMemory(): number;
/** The version of Upright in the module. */
export function version(): Promise<string>;

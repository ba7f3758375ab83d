import type {
  CallOptions, CropOptions, MemoryLimits, ModuleSource, Options, Planned, Rectangle, Result, Source, TransformOptions,
} from "./upright.js";

/** The functions of upright.js in workers, so a page never freezes. Calls share the workers. */
export class Pool {
  constructor(options?: MemoryLimits & {
    /** The maximum number of workers, at least 1; by default one less than the number of cores, at most 4. */
    size?: number;
    /** The source of upright.wasm; by default the file beside upright.js. */
    module?: ModuleSource | Promise<ModuleSource>;
    /** Makes a worker that runs worker.js; for environments in which its URL cannot be used. */
    worker?: () => Worker;
  });
  normalize(source: Source, options?: Options & CallOptions): Promise<Result>;
  plan(source: Source, options?: Options & CallOptions): Promise<Planned>;
  audit(source: Source, options?: Options & CallOptions): Promise<Planned>;
  rotate(source: Source, degrees: 90 | 180 | 270, options?: TransformOptions & CallOptions): Promise<Result>;
  flip(
    source: Source,
    axis: "horizontal" | "vertical" | "transpose" | "transverse",
    options?: TransformOptions & CallOptions,
  ): Promise<Result>;
  crop(source: Source, rectangle: Rectangle, options?: CropOptions & CallOptions): Promise<Result>;
  undo(source: Source, data: Source, options?: Options & CallOptions): Promise<Result>;
  /** Terminates all workers; calls in progress are rejected with the code `cancelled`. */
  close(): void;
}

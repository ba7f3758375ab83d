import type {
  CallOptions, CropOptions, MemoryLimits, ModuleSource, Options, Planned, Rectangle, Result, Source, TurnOptions,
} from "./upright.js";

/** The functions of upright.js in workers, so that a page never freezes. Calls share the workers. */
export class Pool {
  constructor(options?: MemoryLimits & {
    /** How many workers there are; by default one less than the processor has cores, and at most 4. */
    size?: number;
    /** What upright.wasm is loaded from; by default the file beside upright.js. */
    module?: ModuleSource | Promise<ModuleSource>;
    /** Makes a worker that runs worker.js, where it cannot be made from its URL. */
    worker?: () => Worker;
  });
  normalize(source: Source, options?: Options & CallOptions): Promise<Result>;
  plan(source: Source, options?: Options & CallOptions): Promise<Planned>;
  audit(source: Source, options?: Options & CallOptions): Promise<Planned>;
  rotate(source: Source, degrees: 90 | 180 | 270, options?: TurnOptions & CallOptions): Promise<Result>;
  flip(
    source: Source,
    axis: "horizontal" | "vertical" | "transpose" | "transverse",
    options?: TurnOptions & CallOptions,
  ): Promise<Result>;
  crop(source: Source, rectangle: Rectangle, options?: CropOptions & CallOptions): Promise<Result>;
  undo(source: Source, data: Source, options?: Options & CallOptions): Promise<Result>;
  /** Ends all workers; what they were at is rejected with the code `cancelled`. */
  close(): void;
}

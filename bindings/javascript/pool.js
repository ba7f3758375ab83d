// The functions of upright.js, done in workers: the page goes on meanwhile, and work can be ended.
import { UprightError, load } from "./upright.js";

/** Workers that share the calls. */
export class Pool {
  /** See upright.d.ts. */
  constructor({ size = defaultSize(), module, worker, ...limits } = {}) {
    this.makeWorker = worker ?? makeWorker;
    this.module = load(module);
    this.limits = limits;
    this.waiting = [];
    this.workers = Array.from({ length: size }, () => null);
    this.busy = this.workers.map(() => null);
    this.closed = false;
  }

  normalize(source, options) { return this.call("normalize", [source], options); }
  plan(source, options) { return this.call("plan", [source], options); }
  audit(source, options) { return this.call("audit", [source], options); }
  rotate(source, degrees, options) { return this.call("rotate", [source, degrees], options); }
  flip(source, axis, options) { return this.call("flip", [source, axis], options); }
  crop(source, rectangle, options) { return this.call("crop", [source, rectangle], options); }
  undo(source, data, options) { return this.call("undo", [source, data], options); }

  /** Terminates all workers; calls in progress are rejected. */
  close() {
    this.closed = true;
    for (const call of this.waiting.splice(0)) call.reject(closed());
    this.busy.forEach((call, place) => this.stop(place, closed()));
  }

  /** Queues a call. */
  call(name, values, { signal, timeLimit, ...options } = {}) {
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(closed());
      if (signal?.aborted) return reject(cancelled());
      const call = { name, values: [...values, options], timeLimit, reject, resolve };
      const abort = () => this.drop(call);
      signal?.addEventListener("abort", abort, { once: true });
      call.settle = () => {
        clearTimeout(call.timer);
        signal?.removeEventListener("abort", abort);
      };
      this.waiting.push(call);
      this.next();
    });
  }

  /** Assigns waiting calls to idle workers. */
  next() {
    for (let place = 0; place < this.busy.length && this.waiting.length > 0; place += 1) {
      if (!this.busy[place]) this.start(place, this.waiting.shift());
    }
  }

  async start(place, call) {
    this.busy[place] = call;
    try {
      const module = await this.module;
      if (this.busy[place] !== call) return;
      const worker = this.workers[place] ??= this.newWorker(place, module);
      if (call.timeLimit !== undefined) {
        call.timer = setTimeout(() => {
          this.stop(place, new UprightError("time-limit", "the work takes longer than the limit allows"));
        }, call.timeLimit);
      }
      worker.ref?.();
      worker.postMessage({ id: 1, name: call.name, values: call.values });
    } catch (error) {
      if (this.busy[place] === call) this.finish(place, (call) => call.reject(error));
    }
  }

  newWorker(place, module) {
    const worker = this.makeWorker();
    const receive = ({ id, result, error }) => {
      if (id === 0) return;
      this.finish(place, (call) => error
        ? call.reject(new UprightError(error.code, error.message, error.offset, error.report))
        : call.resolve(result));
    };
    const fail = (error) => this.stop(place, new UprightError("internal", `the worker stopped: ${error.message}`));
    if (typeof worker.on === "function") {
      worker.on("message", receive);
      worker.on("error", fail);
    } else {
      worker.onmessage = ({ data }) => receive(data);
      worker.onerror = fail;
    }
    worker.postMessage({ id: 0, name: "load", values: [module, this.limits] });
    return worker;
  }

  finish(place, settle) {
    const call = this.busy[place];
    this.busy[place] = null;
    // An idle worker does not keep Node running.
    this.workers[place]?.unref?.();
    if (call) {
      call.settle();
      settle(call);
    }
    this.next();
  }

  /** Terminates a worker; a new one is made for the next call. */
  stop(place, error) {
    this.workers[place]?.terminate();
    this.workers[place] = null;
    this.finish(place, (call) => call.reject(error));
  }

  /** Cancels a call. */
  drop(call) {
    const place = this.busy.indexOf(call);
    if (place >= 0) return this.stop(place, cancelled());
    this.waiting = this.waiting.filter((other) => other !== call);
    call.settle();
    call.reject(cancelled());
  }
}

function defaultSize() {
  return Math.max(1, Math.min(4, (globalThis.navigator?.hardwareConcurrency ?? 2) - 1));
}

function cancelled() { return new UprightError("cancelled", "the work was cancelled"); }

function closed() { return new UprightError("cancelled", "the pool is closed"); }

/** A worker of this package. */
function makeWorker() {
  return new Worker(new URL("worker.js", import.meta.url), { type: "module" });
}

const Worker = globalThis.Worker ?? (await import("node:worker_threads")).Worker;

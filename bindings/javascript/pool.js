// The functions of upright.js, done in workers: the page goes on meanwhile, and work can be ended.
import { nodeModule } from "./node.js";
import { UprightError, load } from "./upright.js";

/** Workers that share the calls. */
export class Pool {
  /** See pool.d.ts. */
  constructor({ size = defaultSize(), module, worker, ...limits } = {}) {
    if (!Number.isSafeInteger(size) || size < 1) {
      throw new RangeError(`size must be a whole number of at least 1, not ${size}`);
    }
    this.size = size;
    this.makeWorker = worker ?? makeWorker;
    this.module = Promise.all([load(module), loadThreads()]).then(([module]) => module);
    // Those who call a function get the error.
    this.module.catch(() => {});
    this.limits = limits;
    this.waiting = [];
    /** The workers with their calls: a place has at most one of each at a time, and many of both in its time. */
    this.places = [];
    this.count = 0;
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
    for (const call of this.waiting.splice(0)) settle(call, (call) => call.reject(closed()));
    for (const place of this.places) this.stop(place, closed());
  }

  /** Queues a call. */
  call(name, values, { signal, timeLimit, ...options } = {}) {
    return new Promise((resolve, reject) => {
      checkTimeLimit(timeLimit);
      if (this.closed) return reject(closed());
      if (signal?.aborted) return reject(cancelled());
      const call = { id: this.count += 1, name, values: [...values, options], timeLimit, signal, reject, resolve };
      call.abort = () => this.end(call, cancelled());
      signal?.addEventListener("abort", call.abort, { once: true });
      this.waiting.push(call);
      this.next();
    });
  }

  /** Assigns waiting calls to idle places. */
  next() {
    while (this.waiting.length > 0) {
      let place = this.places.find(({ call }) => !call);
      if (!place) {
        if (this.places.length === this.size) return;
        this.places.push(place = { worker: null, call: null });
      }
      this.start(place, this.waiting.shift());
    }
  }

  async start(place, call) {
    place.call = call;
    try {
      const module = await this.module;
      if (place.call !== call) return;
      place.worker ??= this.newWorker(place, module);
      // A longer timer would fire at once.
      if (call.timeLimit <= 0x7FFFFFFF) {
        call.timer = setTimeout(() => {
          this.end(call, new UprightError("time-limit", "the work took longer than the time limit"));
        }, call.timeLimit);
      }
      place.worker.ref?.();
      place.worker.postMessage({ id: call.id, name: call.name, values: call.values });
    } catch (error) {
      if (place.call === call) this.finish(place, (call) => call.reject(error));
    }
  }

  newWorker(place, module) {
    const worker = this.makeWorker();
    const receive = ({ id, result, error }) => {
      // What a terminated worker sent before its end still arrives, when the place has another worker and another call.
      if (place.worker !== worker) return;
      if (error && id === 0) return this.stop(place, errorOf(error));
      if (place.call?.id !== id) return;
      this.finish(place, (call) => error ? call.reject(errorOf(error)) : call.resolve(result));
    };
    const fail = (error) => {
      const message = error?.message ?? "it could not be loaded";
      if (place.worker === worker) this.stop(place, new UprightError("internal", `the worker stopped: ${message}`));
    };
    if (typeof worker.on === "function") {
      worker.on("message", receive);
      worker.on("messageerror", fail);
      worker.on("error", fail);
      worker.on("exit", (code) => fail({ message: `it ended with status ${code}` }));
    } else {
      worker.onmessage = ({ data }) => receive(data);
      worker.onmessageerror = fail;
      worker.onerror = fail;
    }
    worker.postMessage({ id: 0, name: "load", values: [module, this.limits] });
    return worker;
  }

  /** Settles the call of a place, and starts the next one. */
  finish(place, how) {
    const { call, worker } = place;
    place.call = null;
    // An idle worker does not keep Node running.
    worker?.unref?.();
    if (call) settle(call, how);
    this.next();
  }

  /** Terminates a worker; a new one is made for the next call. */
  stop(place, error) {
    place.worker?.terminate();
    place.worker = null;
    this.finish(place, (call) => call.reject(error));
  }

  /** Ends a call, wherever it is, with an error. */
  end(call, error) {
    const place = this.places.find((place) => place.call === call);
    if (place) return this.stop(place, error);
    this.waiting = this.waiting.filter((other) => other !== call);
    settle(call, (call) => call.reject(error));
  }
}

/** Settles a call, which no signal and no timer can end afterwards. */
function settle(call, how) {
  clearTimeout(call.timer);
  call.signal?.removeEventListener("abort", call.abort);
  how(call);
}

function checkTimeLimit(timeLimit) {
  if (timeLimit === undefined || (typeof timeLimit === "number" && timeLimit >= 0)) return;
  throw new UprightError("unknown-value", "timeLimit must be a number of milliseconds of at least 0");
}

/** The error that a worker sent: the fields of an UprightError, or another error as it was thrown. */
function errorOf(error) {
  if (error instanceof Error) return error;
  return new UprightError(error.code, error.message, error.offset, error.report);
}

function defaultSize() {
  return Math.max(1, Math.min(4, (globalThis.navigator?.hardwareConcurrency ?? 2) - 1));
}

/** The error of a call whose signal was aborted, with the name that the platform's functions give it. */
function cancelled() {
  const error = new UprightError("cancelled", "the work was cancelled");
  error.name = "AbortError";
  return error;
}

function closed() { return new UprightError("cancelled", "the pool is closed"); }

/** Node's module of workers, where they are not global. */
let threads = null;

async function loadThreads() {
  if (!globalThis.Worker) threads ??= await nodeModule("worker_threads");
}

/** A worker of this package. Bundlers follow the expression for browsers, in exactly this form, and are not to see that for Node. */
function makeWorker() {
  if (!threads) return new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  const place = import.meta.url;
  return new threads.Worker(new URL("worker.js", place));
}

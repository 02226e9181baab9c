// One change at a time: in this process by waiting in line, among processes by a lock file.
import { GatewayError, OneAtATime } from "@chela/sdk";
import { storeError, type StoreParts } from "./shared-file.ts";

export class Alone {
  readonly #line = new OneAtATime();
  readonly #path: string;
  readonly #lock: StoreParts["lock"];

  constructor(path: string, lock: StoreParts["lock"]) {
    this.#path = path;
    this.#lock = lock;
  }

  run<T>(work: () => T): Promise<T> {
    return this.#line.run(this.#path, async () => {
      const release = await this.#take();
      try {
        return work();
      } finally {
        release();
      }
    });
  }

  async #take(): Promise<() => void> {
    let release;
    try {
      release = await this.#lock(this.#path);
    } catch (error) {
      throw storeError(this.#path, error);
    }
    if (!release) throw new GatewayError("ACCESS_STORE", `${this.#path} is held by another process`);
    return release;
  }
}

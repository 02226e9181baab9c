// Named pipes between a sandbox and the gateway, made ahead of time: the inside can write to them, not replace them.
import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { GatewayError } from "@chela/sdk";
import { NEXT_PIPE } from "./warden-script.ts";

/** The pipes of one command: `<path>.in`, `<path>.out` and `<path>.err`. */
export interface Pipes {
  /** As the inside is told. */
  readonly name: string;
  readonly in: string;
  readonly out: string;
  readonly err: string;
}

const BATCH = 6;
const FEW = 2;

export class PipeStock {
  readonly #folder: string;
  readonly #mkfifo: string;
  readonly #free: Pipes[] = [];
  #made = 0;
  #filling: Promise<void> | undefined;

  constructor(folder: string, mkfifo: string) {
    this.#folder = folder;
    this.#mkfifo = mkfifo;
  }

  async take(): Promise<Pipes> {
    while (this.#free.length === 0) await this.fill();
    const pipes = this.#free.shift();
    if (!pipes) throw new GatewayError("SANDBOX_FAILED", "no pipes could be made for the command.");
    if (this.#free.length < FEW) this.fill().catch(() => {});
    return pipes;
  }

  /** Only those that nothing inside holds any more: the next command would read or write with it. */
  giveBack(pipes: Pipes): void {
    this.#free.push(pipes);
  }

  async discard(pipes: Pipes): Promise<void> {
    await Promise.all([pipes.in, pipes.out, pipes.err].map((path) => rm(path, { force: true })));
  }

  fill(): Promise<void> {
    return (this.#filling ??= this.#make().finally(() => (this.#filling = undefined)));
  }

  async #make(): Promise<void> {
    const isFirst = this.#made === 0;
    const made = Array.from({ length: BATCH }, () => this.#next());
    const paths = made.flatMap((pipes) => [pipes.in, pipes.out, pipes.err]);
    if (isFirst) paths.push(join(this.#folder, NEXT_PIPE));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    execFile(this.#mkfifo, ["-m", "600", ...paths], { env: {} }, (error) => (error ? reject(error) : resolve()));
    try {
      await promise;
    } catch (cause) {
      throw new GatewayError("SANDBOX_FAILED", "pipes for commands could not be made.", { cause });
    }
    this.#free.push(...made);
  }

  #next(): Pipes {
    const name = `p${(this.#made += 1)}`;
    const path = join(this.#folder, name);
    return { name, in: `${path}.in`, out: `${path}.out`, err: `${path}.err` };
  }
}

// Starts of bubblewrap that wait for their arguments, so that the first command of a conversation does not wait for them.
//
// To join a control group takes the kernel ten milliseconds and more, and to start a process from here takes one or two.
// So one launch is always ahead: in its group, with its pipes, before anybody knows what it will run.
import { spawn, type ChildProcess } from "node:child_process";
import type { Ids } from "@chela/sdk";
import { createControlGroup, type ControlGroup } from "./processes/control-group.ts";
import { makeHousing, type Housing } from "./housing.ts";
import type { Guard } from "./landlock.ts";
import { launchOf } from "./launch.ts";
import { PipeStock } from "./pipe-stock.ts";
import { nameOfThis } from "./private-folders.ts";
import { CHANNEL_INSIDE, WARDEN_FILE, type InnerShell } from "./warden-script.ts";

/** The program that becomes bubblewrap. */
export type LaunchedProcess = ChildProcess;

export interface ReadyLaunch {
  readonly housing: Housing;
  readonly pipes: PipeStock;
  readonly group: ControlGroup | undefined;
  /** A shell that becomes bubblewrap when it is given its orders. */
  readonly child: ChildProcess;
}

export interface LaunchStockParts {
  readonly ids: Ids;
  /** Where private folders are made. */
  readonly folder: string;
  readonly filter: Buffer;
  readonly mkfifo: string;
  readonly bubblewrap: string;
  readonly shell: InnerShell;
  readonly guard: Guard | undefined;
  /** The gateway was started with open files that its children would have, too. */
  readonly hasStrayFiles: boolean;
  /** Control groups are used where they can be, unless this says otherwise. */
  readonly mayUseControlGroups: boolean;
}

/** Until it is known what the sandbox may have. */
const WAITING_LIMITS = { memoryBytes: 64 * 2 ** 20, processes: 8, cpuSeconds: 1, fileBytes: 0, openFiles: 0 };

export class LaunchStock {
  readonly #parts: LaunchStockParts;
  #spare: Promise<ReadyLaunch> | undefined;
  #isClosed = false;

  constructor(parts: LaunchStockParts) {
    this.#parts = parts;
  }

  /** For who starts bubblewrap by himself. */
  makeHousing(): Housing {
    return makeHousing(this.#parts.folder, this.#parts.filter);
  }

  makeGroup(): ControlGroup | undefined {
    const name = `${nameOfThis("sandbox")}-${this.#parts.ids.secretHex(6)}`;
    return this.#parts.mayUseControlGroups ? createControlGroup(name, WAITING_LIMITS) : undefined;
  }

  async take(): Promise<ReadyLaunch> {
    const waiting = this.#spare;
    // Before anything is waited for: two that come at once must not get the same.
    this.#spare = undefined;
    const spare = await waiting?.catch(() => undefined);
    const isGood = spare !== undefined && isAlive(spare.child) && spare.housing.isThere();
    if (spare && !isGood) await discard(spare);
    const taken = isGood ? spare : await this.#make();
    hold(taken.child, true);
    return taken;
  }

  /** For the next one; called when there is time. */
  prepare(): void {
    if (this.#isClosed || this.#spare) return;
    const spare = this.#make();
    this.#spare = spare;
    spare.then(
      ({ child }) => this.#spare === spare && hold(child, false),
      () => (this.#spare = undefined),
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const spare = await this.#spare?.catch(() => undefined);
    this.#spare = undefined;
    if (spare) await discard(spare);
  }

  async #make(): Promise<ReadyLaunch> {
    const { mkfifo, bubblewrap, shell, guard, hasStrayFiles } = this.#parts;
    const housing = this.makeHousing();
    const group = this.makeGroup();
    const pipes = new PipeStock(housing.pipes, mkfifo);
    const { file, args } = launchOf({
      hasStrayFiles,
      bubblewrap,
      argumentsFile: housing.argumentsFile,
      filterFile: housing.filterFile,
      shell: shell.commandLine,
      script: `${CHANNEL_INSIDE}/${WARDEN_FILE}`,
      guard,
      groups: group?.procs ?? [],
      orders: undefined,
    });
    const child = spawn(file, [...args], { env: {}, cwd: "/", stdio: ["pipe", "pipe", "pipe"] });
    child.on("error", () => {});
    const made = { housing, pipes, group, child };
    try {
      await pipes.fill();
      return made;
    } catch (error) {
      await discard(made);
      throw error;
    }
  }
}

async function discard({ child, housing, group }: ReadyLaunch): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (!isAlive(child) || child.pid === undefined) resolve();
  child.once("close", () => resolve());
  hold(child, true);
  child.kill("SIGKILL");
  await promise;
  housing.remove();
  await group?.remove();
}

function isAlive({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** One that only waits does not keep the gateway from ending; it ends with it. */
function hold(child: ChildProcess, isHeld: boolean): void {
  for (const part of [child, child.stdin, child.stdout, child.stderr] as const) {
    // Streams of children are sockets, which the types do not say.
    const handle = part as { ref?(): void; unref?(): void } | null;
    if (isHeld) handle?.ref?.();
    else handle?.unref?.();
  }
}

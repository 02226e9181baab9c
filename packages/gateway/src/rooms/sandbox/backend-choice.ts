// Decides which backend keeps conversations where nothing is configured: what is remembered, and what to expect.
import type { Clock, Ledger, Logger, SandboxBackendId } from "@chela/sdk";
import type { SandboxSettings } from "./settings.ts";

export interface BackendChoiceParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly ledger: Pick<Ledger, "value" | "commit">;
  settings(agentId: string): SandboxSettings;
  agentIds(): readonly string[];
  /** Whether a backend looks as if it could be used, told at a glance: nothing is loaded and nothing tried for it. */
  isInstalled(id: SandboxBackendId): boolean;
  /** Tries it. */
  canKeep(id: SandboxBackendId): Promise<KeepTrial>;
}

export type KeepTrial =
  | { readonly kind: "yes" }
  | { readonly kind: "no" }
  /** What was in the way may be over in a moment, so that nothing is known yet. */
  | { readonly kind: "not-now"; readonly why: string };

/** In the order in which they are tried. */
export const BACKENDS: readonly SandboxBackendId[] = ["bubblewrap", "docker", "podman"];
/** In the ledger: the backend that was the first to keep conversations here. */
const KEPT_BY = "sandbox-kept-by";
/** A turn without tools is over by then, and most models think longer before they call one. */
const DECIDE_AFTER_MS = 1_000;
/** A machine without any may be given one while the gateway runs. */
const LOOK_AGAIN_MS = 10 * 60_000;

export class BackendChoice {
  readonly #parts: BackendChoiceParts;
  #keptBy: SandboxBackendId | undefined;
  /** Not tried yet, but there: until it was tried, it is taken for the one that keeps conversations. */
  #expected: SandboxBackendId | undefined;
  #expecting: Promise<void> | undefined;
  #decided: Promise<void> | undefined;
  #lookAgainAt: number | undefined;
  #lookedFor = 0;
  #cancelDecide: (() => void) | undefined;
  #isClosed = false;

  constructor(parts: BackendChoiceParts) {
    this.#parts = parts;
  }

  /** Decided, or remembered. */
  get id(): SandboxBackendId | undefined {
    return this.#keptBy;
  }

  /** Also as long as it is only expected. */
  get isThere(): boolean {
    return (this.#keptBy ?? this.#expected) !== undefined;
  }

  /** Waits for as little as possible: on a machine where it was never decided, what is installed is expected to work. */
  expect(): Promise<void> {
    return (this.#expecting ??= retryable(this.#look(), () => (this.#expecting = undefined)));
  }

  /** Tries that, and remembers a success. While it is not known, what was expected is: nobody is left outside meanwhile. */
  decide(): Promise<void> {
    if (this.#lookAgainAt !== undefined && this.#parts.clock.steady() >= this.#lookAgainAt) {
      this.#lookAgainAt = undefined;
      this.#decided = undefined;
    }
    return (this.#decided ??= retryable(this.#find(), () => (this.#decided = undefined)));
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelDecide?.();
  }

  async #look(): Promise<void> {
    if (!(await this.#isUndecided())) return;
    // Of the others only a try can tell whether they are of use.
    const canBeTold = this.#isCandidate("bubblewrap") && this.#parts.isInstalled("bubblewrap");
    if (!canBeTold || this.#decided) return this.decide();
    this.#expected = "bubblewrap";
    const { clock, log } = this.#parts;
    this.#cancelDecide ??= clock.after(DECIDE_AFTER_MS, () => {
      this.decide().catch((error: unknown) => {
        if (!this.#isClosed) log.warn("A sandbox could not be tried", { error: String(error) });
      });
    });
  }

  /** Reads what is remembered. */
  async #isUndecided(): Promise<boolean> {
    const { ledger, agentIds, settings } = this.#parts;
    const remembered = await ledger.value(KEPT_BY);
    this.#keptBy ??= BACKENDS.find((id) => id === remembered);
    return this.#keptBy === undefined && agentIds().some((id) => settings(id).mode === undefined);
  }

  async #find(): Promise<void> {
    if (!(await this.#isUndecided())) return;
    for (const id of BACKENDS.filter((one) => this.#isCandidate(one))) {
      const trial = await this.#parts.canKeep(id);
      if (trial.kind === "not-now") return this.#putOff(id, trial.why);
      if (trial.kind === "no") continue;
      await this.#remember(id);
      this.#expected = undefined;
      return;
    }
    this.#noteNone();
  }

  /** The next who asks has it tried again. */
  #putOff(id: SandboxBackendId, why: string): void {
    this.#expected = id;
    this.#decided = undefined;
    this.#parts.log.warn("A sandbox cannot be set up at the moment; commands that need one are refused until it can", {
      backend: id,
      why,
    });
  }

  #noteNone(): void {
    const { clock, log } = this.#parts;
    if (this.#lookedFor === 0 || this.#expected)
      log.warn("No sandbox works here, and `chela sandbox status` says why: commands run on this machine");
    this.#lookedFor += 1;
    this.#expected = undefined;
    this.#lookAgainAt = clock.steady() + LOOK_AGAIN_MS;
  }

  async #remember(id: SandboxBackendId): Promise<void> {
    const { ledger, log } = this.#parts;
    await ledger.commit([{ kind: "value-put", key: KEPT_BY, value: id }]);
    this.#keptBy = id;
    log.info("Commands of all conversations but the main one run in a sandbox from now on", { backend: id });
  }

  /** Whether the configuration leaves it the choice. */
  #isCandidate(id: SandboxBackendId): boolean {
    const [agentId = "main"] = this.#parts.agentIds();
    const { backend } = this.#parts.settings(agentId);
    return backend === "auto" || backend === id;
  }
}

/** What failed is done again when it is asked for again. */
function retryable(work: Promise<void>, forget: () => void): Promise<void> {
  work.catch(forget);
  return work;
}

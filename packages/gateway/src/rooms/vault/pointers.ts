// Follows pointers to where the value is. What a program said is remembered for a while, and asked for anew in the background.
import { GatewayError, Secret, type Clock } from "@chela/sdk";
import type { Pointer } from "./entry.ts";
import { checkNames, type Keyring } from "./os-keyring.ts";
import { readPointedFile } from "./private-file.ts";
import { checkProgram, run, runNow, type ProgramCall } from "./run-program.ts";

export interface PointerParts {
  readonly clock: Clock;
  readonly keyring: Keyring | undefined;
  env(): Readonly<Record<string, string | undefined>>;
  /** Directories that agents may write to. */
  workspaces(): readonly string[];
  /** Directories of programs beside the usual ones. */
  readonly trusted?: readonly string[] | undefined;
  /** What a program says has changed. */
  changed(): void;
}

type FollowedPointer =
  | { readonly kind: "value"; readonly secret: Secret; readonly until: number }
  | { readonly kind: "failed"; readonly error: GatewayError; readonly until: number };

const FRESH_MS = 5 * 60_000;
const FAILED_MS = 30_000;

export class Pointers {
  readonly #parts: PointerParts;
  readonly #known = new Map<string, FollowedPointer>();
  readonly #asking = new Set<string>();

  constructor(parts: PointerParts) {
    this.#parts = parts;
  }

  /** Refuses a pointer that must not be followed, before it is kept. Throws CREDENTIAL_REFUSED. */
  check(pointer: Pointer): void {
    if (pointer.kind === "exec") checkProgram(pointer.command, this.#parts.trusted);
    if (pointer.kind === "file") readPointedFile(pointer.path, { workspaces: this.#parts.workspaces() });
    if (pointer.kind === "keyring") checkNames(pointer.service, pointer.account);
    if (pointer.kind === "env" && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(pointer.name)) {
      throw new GatewayError("CREDENTIAL_REFUSED", `"${pointer.name}" is no name of a variable`);
    }
  }

  /** Throws CREDENTIAL_UNREADABLE or CREDENTIAL_REFUSED. */
  read(pointer: Pointer): Secret {
    switch (pointer.kind) {
      case "env": {
        const value = this.#parts.env()[pointer.name];
        if (value) return new Secret(value);
        throw new GatewayError("CREDENTIAL_UNREADABLE", `the environment variable ${pointer.name} is not set`);
      }
      case "file":
        return new Secret(readPointedFile(pointer.path, { workspaces: this.#parts.workspaces() }));
      case "keyring": {
        const keyring = this.#requireKeyring();
        const { service, account } = pointer;
        return this.remember(JSON.stringify(pointer), {
          now: () => keyring.read(service, account),
          later: () => keyring.readLater(service, account),
        });
      }
      case "exec": {
        const { command, args } = pointer;
        return this.run({ command, args, env: this.#parts.env(), trusted: this.#parts.trusted ?? [] });
      }
    }
  }

  run(call: ProgramCall, read: (printed: string) => string = (printed) => printed): Secret {
    const { command, args, input } = call;
    return this.remember(JSON.stringify(["exec", command, args, input]), {
      now: () => read(runNow(call)),
      later: async () => read(await run(call)),
    });
  }

  /** Only the very first question is waited for; later ones are asked beside everything else, and the old answer holds. */
  remember(key: string, ask: { now(): string; later(): Promise<string> }): Secret {
    const known = this.#known.get(key);
    if (!known) return this.#answer(this.#keep(key, attempt(ask.now)));
    if (known.until <= this.#parts.clock.steady() && !this.#asking.has(key)) void this.#askAgain(key, known, ask.later);
    return this.#answer(known);
  }

  /** Everything is asked for anew at its next use. */
  forget(): void {
    this.#known.clear();
  }

  async #askAgain(key: string, before: FollowedPointer, later: () => Promise<string>): Promise<void> {
    this.#asking.add(key);
    try {
      const now = await later().then(
        (value): Secret | GatewayError => new Secret(value),
        (error: unknown) => asFailure(error),
      );
      this.#keep(key, now);
      const value = before.kind === "value" ? before.secret.reveal() : undefined;
      if ((now instanceof Secret ? now.reveal() : undefined) !== value) this.#parts.changed();
    } finally {
      this.#asking.delete(key);
    }
  }

  #keep(key: string, outcome: Secret | GatewayError): FollowedPointer {
    const now = this.#parts.clock.steady();
    const known: FollowedPointer =
      outcome instanceof Secret
        ? { kind: "value", secret: outcome, until: now + FRESH_MS }
        : { kind: "failed", error: outcome, until: now + FAILED_MS };
    this.#known.set(key, known);
    return known;
  }

  #answer(known: FollowedPointer): Secret {
    if (known.kind === "failed") throw known.error;
    return known.secret;
  }

  #requireKeyring(): Keyring {
    if (this.#parts.keyring) return this.#parts.keyring;
    throw new GatewayError("CREDENTIAL_UNREADABLE", "there is no keyring of the system that could be asked here");
  }
}

function attempt(ask: () => string): Secret | GatewayError {
  try {
    return new Secret(ask());
  } catch (error) {
    return asFailure(error);
  }
}

function asFailure(error: unknown): GatewayError {
  if (GatewayError.is(error)) return error;
  throw error;
}

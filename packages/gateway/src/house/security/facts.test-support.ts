// Facts of an install in which nothing is weak; tests change one thing at a time.
import type { GatheredFacts } from "@chela/sdk";
import { createFakeClock } from "@chela/sdk/testing";
import { expect, it } from "vitest";
import { createSecurityAudit, type Finding } from "../../rooms/security-audit/room.ts";
import { collectChecks } from "./collect-checks.ts";

export const STRONG = { length: 48, isGuessable: false, isShort: false };
export const SHORT = { length: 9, isGuessable: false, isShort: true };
export const GUESSABLE = { length: 8, isGuessable: true, isShort: false };

export type Changes = { readonly [K in keyof GatheredFacts]?: GatheredFacts[K] };

export function createFacts(changes: Changes = {}): GatheredFacts {
  const config = {
    budgets: [{ scope: "all", period: "day", usd: 5 }],
    agents: { defaults: { sandbox: { mode: "all" } } },
  };
  return {
    platform: "linux",
    uid: 1000,
    nodeVersion: "24.1.0",
    neededNode: 24,
    stateDir: "/home/ann/.openclaw",
    configPath: "/home/ann/.openclaw/openclaw.json",
    auth: { mode: "token", where: "gateway.auth.token", secret: STRONG },
    allowsPlaintext: false,
    files: [],
    looseParents: [],
    plaintext: [],
    hooks: [],
    extensions: [],
    jobs: [],
    ...changes,
    config: { ...config, ...changes.config },
  };
}

/** Through the room's front door, with nothing that could be changed. */
export async function findingsOf(changes: Changes = {}): Promise<readonly Finding[]> {
  const refuse = (): never => {
    throw new Error("an audit changes nothing");
  };
  const security = createSecurityAudit({
    clock: createFakeClock(),
    checks: collectChecks,
    gather: async () => createFacts(changes),
    setConfig: refuse,
    unsetConfig: refuse,
  });
  return (await security.audit({ deep: true })).findings;
}

export interface CheckCase {
  readonly name: string;
  readonly weak: Changes;
  readonly sound: Changes;
  /** Severity and id, title, risk, place and fix, of everything that is found. */
  readonly says: ReadonlyArray<readonly [what: string, title: string, risk: string, fix: string]>;
}

/** Each case is found when it is weak, word for word, and not when it is sound. */
export function runCases(cases: readonly CheckCase[]): void {
  it.each(cases)("finds $name", async ({ weak, says }) => {
    const found = await findingsOf(weak);
    expect(
      found.map(({ severity, id, fixable, title, risk, where, fix }) => [
        `${severity} ${id}${fixable ? " (fixable)" : ""}`,
        title,
        risk,
        `${where}: ${fix}`,
      ]),
    ).toEqual(says);
  });

  it.each(cases)("finds nothing where there is nothing: $name", async ({ sound }) => {
    expect(await findingsOf(sound)).toEqual([]);
  });
}

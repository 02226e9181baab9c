// Setup codes that OpenClaw's command line made (`openclaw qr`): it writes them into devices/bootstrap.json, for the gateway to take.
import { join } from "node:path";
import * as z from "zod";
import { once, type Clock, type Logger } from "@chela/sdk";
import { createRecordFile } from "../../base/files/record-file.ts";

interface BootstrapCode {
  readonly code: string;
  readonly expiresAtMs: number;
  readonly roles: readonly string[];
  readonly scopes: readonly string[];
}

export interface BootstrapCodes {
  /** Those that are still good. */
  all(): BootstrapCode[];
  /** It is used: nobody finds it in the file again. */
  drop(code: string): void;
}

const VALID_MS = 10 * 60_000;

const names = () => z.array(z.string().max(100)).max(32);
const recordSchema = once(() =>
  z.looseObject({
    token: z.string().min(16).max(512),
    ts: z.number().optional(),
    issuedAtMs: z.number().optional(),
    profile: z.looseObject({ roles: names().optional(), scopes: names().optional() }).optional(),
    roles: names().optional(),
    scopes: names().optional(),
  }),
);

/** Touches no file until somebody brings a code. */
export function createBootstrapCodes(parts: {
  readonly stateDir: string;
  readonly clock: Clock;
  readonly log: Logger;
}): BootstrapCodes {
  const { stateDir, clock, log } = parts;
  const path = join(stateDir, "devices", "bootstrap.json");
  const file = createRecordFile({ path, schema: recordSchema, idOf: ({ token }) => token, clock, log });
  return {
    all() {
      const now = clock.now();
      return [...file.load().values()].flatMap(({ token, ts, issuedAtMs, profile, roles, scopes }) => {
        const madeAt = issuedAtMs ?? ts ?? Number.NEGATIVE_INFINITY;
        // A time ahead of ours is no reason to be good for longer.
        if (!(Math.abs(now - madeAt) < VALID_MS)) return [];
        return {
          code: token,
          expiresAtMs: Math.min(madeAt, now) + VALID_MS,
          roles: profile?.roles ?? roles ?? ["node"],
          scopes: profile?.scopes ?? scopes ?? [],
        };
      });
    },
    drop(code) {
      const records = new Map(file.load());
      if (records.delete(code)) file.save(records);
    },
  };
}

// Webhooks with a gateway around them that only remembers what it was asked to do.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Errand, ErrandRecord, Logger } from "@chela/sdk";
import { createFakeClock } from "@chela/sdk/testing";
import { createIds } from "../../base/ids.ts";
import type { HookAnswer } from "./call.ts";
import type { HooksView } from "./hooks-view.ts";
import type { WebhooksHouse } from "./receive.ts";
import { createWebhooks, readHookRules, type Webhooks } from "./room.ts";

export const AT = Date.UTC(2026, 5, 1, 12);
export const TOKEN = "the-token-of-the-hooks";

export interface Sent {
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly query?: string;
  /** As if it had guessed too often. */
  readonly isLimited?: boolean;
}

export interface WebhookWorld extends Disposable {
  readonly webhooks: Webhooks;
  readonly clock: ReturnType<typeof createFakeClock>;
  readonly configDir: string;
  /** Errands that were given, in order. */
  readonly errands: Errand[];
  readonly woken: Array<{ readonly text: string; readonly key: string; readonly mode: string }>;
  readonly log: string[];
  readonly guesses: string[];
  bodiesRead: number;
  /** How many are waiting already. */
  open: number;
  post(path: string, sent?: Sent): Promise<HookAnswer>;
}

export function openWorld(hooks: HooksView, gatewaySecret = "the-secret-of-the-gateway"): WebhookWorld {
  const clock = createFakeClock(AT);
  const configDir = mkdtempSync(join(tmpdir(), "chela-hooks-"));
  mkdirSync(join(configDir, "hooks", "transforms"), { recursive: true });
  const [errands, woken, lines, guesses]: [Errand[], WebhookWorld["woken"], string[], string[]] = [[], [], [], []];
  const write = (line: string, fields?: unknown): void => void lines.push(`${line} ${JSON.stringify(fields ?? {})}`);
  const log: Logger = {
    log: () => {},
    trace: write,
    debug: write,
    info: write,
    warn: write,
    error: write,
    child: () => log,
  };
  const rules = readHookRules({ enabled: true, token: TOKEN, ...hooks }, "/hooks", (text) => text === gatewaySecret);
  const house: WebhooksHouse = {
    clock,
    ids: createIds(),
    log,
    keys: () => ({ defaultAgentId: "main", mainKey: "main", scope: "per-sender" }),
    placeFor: async (_agentId, { channel = "last", to = "" }) => ({ mode: "chat", channel, to }),
    errands: {
      async begin(errand) {
        if (errands.some(({ runId }) => runId === errand.runId)) return false;
        errands.push(errand);
        return true;
      },
    },
    ledger: { countErrands: async () => world.open, errands: async () => [] },
    wake: async (event) => void woken.push(event),
  };
  const webhooks = createWebhooks(house, {
    configDir,
    rules: () => rules,
    world: {
      agentIds: () => ["main", "second"],
      defaultAgentId: () => "main",
      channelIds: () => ["irc"],
      canonicalKey: (written, agentId) => {
        const key = written.toLowerCase();
        return /\s/.test(key) ? undefined : key.startsWith("agent:") ? key : `agent:${agentId}:${key}`;
      },
      uuid: () => "fresh",
    },
  });
  const world: WebhookWorld = {
    webhooks,
    clock,
    configDir,
    errands,
    woken,
    log: lines,
    guesses,
    bodiesRead: 0,
    open: 0,
    post: (path, { body = "{}", headers = {}, query = "", isLimited } = {}) =>
      webhooks.receive({
        path,
        url: new URL(`http://localhost/hooks/${path}${query}`),
        headers,
        from: "192.0.2.1",
        attempt: () =>
          isLimited
            ? { kind: "limited", retryAfterMs: 1500 }
            : { kind: "allowed", succeed: () => guesses.push("right"), fail: () => guesses.push("wrong") },
        async body() {
          world.bodiesRead += 1;
          return Buffer.from(body);
        },
      }),
    [Symbol.dispose]: () => rmSync(configDir, { recursive: true, force: true }),
  };
  return world;
}

export const withToken = { authorization: `Bearer ${TOKEN}` };

export const recordOf = (errand: Errand | undefined, over: Partial<ErrandRecord> = {}): ErrandRecord => {
  if (!errand) throw new Error("there is no errand");
  return { ...errand, seq: 1, state: "running", ...over };
};

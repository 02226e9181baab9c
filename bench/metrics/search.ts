// Time to find words among everything that was said, once they are in the index, and time to get them there.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { atMost, type Figure } from "../figure.ts";
import { waitUntilQuiet, type State } from "../gateway-process.ts";
import { computingMs, residentMib } from "../process-figures.ts";
import type { WireClient } from "../wire-client.ts";
import { newState, withGateway, type TurnRunner } from "../workbench.ts";

const SESSIONS = 200;
const BEGAN = Date.UTC(2026, 0, 1);
const CALLS = 60;
const PATIENCE_MS = 600_000;
const VOCABULARY = 20_000;
const WORDS_PER_MESSAGE = 40;

export async function measureSearch(bench: TurnRunner): Promise<Figure[]> {
  const { searchMessages: messages } = bench.amount;
  const state = await newState(bench);
  writeConversations(state, messages);
  return withGateway(
    bench,
    async ({ client, pid }) => {
      await waitForImport(client);
      await waitUntilQuiet(pid, { atMostMs: 60_000 });
      const idle = residentMib(pid);
      const indexedMs = await fillIndex(client);
      const before = computingMs(pid);
      const samples = await timeCalls(client);
      const cpuMs = computingMs(pid) - before;
      return [
        { metric: `sessions.search of ${messages} messages`, unit: "ms", samples, cpuMs, limits: [atMost(50)] },
        { metric: `index of ${messages} messages, in the background`, unit: "ms", samples: [indexedMs] },
        { metric: "RSS before the first search", unit: "MiB", samples: [idle] },
        { metric: "RSS after searches", unit: "MiB", samples: [residentMib(pid)] },
      ];
    },
    { state },
  );
}

/** Few words are used often and most seldom, as in real texts. */
function createTexts(): () => string {
  let seed = 1;
  const random = (): number => (seed = (seed * 1_103_515_245 + 12_345) & 0x7fff_ffff) / 0x7fff_ffff;
  return () =>
    Array.from({ length: WORDS_PER_MESSAGE }, () => wordAt(Math.floor(random() ** 3 * VOCABULARY))).join(" ");
}

const wordAt = (index: number): string => `${(index * 7919).toString(36)}${"aeiou"[index % 5]}`;

/** As an earlier gateway leaves them. */
function writeConversations({ dir }: State, messages: number): void {
  const directory = join(dir, "agents", "main", "sessions");
  mkdirSync(directory, { recursive: true });
  const nextText = createTexts();
  const index: Record<string, object> = {};
  for (let session = 0; session < SESSIONS; session++) {
    const sessionId = crypto.randomUUID();
    const sessionFile = join(directory, `${sessionId}.jsonl`);
    index[`agent:main:search-${session}`] = { sessionId, updatedAt: BEGAN + session, sessionFile };
    const timestamp = new Date(BEGAN).toISOString();
    const lines = [JSON.stringify({ type: "session", version: 3, id: sessionId, timestamp, cwd: dir })];
    for (let at = 0; at < messages / SESSIONS; at++) lines.push(JSON.stringify(entryAt(at, timestamp, nextText())));
    writeFileSync(sessionFile, `${lines.join("\n")}\n`);
  }
  writeFileSync(join(directory, "sessions.json"), JSON.stringify(index));
}

function entryAt(at: number, timestamp: string, text: string): object {
  const idOf = (index: number): string => index.toString(16).padStart(8, "0");
  const message = { role: "user", content: [{ type: "text", text }], timestamp: BEGAN + at };
  return { type: "message", id: idOf(at + 1), parentId: at === 0 ? null : idOf(at), timestamp, message };
}

async function waitForImport(client: WireClient): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const { sessions } = (await client.request("sessions.list", { includeLastMessage: true })) as {
      sessions: ReadonlyArray<{ lastMessagePreview?: string }>;
    };
    if (sessions.filter((row) => row.lastMessagePreview).length === SESSIONS) return;
    if (performance.now() > until) throw new Error("the conversations were not taken over");
    await sleep(500);
  }
}

async function fillIndex(client: WireClient): Promise<number> {
  const began = performance.now();
  for (;;) {
    const { indexing } = await client.request("sessions.search", { query: wordAt(0), limit: 1 });
    if (!indexing) return performance.now() - began;
    if (performance.now() - began > PATIENCE_MS) throw new Error("the index was not filled");
    await sleep(250);
  }
}

/** Frequent and rare words, several, beginnings and phrases, in turn. */
async function timeCalls(client: WireClient): Promise<number[]> {
  const samples: number[] = [];
  for (let call = 0; call < CALLS; call++) {
    const [often, seldom] = [wordAt(call % 20), wordAt(1000 + call * 37)];
    const query = [
      often,
      `${seldom} `,
      `${often} ${wordAt((call + 1) % 20)} `,
      seldom.slice(0, 3),
      `"${often} ${seldom}"`,
    ][call % 5];
    const began = performance.now();
    await client.request("sessions.search", { query, limit: 50 });
    samples.push(performance.now() - began);
  }
  return samples.slice(CALLS / 6);
}

// Turns in a very long conversation, beside one in a new conversation, and a look at its newest messages.
import { createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createMarks, overheads, timeTurn, type TimedTurn } from "../conversation.ts";
import { atMost, type Figure } from "../figure.ts";
import { waitUntilQuiet, type Gateway, type State } from "../gateway-process.ts";
import { computingMs, residentMib } from "../process-figures.ts";
import { median } from "../statistics.ts";
import type { WireClient } from "../wire-client.ts";
import { newState, withGateway, type TurnRunner } from "../workbench.ts";

const LONG = "agent:main:history-long";
/** As much as a turn looks at: what lies before it must not cost anything. */
const RECENT = "agent:main:history-recent";
const RECENT_ENTRIES = 2_000;
const FRESH = "agent:main:history-fresh";
const BEGAN = Date.UTC(2026, 0, 1);
const SHOWN = 200;
const CALLS = 60;
const WARM_UP_TURNS = 5;
/** So few that the session stays as good as empty, and so many that making it does not count. */
const TURNS_PER_FRESH = 10;
const IMPORT_MS = 180_000;

export async function measureHistory(bench: TurnRunner): Promise<Figure[]> {
  const { historyEntries: entries } = bench.amount;
  const state = await newState(bench);
  await writeTranscripts(state, { [LONG]: entries, [RECENT]: RECENT_ENTRIES });
  return withGateway(
    bench,
    async (gateway) => {
      await waitForHistory(gateway.client, entries);
      await waitUntilQuiet(gateway.pid, { atMostMs: 30_000 });
      return [
        ...(await compareTurns(bench, gateway)),
        await measureLook(gateway, entries),
        { metric: `RSS after turns among ${entries} entries`, unit: "MiB", samples: [residentMib(gateway.pid)] },
      ];
    },
    { state },
  );
}

/** In turn, so that whatever else the machine does falls on both. */
async function compareTurns({ amount, model }: TurnRunner, { client, pid }: Gateway): Promise<Figure[]> {
  const marks = createMarks();
  const long: TimedTurn[] = [];
  const recent: TimedTurn[] = [];
  const fresh: TimedTurn[] = [];
  for (let turn = 0; turn < WARM_UP_TURNS + amount.historyTurns; turn++) {
    if (turn === WARM_UP_TURNS) for (const timed of [long, recent, fresh]) timed.length = 0;
    long.push(await timeTurn(client, LONG, marks));
    recent.push(await timeTurn(client, RECENT, marks));
    fresh.push(await timeTurn(client, `${FRESH}-${Math.floor(turn / TURNS_PER_FRESH)}`, marks));
  }
  await waitUntilQuiet(pid, { atMostMs: 5_000 });
  const took = await overheads([...long, ...recent, ...fresh], model);
  const inLong = took.slice(0, long.length);
  const inRecent = took.slice(long.length, long.length + recent.length);
  const inFresh = took.slice(long.length + recent.length);
  return [
    { metric: `turn overhead, ${amount.historyEntries} entries`, unit: "ms", samples: inLong },
    { metric: `turn overhead, ${RECENT_ENTRIES} entries`, unit: "ms", samples: inRecent },
    { metric: "turn overhead, empty session", unit: "ms", samples: inFresh },
    {
      metric: `turn, ${amount.historyEntries} entries, times ${RECENT_ENTRIES}`,
      unit: "×",
      samples: [median(inLong) / median(inRecent)],
      limits: [atMost(1.2)],
    },
    {
      metric: `turn, ${amount.historyEntries} entries, times empty`,
      unit: "×",
      samples: [median(inLong) / median(inFresh)],
      note: "the model is sent as much of the conversation as its window takes; an empty one sends next to nothing",
    },
  ];
}

async function measureLook({ client, pid }: Gateway, entries: number): Promise<Figure> {
  const samples: number[] = [];
  const before = computingMs(pid);
  for (let call = 0; call < CALLS; call++) {
    const began = performance.now();
    await client.request("chat.history", { sessionKey: LONG, limit: SHOWN });
    samples.push(performance.now() - began);
  }
  const cpuMs = computingMs(pid) - before;
  const metric = `chat.history {limit:${SHOWN}} of ${entries}`;
  // The first calls find code that was not compiled yet.
  return { metric, unit: "ms", samples: samples.slice(CALLS / 6), cpuMs, limits: [atMost(10)] };
}

/** As an earlier gateway leaves them. */
async function writeTranscripts({ dir }: State, lengths: Readonly<Record<string, number>>): Promise<void> {
  const directory = join(dir, "agents", "main", "sessions");
  mkdirSync(directory, { recursive: true });
  const index: Record<string, object> = {};
  for (const [key, entries] of Object.entries(lengths)) {
    const sessionId = crypto.randomUUID();
    const sessionFile = join(directory, `${sessionId}.jsonl`);
    index[key] = { sessionId, updatedAt: BEGAN, sessionFile };
    await writeTranscript(sessionFile, sessionId, dir, entries);
  }
  writeFileSync(join(directory, "sessions.json"), JSON.stringify(index));
}

async function writeTranscript(path: string, sessionId: string, cwd: string, entries: number): Promise<void> {
  const file = createWriteStream(path);
  const timestamp = new Date(BEGAN).toISOString();
  file.write(`${JSON.stringify({ type: "session", version: 3, id: sessionId, timestamp, cwd })}\n`);
  for (let at = 0; at < entries; at++) file.write(`${JSON.stringify(entryAt(at, timestamp))}\n`);
  file.end();
  await finished(file);
}

function entryAt(at: number, timestamp: string): object {
  const idOf = (index: number): string => index.toString(16).padStart(8, "0");
  const content = [{ type: "text", text: `${textOf(at)} This is message ${at} of a long conversation.` }];
  const message =
    at % 2 === 0
      ? { role: "user", content, timestamp: BEGAN }
      : {
          role: "assistant",
          content,
          api: "openai-completions",
          provider: "mock",
          model: "mock-1",
          usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: { total: 0 } },
          stopReason: "stop",
          timestamp: BEGAN,
        };
  return { type: "message", id: idOf(at + 1), parentId: at === 0 ? null : idOf(at), timestamp, message };
}

const textOf = (at: number): string => (at % 2 === 0 ? `How is it going, number ${at}?` : "All is well here.");

async function waitForHistory(client: WireClient, entries: number): Promise<void> {
  const until = performance.now() + IMPORT_MS;
  for (;;) {
    const answer = await client.request("chat.history", { sessionKey: LONG, limit: 1 });
    if (JSON.stringify(answer).includes(`This is message ${entries - 1} of`)) return;
    if (performance.now() > until) throw new Error("the long conversation was not taken over");
    await sleep(100);
  }
}

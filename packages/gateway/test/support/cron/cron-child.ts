// A whole gateway as a process whose time another process owns. It is told the time, works, and says when nothing is left to do.
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import type { ModelProvider, ModelRequest } from "@chela/sdk";
import { finish } from "@chela/sdk/testing";
import { startGateway, type RunningGateway } from "../../../src/main.ts";
import { createJumpingClock, type JumpingClock, type Wait } from "./cron-clock.ts";

/** What it is told. The first one starts the gateway at that time. */
export type CronOrder =
  | { readonly kind: "go"; readonly to: number; readonly left: LeftToDo; readonly dieAfter?: number }
  | { readonly kind: "stop" };

/** What is still under way when all else is done. */
export interface LeftToDo {
  readonly errands: readonly string[];
  /** What they wait for. */
  readonly waits: readonly Wait[];
}

export type CronAnswer =
  | { readonly kind: "quiet"; readonly port: number }
  | { readonly kind: "stuck"; readonly why: string }
  | { readonly kind: "stopped" };

const STATE_DIR = process.env["OPENCLAW_STATE_DIR"] ?? "";
/** Only a failure waits that long. */
const PATIENCE_MS = 30_000;
const QUICK_LOOKS = 40;

/** Answers at once, or after the seconds of this clock that the message asks for. */
function createModel(clock: JumpingClock): ModelProvider {
  return {
    id: "instant",
    async *stream(request, signal) {
      const text = newestText(request);
      const [, seconds] = /take (\d+) seconds/.exec(text) ?? [];
      if (seconds !== undefined) await wait(clock, Number(seconds) * 1000, signal);
      if (signal.aborted) return yield { ...finish(), stopReason: "aborted" };
      const [, name = "HEARTBEAT_OK"] = /\[cron:\S+ (\S+)\]/.exec(text) ?? [];
      yield { kind: "text", delta: name === "HEARTBEAT_OK" ? name : `result of ${name}` };
      yield finish();
    },
  };
}

function newestText({ messages }: ModelRequest): string {
  const content = messages.findLast(({ role }) => role === "user")?.content ?? "";
  if (typeof content === "string") return content;
  return content.map((block) => ("text" in block ? String(block.text) : "")).join("");
}

function wait(clock: JumpingClock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

interface Life {
  readonly clock: JumpingClock;
  readonly gateway: RunningGateway;
  readonly ledger: DatabaseSync;
}

async function begin(now: number, dieAfter: number | undefined): Promise<Life> {
  const clock = createJumpingClock(now);
  clock.dieAfter(dieAfter);
  const gateway = await startGateway({
    env: process.env,
    port: 0,
    pageRoot: join(STATE_DIR, "no-page"),
    given: { clock, providers: { instant: createModel(clock) } },
    console: () => {},
  });
  const ledger = new DatabaseSync(join(STATE_DIR, "ledger.sqlite"), { readOnly: true, timeout: 5000 });
  return { clock, gateway, ledger };
}

type Look = (left: LeftToDo) => string;

/** Tells in what the gateway is not yet where it should come to; nothing when it is there. */
function createLook({ ledger, clock }: Life): Look {
  const readLedger = createReader(ledger);
  return (left) => {
    const { errands, inbox, due } = readLedger(clock.now());
    const differences = {
      surplus: errands.filter((runId) => !left.errands.includes(runId)),
      missing: left.errands.filter((runId) => !errands.includes(runId)),
      turns: inbox.filter((runId) => !left.errands.includes(runId)),
      due,
      notWaitedFor: left.waits.filter((wait) => clock.count(wait) < left.waits.filter(isSameAs(wait)).length),
    };
    return Object.values(differences).every(({ length }) => length === 0) ? "" : JSON.stringify(differences);
  };
}

/** What is to be done at a time; asked for anew only when somebody committed, as it is looked at tens of times for each instant. */
function createReader(ledger: DatabaseSync) {
  const version = ledger.prepare("PRAGMA data_version");
  const errands = ledger.prepare("SELECT run_id FROM errands WHERE state <> 'settled' ORDER BY seq");
  const inbox = ledger.prepare("SELECT id, run_id FROM inbox WHERE id >= ? AND state < 2 ORDER BY id");
  const newest = ledger.prepare("SELECT coalesce(max(id), 0) AS id FROM inbox");
  const jobs = ledger.prepare("SELECT name FROM jobs WHERE is_enabled = 1 AND next_run_at <= ?");
  /** What is over stays over: nobody has to look through a year of it again and again. */
  let over = 0;
  const readOpen = (): string[] => {
    const last = Number(newest.get()?.["id"]);
    const open = inbox.all(over);
    over = open.length > 0 ? Number(open[0]?.["id"]) : last;
    return open.map(({ run_id: runId }) => String(runId));
  };
  const read = (now: number) => ({
    errands: errands.all().map(({ run_id: runId }) => String(runId)),
    inbox: readOpen(),
    due: jobs.all(now).map(({ name }) => String(name)),
  });
  let known: { readonly of: string; readonly rows: ReturnType<typeof read> } | undefined;
  return (now: number) => {
    const of = `${String(version.get()?.["data_version"])} ${now}`;
    known = known?.of === of ? known : { of, rows: read(now) };
    return known.rows;
  };
}

function isSameAs(wait: Wait): (other: Wait) => boolean {
  return ({ at, ms }) => at === wait.at && ms === wait.ms;
}

async function settle({ clock }: Life, look: Look, left: LeftToDo): Promise<string> {
  const end = Date.now() + PATIENCE_MS;
  for (let rounds = 0, calm = 0; ; rounds++) {
    const ran = clock.runDue();
    await (rounds < QUICK_LOOKS ? nextTurn() : pause(1));
    const why = look(left);
    calm = ran === 0 && why === "" ? calm + 1 : 0;
    if (calm > 3) return "";
    if (Date.now() > end) return why || "something becomes due again and again";
  }
}

let life: Life | undefined;
let look: Look | undefined;

async function obey(order: CronOrder): Promise<CronAnswer> {
  if (order.kind === "stop") {
    await life?.gateway.stop("stop");
    return { kind: "stopped" };
  }
  if (!life) {
    life = await begin(order.to, order.dieAfter);
    // Whoever is killed cannot do it at its end, and the next one is to start sooner.
    flushCompileCache();
  } else {
    life.clock.dieAfter(order.dieAfter);
    life.clock.jump(order.to);
  }
  look ??= createLook(life);
  const why = await settle(life, look, order.left);
  life.clock.dieAfter(undefined);
  return why === "" ? { kind: "quiet", port: life.gateway.port } : { kind: "stuck", why };
}

function answer(message: CronAnswer): void {
  process.send?.(message, () => message.kind === "stopped" && process.disconnect());
}

process.on("message", (order: CronOrder) => {
  obey(order).then(answer, (error: unknown) =>
    answer({ kind: "stuck", why: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});
// Whoever owns its time is gone.
process.on("disconnect", () => process.exit());

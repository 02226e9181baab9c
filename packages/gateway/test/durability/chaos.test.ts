// Everything goes wrong at once: kills, cut networks, refusals, lost answers; and every message is answered, once, in order.
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, onTestFailed, test } from "vitest";
import { findNgircd } from "../../../channels/test/irc-servers.test-support.ts";
import type { Crowd, CrowdParts } from "../support/chaos/chaos-crowd.ts";
import { startIrcCrowd } from "../support/chaos/chaos-irc.ts";
import { countUnanswered, readAdmitted, readReplies } from "../support/chaos/chaos-ledger.ts";
import { answerTo, Tally, type Count } from "../support/chaos/chaos-tally.ts";
import { startBotApiCrowd, startCrablineCrowd } from "../support/chaos/chaos-telegram.ts";
import { startWebhookCrowd } from "../support/chaos/chaos-webhook.ts";
import { startCompletionsServer } from "../support/models/completions-server.ts";
import { warnNotTested } from "../support/stages/debian-package.ts";
import { findLedgerFaults } from "../support/durability/durability-evidence.ts";
import { createRandom, type Random } from "../support/durability/durability-random.ts";
import { baseConfig, createWorkshop, type StateDirectory } from "../support/durability/durability-workshop.ts";
import type { Json } from "../support/wire-client.ts";

const FULL = 2000;
const MESSAGES = Number(process.env["CHAOS_MESSAGES"] ?? FULL);
const KILLS = 30;
/** With all messages the work lasts about as long as thirty lives of this length. */
const LONGEST_LIFE_MS = 3000;
const SHORTEST_LIFE_MS = 1400;
/** What was on the wire when the process was killed, or the wire cut, has come within this; nothing is sent anew so soon. */
const ON_THE_WIRE_MS = 500;
const PATIENCE_MS = 120_000;
const OPEN = { dmPolicy: "open", allowFrom: ["*"], streaming: "off" };

const model = await startCompletionsServer({ "no-real-key": answerTo });
const workshop = createWorkshop(() => model.baseUrl);
const ngircd = findNgircd();
if (!ngircd) warnNotTested("IRC among the channels that are shaken", "the ngircd package cannot be installed");
afterAll(async () => {
  await workshop.clean();
  await model[Symbol.asyncDispose]();
});

test(
  `${MESSAGES} messages on three channels are answered exactly once and in order, though the process is killed ${KILLS} times`,
  async () => {
    const random = createRandom();
    const tally = new Tally();
    const excused = new Set<string>();
    await using crowds = await gather({ random, tally, excuse: (mark) => void excused.add(mark) });
    const state = await workshop.createState({ config: configFor(crowds) });
    const first = workshop.start(state);
    await first.connect();

    const speaking = Promise.all(crowds.all.map((crowd) => crowd.speak(state.port)));
    const excusing: Array<Promise<void>> = [];
    const excuse = (): void => void excusing.push(excuseUnsure(state, crowds, tally, excused));
    const over = new AbortController();
    const cutting = cutNow(crowds.all, random, excuse, over.signal);
    await killAgainAndAgain(state, first, random, excuse);
    over.abort();
    await cutting;
    const gone = findGone(state, tally);
    const last = workshop.start(state);
    await last.connect();
    await speaking;
    await Promise.all(excusing);
    const counts = await untilSettled(state, () => crowds.names.map((name) => tally.count(name, gone)));
    const told = describeRun(counts, gone.size, excused.size);
    onTestFailed(() => void process.stdout.write(told));
    expect(gone.size).toBeLessThan(tally.marks("irc").length || 1);
    for (const { channel, lost, disordered, duplicated } of counts) {
      expect({ channel, lost, disordered }).toEqual({ channel, lost: [], disordered: [] });
      // A platform without keys may see a message twice when nobody could know whether it arrived; never otherwise.
      const isAllowed = (mark: string): boolean => channel !== "webhook" && excused.has(mark);
      expect({ channel, duplicated: duplicated.filter((mark) => !isAllowed(mark)) }).toEqual({
        channel,
        duplicated: [],
      });
    }
    expect(countUnanswered(state.ledgerPath)).toBe(0);
    expect(await last.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    expect(findLedgerFaults(state.ledgerPath)).toEqual([]);
  },
  PATIENCE_MS * 3,
);

interface Crowds extends AsyncDisposable {
  readonly all: readonly Crowd[];
  readonly names: readonly string[];
  readonly main: Crowd;
  readonly crabline: Crowd;
  readonly webhook: Crowd;
  readonly irc: Crowd | undefined;
}

/** Forty people. Those of IRC say less: a server there takes a line or two a second. */
async function gather(parts: Pick<CrowdParts, "random" | "tally" | "excuse">): Promise<Crowds> {
  const share = MESSAGES / FULL;
  const crowd = (people: number, messages: number): CrowdParts => ({
    ...parts,
    people,
    messages: Math.max(2, Math.round(messages * share)),
  });
  const main = await startBotApiCrowd(crowd(16, 45));
  const crabline = await startCrablineCrowd(crowd(4, 15), workshop.directory);
  const irc = ngircd ? await startIrcCrowd(ngircd, crowd(6, 10), 1 / share) : undefined;
  const webhook = await startWebhookCrowd(crowd(14, 83));
  const all = [main, crabline, webhook, ...(irc ? [irc] : [])];
  return {
    all,
    names: [...new Set(all.map(({ channel }) => channel))],
    main,
    crabline,
    webhook,
    irc,
    async [Symbol.asyncDispose]() {
      for (const one of all) await one[Symbol.asyncDispose]();
    },
  };
}

function configFor({ main, crabline, webhook, irc }: Crowds): Json {
  return {
    ...baseConfig(model.baseUrl),
    session: { dmScope: "per-account-channel-peer" },
    messages: { queue: { mode: "followup", cap: 10_000, drop: "new" } },
    channels: {
      telegram: { ...OPEN, accounts: { default: main.settings, crabline: crabline.settings } },
      webhook: { ...OPEN, ...webhook.settings },
      ...(irc ? { irc: { ...OPEN, ...irc.settings } } : {}),
    },
  };
}

async function killAgainAndAgain(
  state: StateDirectory,
  first: ReturnType<typeof workshop.start>,
  random: Random,
  excuse: () => void,
): Promise<void> {
  const longest = Math.max(SHORTEST_LIFE_MS, (LONGEST_LIFE_MS * MESSAGES) / FULL);
  let gateway = first;
  for (let kills = 0; kills < KILLS; kills++) {
    if (kills > 0) gateway = workshop.start(state);
    await pause(200 + random.below(longest));
    await gateway.kill();
    excuse();
  }
}

/** One platform after another is out of reach for a moment. */
async function cutNow(crowds: readonly Crowd[], random: Random, excuse: () => void, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    const crowd = random.pick(crowds);
    await pause(500 + random.below(2500));
    crowd.cut();
    excuse();
    await pause(random.below(1000));
    crowd.restore();
  }
}

/** Replies that arrive though they are not noted as delivered at this instant. */
async function excuseUnsure(
  { ledgerPath }: StateDirectory,
  crowds: Crowds,
  tally: Tally,
  excused: Set<string>,
): Promise<void> {
  const unsure = readReplies(ledgerPath, "pending").map(({ text }) => text.replace(/^re: /, ""));
  await pause(ON_THE_WIRE_MS);
  await Promise.all(crowds.all.map((crowd) => crowd.hearAll?.()));
  for (const mark of unsure) if (tally.wasHeard(mark)) excused.add(mark);
}

/** IRC keeps nothing: what was on the way to a process when it was killed, or the wire cut, is in no ledger. */
function findGone({ ledgerPath }: StateDirectory, tally: Tally): Set<string> {
  const admitted = new Set(readAdmitted(ledgerPath, "irc").map((text) => text.replace(/^message /, "")));
  return new Set(tally.marks("irc").filter((mark) => !admitted.has(mark)));
}

/** Everything is answered, and nothing is left that could be sent once more. */
async function untilSettled({ ledgerPath }: StateDirectory, count: () => Count[]): Promise<Count[]> {
  const end = Date.now() + PATIENCE_MS;
  const isSettled = (): boolean =>
    count().every(({ lost }) => lost.length === 0) && readReplies(ledgerPath, "pending").length === 0;
  while (!isSettled() && Date.now() < end) await pause(50);
  return count();
}

function describeRun(counts: readonly Count[], gone: number, excused: number): string {
  const parts = counts.map(
    ({ channel, said, lost, duplicated }) => `${channel} ${said} said, ${lost.length} lost, ${duplicated.length} twice`,
  );
  const notes = [
    `${excused} under way at a kill, a cut or a lost answer`,
    ...(gone > 0 ? [`${gone} on IRC never reached a process`] : []),
  ];
  return `\nChaos, ${MESSAGES} messages, ${KILLS} kills: ${parts.join("; ")} (${notes.join(", ")})\n`;
}

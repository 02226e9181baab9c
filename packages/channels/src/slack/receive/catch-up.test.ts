// What was written while the gateway was down: one chat that gives trouble must not cost the others theirs.
import { describe, expect, it } from "vitest";
import { createFakeClock, createFakeHost } from "@chela/sdk/testing";
import type { SlackApi } from "../api.ts";
import { createCatchUp } from "./catch-up.ts";
import type { ApiFailure } from "../failures.ts";
import type { Inbound } from "./inbound.ts";

const self = { userId: "U0US", teamId: "T0TEAM", name: "us" };
const NOW = 1_760_000_000_000;
const stamp = (seconds: number): string => (NOW / 1000 - 100 + seconds).toFixed(6);

/** Chats with one note each; `answers` says what Slack does when their history is asked for. */
async function openCatchUp(answers: Readonly<Record<string, () => ApiFailure | readonly string[]>>) {
  const clock = createFakeClock(NOW);
  const memory = new Map([
    ["settled", JSON.stringify(Object.fromEntries(Object.keys(answers).map((id) => [id, stamp(0)])))],
  ]);
  const host = createFakeHost({ directory: "/nowhere", clock, memory });
  const asked: string[] = [];
  const api = {
    ask: async (_method: string, { channel }: { channel: string }) => {
      asked.push(channel);
      const answer = answers[channel]?.() ?? [];
      if ("reason" in answer) return { kind: "failed", failure: answer };
      return { kind: "answered", answer: { messages: answer.map((ts) => ({ ts, text: ts })).toReversed() } };
    },
  } as unknown as SlackApi;
  const catchUp = await createCatchUp(api, host, self);
  const taken: string[] = [];
  const inbound: Inbound = {
    async take({ body }) {
      const { channel, ts } = (body as { event: { channel: string; ts: string } }).event;
      if (ts === "poison") {
        catchUp.missed(channel);
        throw new Error("it cannot be stored");
      }
      taken.push(`${channel} ${ts}`);
      catchUp.settled(channel, ts);
      return undefined;
    },
    idle: async () => {},
  };
  const notes = async (): Promise<Record<string, string>> => {
    await catchUp.save();
    return JSON.parse(memory.get("settled") ?? "{}") as Record<string, string>;
  };
  return { catchUp, clock, inbound, taken, asked, notes };
}

const failure = (reason: ApiFailure["reason"]): ApiFailure => ({ reason, code: reason, why: reason });

describe("missed messages", () => {
  it.each<[string, () => ApiFailure | readonly string[]]>([
    ["may not be read", () => failure("rejected")],
    ["cannot be asked for at the moment", () => failure("unavailable")],
    ["has a message that cannot be stored", () => ["poison"]],
  ])("are fetched though another chat %s", async (_what, trouble) => {
    const { catchUp, inbound, taken } = await openCatchUp({ C0FINE: () => [stamp(1)], C0TROUBLE: trouble });
    const running = catchUp.run(inbound);
    await new Promise(setImmediate);
    expect(taken).toEqual([`C0FINE ${stamp(1)}`]);
    catchUp.stop();
    await running;
  });

  it("are asked for again later when Slack wants a pause, and what is written meanwhile does not hide them", async () => {
    let isBusy = true;
    const { catchUp, clock, inbound, taken, notes } = await openCatchUp({
      C0: () => (isBusy ? failure("rate-limited") : [stamp(1)]),
    });
    const running = catchUp.run(inbound);
    await new Promise(setImmediate);
    catchUp.settled("C0", stamp(9));
    expect((await notes())["C0"]).toBe(stamp(0));
    isBusy = false;
    await clock.advance(60_000);
    await running;
    expect(taken).toEqual([`C0 ${stamp(1)}`]);
    expect((await notes())["C0"]).toBe(stamp(9));
  });
});

// Cost of messaging platforms: on the way of a message, for a busy gateway, for its start and its memory.
import { randomInt } from "node:crypto";
import { startBotApi } from "../bot-api.ts";
import { converse, createMarks } from "../conversation.ts";
import { atLeast, atMost, type Figure } from "../figure.ts";
import { addSettings, waitUntilQuiet } from "../gateway-process.ts";
import { computingMs, peakResidentMib, residentMib } from "../process-figures.ts";
import { startWebhookProgram } from "../webhook-program.ts";
import { newState, withGateway, type TurnRunner } from "../workbench.ts";
import { measureChannelWeight } from "./channel-weight.ts";

const OPEN = { dmPolicy: "open", allowFrom: ["*"] };
const SEPARATE = { session: { dmScope: "per-account-channel-peer" } };
const WARM_UP = 20;
const CHATS = 1000;
const UNDER_WAY = 64;

export async function measureChannels(bench: TurnRunner): Promise<Figure[]> {
  return [...(await measureLatency(bench)), ...(await measureManyChats(bench)), ...(await measureChannelWeight(bench))];
}

/** In turns: a message through Telegram, one through the WebSocket; each in a conversation of its own. */
async function measureLatency(bench: TurnRunner): Promise<Figure[]> {
  const api = await startBotApi();
  const state = await newState(bench);
  addSettings(state, { ...SEPARATE, channels: { telegram: { ...OPEN, ...api.settings } } });
  const work = async (gateway: { client: { turn(key: string, text: string): Promise<void> } }): Promise<Figure[]> => {
    const marks = createMarks();
    const firstChat = randomInt(10_000, 1_000_000) * 1000;
    const sent: Array<{ mark: string; telegram: boolean; at: number }> = [];
    for (let round = 0; round < WARM_UP + bench.amount.channelTurns; round++) {
      const mark = marks.next();
      const answered = api.untilAnswered(firstChat + round);
      sent.push({ mark, telegram: true, at: await api.say(firstChat + round, `How is it going? #${mark}#`) });
      await answered;
      const other = marks.next();
      sent.push({ mark: other, telegram: false, at: performance.timeOrigin + performance.now() });
      await gateway.client.turn(`agent:main:bench-${round}`, `How is it going? #${other}#`);
    }
    const arrived = await bench.model.arrived();
    const times = (telegram: boolean): number[] =>
      sent
        .filter((one) => one.telegram === telegram)
        .slice(WARM_UP)
        .map(({ mark, at }) => (arrived.get(mark) ?? Number.NaN) - at);
    const [telegram, socket] = [times(true), times(false)];
    const added = telegram.map((ms, index) => ms - (socket[index] ?? Number.NaN));
    return [
      { metric: "WebSocket message to model request", unit: "ms", samples: socket },
      { metric: "Telegram update to model request", unit: "ms", samples: telegram },
      { metric: "added by Telegram", unit: "ms", samples: added, limits: [atMost(3)] },
    ];
  };
  try {
    await bench.model.arrived();
    return await withGateway(bench, work, { state });
  } finally {
    await api.close();
  }
}

async function measureManyChats(bench: TurnRunner): Promise<Figure[]> {
  const program = await startWebhookProgram();
  const state = await newState(bench);
  addSettings(state, { ...SEPARATE, channels: { webhook: { ...OPEN, ...program.settings } } });
  const { channelMessages } = bench.amount;
  const marks = createMarks();
  let started = 0;
  const times: number[] = [];
  const work = async (limit: number): Promise<void> => {
    while (started < limit) {
      const chat = `chat-${started++ % CHATS}`;
      times.push(await program.exchange(state.port, chat, `How is it going? #${marks.next()}#`));
    }
  };
  const talk = (limit: number): Promise<unknown> => Promise.all(Array.from({ length: UNDER_WAY }, () => work(limit)));
  try {
    return await withGateway(
      bench,
      async ({ pid, client, connect }) => {
        await untilServed(program, state.port);
        // Nobody watches: an operator who does is told of every word, and that is another figure.
        client.close();
        await talk(CHATS);
        await waitUntilQuiet(pid, { atMostMs: 5_000 });
        program.hangUp();
        times.length = 0;
        const before = computingMs(pid);
        const began = performance.now();
        await talk(CHATS + channelMessages);
        const rate = channelMessages / ((performance.now() - began) / 1000);
        const cpuMs = computingMs(pid) - before;
        const memory = { now: residentMib(pid), peak: peakResidentMib(pid) };
        const same = { parallel: UNDER_WAY, sessions: CHATS, name: "same" };
        const operator = await connect();
        await converse(operator, marks, { ...same, turns: CHATS });
        const socket = await converse(operator, marks, { ...same, turns: channelMessages });
        operator.close();
        const single = (metric: string, unit: string, value: number): Figure => ({ metric, unit, samples: [value] });
        return [
          { ...single("messages per second, 1000 chats", "/s", rate), cpuMs, limits: [atLeast(500)] },
          { metric: "message to answer, 1000 chats", unit: "ms", samples: times, note: `${UNDER_WAY} under way` },
          single("RSS, 1000 chats", "MiB", memory.now),
          single("RSS peak, 1000 chats", "MiB", memory.peak),
          single("the same by WebSocket", "/s", channelMessages / (socket.ms / 1000)),
        ];
      },
      { state },
    );
  } finally {
    await program.close();
  }
}

/** The channel is there a moment after the gateway. */
async function untilServed(
  program: { exchange(port: number, chat: string, text: string): Promise<number> },
  port: number,
) {
  for (let tries = 0; ; tries++) {
    try {
      return await program.exchange(port, "first", "Hello");
    } catch (error) {
      if (tries > 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

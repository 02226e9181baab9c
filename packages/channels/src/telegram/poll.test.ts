// What one update that cannot be written down costs the others.
import { describe, expect, it } from "vitest";
import { createFakeClock, createFakeHost, type FakeClock } from "@chela/sdk/testing";
import type { TelegramApi } from "./api.ts";
import { startPolling } from "./poll.ts";
import type { UpdateReader } from "./inbound-updates.ts";

interface Update {
  readonly update_id: number;
  readonly chat: string;
}

/** Telegram hands out the first hundred updates from the offset on, and forgets those before it. */
function startServer(clock: FakeClock, updates: readonly Update[]) {
  let from = 0;
  const api = {
    async call(_method: string, { offset }: { offset?: number }, { signal }: { signal: AbortSignal }) {
      from = Math.max(from, offset ?? 0);
      const result = updates.filter(({ update_id }) => update_id >= from).slice(0, 100);
      if (result.length > 0) return { kind: "done", result };
      return new Promise((resolve) => {
        const end = (): void => resolve({ kind: "lost", hadLeft: true, why: "stopped" });
        signal.addEventListener("abort", end, { once: true });
      });
    },
  } as unknown as TelegramApi;
  return { api, host: createFakeHost({ directory: "/nowhere", clock }) };
}

async function poll(updates: readonly Update[], canWrite: (update: Update) => boolean): Promise<number[]> {
  const clock = createFakeClock();
  const { api, host } = startServer(clock, updates);
  const taken: number[] = [];
  const read: UpdateReader = (raw) => {
    const update = raw as Update;
    const take = async (): Promise<void> => {
      if (!canWrite(update)) throw new Error("it cannot be written down");
      taken.push(update.update_id);
    };
    return { chatId: update.chat, take };
  };
  const polling = startPolling(host, api, read);
  for (let pause = 0; pause < 60; pause += 1) {
    await new Promise(setImmediate);
    await clock.advance(2_000);
  }
  await polling.stop();
  return taken;
}

const others = (count: number): Update[] =>
  Array.from({ length: count }, (_, index) => ({ update_id: 2 + index, chat: `other ${index}` }));

describe("an update that can never be written down", () => {
  it("does not keep the updates behind it from coming, however many there are", async () => {
    const updates = [{ update_id: 1, chat: "stuck" }, ...others(150), { update_id: 200, chat: "stuck" }];
    const taken = await poll(updates, ({ update_id }) => update_id !== 1);
    expect(taken).toEqual(updates.slice(1).map(({ update_id }) => update_id));
  });

  it("is asked for again as long as it keeps nobody waiting", async () => {
    let tries = 0;
    const updates = [{ update_id: 1, chat: "stuck" }, ...others(20)];
    const taken = await poll(updates, ({ update_id }) => update_id !== 1 || ++tries > 40);
    expect(taken).toContain(1);
  });

  it("is not given up when nothing at all can be written", async () => {
    let isFull = true;
    let tries = 0;
    const updates = [{ update_id: 1, chat: "first" }, ...others(150)];
    const taken = await poll(updates, () => {
      tries += 1;
      if (tries > 4_000) isFull = false;
      return !isFull;
    });
    expect(taken.toSorted((a, b) => a - b)).toEqual(updates.map(({ update_id }) => update_id));
  });
});

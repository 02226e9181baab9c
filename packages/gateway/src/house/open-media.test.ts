// How long files of messages are kept, by the configuration as it is at the time.
import { existsSync } from "node:fs";
import { createMemoryLedger } from "@chela/sdk/testing";
import { expect, test } from "vitest";
import { createIds } from "../base/ids.ts";
import { createLog } from "../base/log.ts";
import { temporaryState } from "../rooms/config/temporary-state.test-support.ts";
import { openMedia } from "./open-media.ts";

const HOUR_MS = 3_600_000;

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

test("files go by themselves when nobody used them for media.ttlHours, else after a week or two days", async () => {
  using state = temporaryState({ "openclaw.json": {} });
  const { clock, paths } = state;
  const config = state.open();
  const log = createLog({ clock, level: "silent", consoleLevel: "silent" });
  const media = openMedia({ clock, ids: createIds(), log, config, paths, ledger: createMemoryLedger() });
  const take = (text: string, direction: "inbound" | "outbound") =>
    media.take(bytes(text), { direction, maxBytes: 1000 });
  const files = [await take("came", "inbound"), await take("sent", "outbound")];
  const left = (): boolean[] => files.map(({ path }) => existsSync(path));
  const pass = async (hours: number): Promise<void> => {
    await clock.advance(hours * HOUR_MS);
    await media.sweep(clock.now());
  };
  await pass(47);
  expect(left()).toEqual([true, true]);
  await pass(2);
  expect(left()).toEqual([true, false]);
  config.setPath("media.ttlHours", 50);
  await pass(0);
  expect(left()).toEqual([true, false]);
  await pass(2);
  expect(left()).toEqual([false, false]);
});

// S-37: what strangers can fill up is counted for each channel and account, so that nobody shuts others out.
import { describe, expect, test } from "vitest";
import { createFakeChannel, type FakeChannel } from "@chela/sdk/testing";
import { openChannelStage } from "../support/stages/channel-stage.ts";
import { createShiftedClock } from "../support/durability/shifted-clock.ts";

const PAIRING = { dmPolicy: "pairing", allowFrom: [] };

/** How many codes were told after these people wrote. */
async function codesFor(fake: FakeChannel, account: string, people: readonly string[]): Promise<number> {
  for (const from of people) await fake.say("hello", { account, from });
  const told = fake.sent.filter((sent) => sent.account === account && sent.text.includes("Pairing code"));
  return told.length;
}

describe("S-37: people who wait for approval", () => {
  test("are twenty for each channel and account: the newest, and those elsewhere still get a code", async () => {
    const clock = createShiftedClock();
    const other = createFakeChannel({ id: "other" });
    await using stage = await openChannelStage({
      clock,
      settings: { ...PAIRING, accounts: { second: {} } },
      channels: { other: other.channel },
      config: { channels: { other: { token: "t", ...PAIRING } } },
    });
    await other.untilConnected();
    const crowd = Array.from({ length: 25 }, (_one, at) => `stranger-${at}`);
    await codesFor(stage.fake, "default", crowd);
    await codesFor(stage.fake, "second", ["ann", "ann", "ben"]);
    await codesFor(other, "default", ["ann"]);
    await Promise.all([stage.fake.until(27), other.until(1)]);
    const { requests } = await stage.client.call("pairing.list");
    const places = (requests as { channel: string; accountId: string; id: string }[]).map(
      ({ channel, accountId, id }) => `${channel} ${accountId} ${id}`,
    );
    expect(places.toSorted()).toEqual([
      ...crowd
        .slice(5)
        .map((id) => `fake default ${id}`)
        .toSorted(),
      "fake second ann",
      "fake second ben",
      "other default ann",
    ]);
    expect(stage.fake.sent).toHaveLength(27);
    clock.advance(61 * 60_000);
    await codesFor(stage.fake, "default", ["somebody else"]);
    expect(await stage.fake.until(28)).toHaveLength(28);
    expect(stage.model.requests).toEqual([]);
  });

  test("have a code that lets them in where they asked, and nowhere else", async () => {
    const other = createFakeChannel({ id: "other" });
    await using stage = await openChannelStage({
      settings: { ...PAIRING, accounts: { second: {} } },
      channels: { other: other.channel },
      config: { channels: { other: { token: "t", ...PAIRING } } },
    });
    await other.untilConnected();
    await stage.fake.say("hello", { account: "second", from: "ann" });
    const [told] = await stage.fake.until(1);
    const code = /Pairing code: (\S+)/.exec(told?.text ?? "")?.[1];
    for (const params of [
      { channel: "other", code },
      { channel: "fake", code, accountId: "default" },
    ]) {
      expect((await stage.client.request("pairing.approve", params)).ok).toBe(false);
    }
    await stage.client.call("pairing.approve", { channel: "fake", code });
    expect((await stage.fake.say("hello", { account: "default", from: "ann" })).kind).toBe("settled");
    expect((await other.say("hello", { from: "ann" })).kind).toBe("settled");
    expect((await stage.fake.say("hello", { account: "second", from: "ann" })).kind).toBe("accepted");
    await stage.fake.until(3);
    await other.until(1);
    expect(stage.model.requests).toHaveLength(1);
  });
});

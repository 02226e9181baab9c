// The log as the control page follows it: what is there, then what comes, told to those who asked for as long as they want it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import { createShiftedClock } from "../support/durability/shifted-clock.ts";
import type { WireClient } from "../support/wire-client.ts";

const DAY_MS = 24 * 60 * 60_000;

describe("the log is followed", () => {
  let gateway: TestGateway;
  let client: WireClient;
  const clock = createShiftedClock();
  beforeAll(async () => {
    gateway = await startTestGateway({ clock });
    client = await gateway.connect();
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const toldTo = (who: WireClient): string[] => who.eventsOf("log").flatMap(({ payload }) => payload.lines);
  const untilTold = (who: WireClient, word: string) =>
    who.until(`a line with ${word}`, () => toldTo(who).find((line) => line.includes(word)));

  test("from what is there on, each line once and in order, by all who asked for it", async () => {
    gateway.gateway.log.info("first-line");
    const snapshot = await client.call("logs.follow", { limit: 50 });
    expect(snapshot.lines.at(-1)).toContain("first-line");
    expect(snapshot).toMatchObject({ file: expect.stringContaining(".log"), cursor: expect.any(Number) });
    const other = await gateway.connect({ scopes: ["operator.read"] });
    await other.call("logs.follow", { limit: 1 });
    for (const word of ["second-line", "third-line"]) gateway.gateway.log.info(word, { token: gateway.token });
    for (const who of [client, other]) {
      await untilTold(who, "third-line");
      const ours = toldTo(who).map((line) => JSON.parse(line).msg as string);
      expect(ours.filter((msg) => msg.endsWith("-line"))).toEqual(["second-line", "third-line"]);
    }
    expect(JSON.stringify(toldTo(client))).not.toContain(gateway.token);
    const next = await client.call("logs.tail", { cursor: snapshot.cursor });
    expect(next.lines.filter((line: string) => line.includes("-line"))).toHaveLength(2);
  });

  test("until they no longer want it; who never asked hears nothing", async () => {
    const silent = await gateway.connect();
    const follower = await gateway.connect();
    await follower.call("logs.follow");
    expect(await client.call("logs.unfollow")).toEqual({ ok: true });
    expect(await silent.call("logs.unfollow")).toEqual({ ok: true });
    gateway.gateway.log.info("after-unfollow");
    await untilTold(follower, "after-unfollow");
    expect(JSON.stringify(toldTo(client))).not.toContain("after-unfollow");
    expect(toldTo(silent)).toEqual([]);
  });

  test("without what looks like a secret, and what is named in redactPatterns from the moment it is written there", async () => {
    const { log, config } = gateway.gateway;
    const key = `sk-proj-${"aB3".repeat(12)}`;
    const last = async (): Promise<string> => (await client.call("logs.tail", { limit: 1 })).lines.at(-1);
    log.info("told of badge-4711 and a key", { key, nested: { said: "BADGE-12" } });
    expect(await last()).toMatch(/badge-4711.*BADGE-12/);
    config.setPath("logging.redactPatterns", ["badge-\\d+", "("]);
    log.info("told of badge-4711 and a key", { key, nested: { said: 'the "BADGE-12"' } });
    const line = await last();
    expect(JSON.parse(line)).toMatchObject({
      msg: "told of [redacted] and a key",
      nested: { said: 'the "[redacted]"' },
    });
    expect(gateway.readLog()).not.toContain(key);
    expect(gateway.readLog()).toContain('logging.redactPatterns: \\"(\\" is passed over: it is no regular expression');
    config.setPath("logging.redactSensitive", "off");
    log.info("a key", { key });
    expect(await last()).toContain(key);
    const elsewhere = join(gateway.stateDir, "elsewhere.log");
    config.setPath("logging.file", elsewhere);
    log.info("told elsewhere");
    expect(await last()).toContain("told elsewhere");
    expect(readFileSync(elsewhere, "utf8")).toContain("told elsewhere");
    config.unsetPath("logging");
    log.info("told here again");
    expect(await last()).toContain("told here again");
    expect(readFileSync(elsewhere, "utf8")).not.toContain("here again");
  });

  test("beyond midnight, when another file begins", async () => {
    const before = await client.call("logs.follow");
    clock.advance(DAY_MS);
    gateway.gateway.log.info("a-new-day");
    await untilTold(client, "a-new-day");
    const after = await client.call("logs.follow");
    expect(after.file).not.toBe(before.file);
    expect(after.lines.at(-1)).toContain("a-new-day");
  });
});

// Another program works on the same state directory: what it changes is seen and merged, at a start and while running.
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { textOf } from "@chela/sdk";
import { createFakeClock } from "@chela/sdk/testing";
import { createStateDirectory, eventually, startTestGateway } from "../support/in-process.ts";
import { runCommand } from "../support/stages/command-here.ts";
import { history, listed, mirrored, strangerIn, talkHere } from "../support/stranger.ts";

const KEYS = ["main", "labelled", "renewed", "ended", "both"].map((name) => `agent:main:${name}`);
const [MAIN = "", LABELLED = "", RENEWED = "", ENDED = "", BOTH = ""] = KEYS;

test("a start sees what another program did to the directory, and nothing of it is overwritten", async () => {
  using state = createStateDirectory();
  {
    await using gateway = await startTestGateway({ stateDir: state.path });
    for (const key of KEYS) await talkHere(gateway, key, `ours in ${key}`, "yes");
  }
  const stranger = strangerIn(state.path);
  const now = Date.now() + 1_000;
  const fresh = randomUUID();
  const renewed = randomUUID();
  const [main, old, ended] = [MAIN, RENEWED, ENDED].map((key) => stranger.rowOf(key).sessionId) as [
    string,
    string,
    string,
  ];
  stranger.talk(main, "theirs in main", "also yes", now);
  stranger.talk(old, "before the reset", "indeed", now);
  stranger.begin(fresh, now);
  stranger.talk(fresh, "a new one", "welcome", now);
  stranger.begin(renewed, now);
  stranger.talk(renewed, "anew", "fresh start", now);
  const stamp = new Date(now).toISOString().replaceAll(":", "-");
  renameSync(stranger.pathOf(old), `${stranger.pathOf(old)}.reset.${stamp}`);
  renameSync(stranger.pathOf(ended), `${stranger.pathOf(ended)}.deleted.${stamp}`);
  const stray = randomUUID();
  stranger.begin(stray, now);
  stranger.talk(stray, "nobody names this file", "it is kept", now);
  stranger.change((rows) => {
    Object.assign(rows[MAIN] ?? {}, { updatedAt: now, status: "done" });
    Object.assign(rows[LABELLED] ?? {}, { updatedAt: now, label: "by them", thinkingLevel: "high" });
    rows[RENEWED] = { sessionId: renewed, updatedAt: now };
    delete rows[ENDED];
    rows["agent:main:telegram:direct:7"] = { sessionId: fresh, updatedAt: now, chatType: "direct" };
  });
  await using gateway = await startTestGateway({ stateDir: state.path });
  const sessions = await listed(gateway);
  expect(await history(gateway, MAIN)).toEqual([`ours in ${MAIN}`, "yes", "theirs in main", "also yes"]);
  expect(sessions.get(LABELLED)).toMatchObject({ label: "by them", thinkingLevel: "high" });
  expect(await history(gateway, RENEWED)).toEqual(["anew", "fresh start"]);
  expect(await history(gateway, "agent:main:telegram:direct:7")).toEqual(["a new one", "welcome"]);
  expect(await history(gateway, `agent:main:recovered:${stray}`)).toEqual(["nobody names this file", "it is kept"]);
  expect([...sessions.keys()]).not.toContain(ENDED);

  // The first commit of ours keeps all of it in the files.
  await talkHere(gateway, MAIN, "and again", "still here");
  await gateway.gateway.stop("stop");
  expect(Object.keys(stranger.rows())).toEqual(
    expect.arrayContaining([MAIN, LABELLED, "agent:main:telegram:direct:7"]),
  );
  expect(stranger.rows()[ENDED]).toBeUndefined();
  expect(stranger.rowOf(MAIN)["status"]).toBeDefined();
  expect(stranger.rowOf(LABELLED)).toMatchObject({ label: "by them" });
  expect(readFileSync(stranger.pathOf(main), "utf8")).toMatch(/theirs in main[^]*and again[^]*still here/);
  const archived = readFileSync(`${stranger.pathOf(old)}.reset.${stamp}`, "utf8");
  expect(archived).toContain("before the reset");
  expect(existsSync(stranger.pathOf(ended))).toBe(false);
  expect(readdirSync(stranger.directory).filter((name) => name.includes(".bak."))).toEqual([]);

  // What was merged long after the first start can be read, too.
  const { text } = await runCommand({ stateDir: state.path }, "import --report");
  expect(text).toMatch(/Merged later:/);
  expect(text).toMatch(/UTC: conversations of main: 1 added, [1-9] changed, 1 started anew, 1 deleted/);
  expect(text).toMatch(/UTC: 2 entries in agent:main:main/);
  expect(text).toMatch(/UTC: 1 conversation of main that no index names$/m);
});

test("sessions another program ended can be restored with all that was said", async () => {
  using state = createStateDirectory();
  {
    await using gateway = await startTestGateway({ stateDir: state.path });
    for (const key of [MAIN, ENDED]) await talkHere(gateway, key, `ours in ${key}`, "yes");
  }
  const stranger = strangerIn(state.path);
  const { sessionId } = stranger.rowOf(ENDED);
  stranger.talk(sessionId, "their last words", "noted", Date.now());
  const stamp = new Date().toISOString().replaceAll(":", "-");
  renameSync(stranger.pathOf(sessionId), `${stranger.pathOf(sessionId)}.deleted.${stamp}`);
  stranger.change((rows) => void delete rows[ENDED]);
  await using gateway = await startTestGateway({ stateDir: state.path });
  expect([...(await listed(gateway)).keys()]).not.toContain(ENDED);
  const client = await gateway.connect();
  await client.call("sessions.restore", { id: sessionId });
  expect(await history(gateway, ENDED)).toEqual([`ours in ${ENDED}`, "yes", "their last words", "noted"]);
});

test("an index that was lost ends no session", async () => {
  using state = createStateDirectory();
  {
    await using gateway = await startTestGateway({ stateDir: state.path });
    for (const key of KEYS) await talkHere(gateway, key, `ours in ${key}`, "yes");
  }
  const stranger = strangerIn(state.path);
  stranger.change((rows) => KEYS.forEach((key) => delete rows[key]));
  await using gateway = await startTestGateway({ stateDir: state.path });
  expect([...(await listed(gateway)).keys()].sort()).toEqual(KEYS.toSorted());
});

test("a running gateway sees what another program writes, and both talk in one conversation in order of time", async () => {
  using state = createStateDirectory();
  const clock = createFakeClock(Date.now());
  await using gateway = await startTestGateway({ stateDir: state.path, clock });
  await talkHere(gateway, BOTH, "first", "one");
  const stranger = strangerIn(state.path);
  await mirrored(clock, stranger, BOTH);
  const { sessionId } = stranger.rowOf(BOTH);
  const theirLeaf = stranger.lastId(sessionId);
  // Both go on from the same entry: we speak first, and they do not know of it.
  await talkHere(gateway, BOTH, "second", "two");
  stranger.talk(sessionId, "third", "three", clock.now() + 10, theirLeaf);
  stranger.change((rows) => Object.assign(rows[BOTH] ?? {}, { updatedAt: clock.now() + 11, label: "shared" }));
  await eventually("their words are seen", async () => {
    await clock.advance(1_000);
    return (await history(gateway, BOTH)).length === 6 && (await listed(gateway)).get(BOTH)?.["label"] === "shared";
  });
  expect(await history(gateway, BOTH)).toEqual(["first", "one", "second", "two", "third", "three"]);
  // Before a turn it is looked at in any case, whatever the watching says.
  stranger.talk(sessionId, "fourth", "four", clock.now() + 20);
  await talkHere(gateway, BOTH, "fifth", "five");
  const asked = gateway.model.requests.at(-1)?.messages.map((one) => textOf(one).replace(/^\[.*?\] /, ""));
  expect(asked?.slice(-3)).toEqual(["fourth", "four", "fifth"]);
  await gateway.gateway.stop("stop");
  const lines = readFileSync(stranger.pathOf(sessionId), "utf8").trimEnd().split("\n");
  const said = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === "message");
  expect(said.map(({ message }) => textOf(message).replace(/^\[.*?\] /, ""))).toEqual(
    "first one second two third three fourth four fifth five".split(" "),
  );
  expect(stranger.rowOf(BOTH)).toMatchObject({ label: "shared" });
});

test("an index another program is writing at the moment is left alone until it is done", async () => {
  using state = createStateDirectory();
  const clock = createFakeClock(Date.now());
  await using gateway = await startTestGateway({ stateDir: state.path, clock });
  await talkHere(gateway, MAIN, "first", "one");
  const stranger = strangerIn(state.path);
  await mirrored(clock, stranger, MAIN);
  const before = stranger.rows();
  const lock = `${stranger.indexPath}.lock`;
  writeFileSync(lock, JSON.stringify({ pid: process.ppid, createdAt: new Date().toISOString() }));
  await talkHere(gateway, LABELLED, "second", "two");
  const { sessionId } = (await listed(gateway)).get(LABELLED) ?? { sessionId: "" };
  await eventually("the transcript is written", async () => {
    await clock.advance(1_000);
    return existsSync(stranger.pathOf(sessionId));
  });
  expect(stranger.rows()).toEqual(before);
  stranger.change((rows) => Object.assign(rows[MAIN] ?? {}, { label: "theirs" }));
  renameSync(lock, `${lock}.gone`);
  await mirrored(clock, stranger, LABELLED);
  expect(stranger.rowOf(MAIN)).toMatchObject({ label: "theirs" });
});

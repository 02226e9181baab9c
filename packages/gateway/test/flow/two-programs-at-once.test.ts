// Another program writes into the directory while this one runs: neither overwrites what the other wrote, or ends it.
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFakeClock } from "@chela/sdk/testing";
import { createStateDirectory, eventually, startTestGateway } from "../support/in-process.ts";
import { history, listed, mirrored, strangerIn, talkHere } from "../support/stranger.ts";

const [OLD, LATER] = ["agent:main:old", "agent:main:later"];

test("a conversation whose row comes before its file is seen once the file is there, and by the first turn", async () => {
  using state = createStateDirectory();
  const clock = createFakeClock(Date.now());
  await using gateway = await startTestGateway({ stateDir: state.path, clock });
  await talkHere(gateway, OLD, "first", "one");
  const stranger = strangerIn(state.path);
  await mirrored(clock, stranger, OLD);
  const [seen, spokenTo] = ["agent:main:seen", "agent:main:spoken-to"];
  const ids = new Map([seen, spokenTo].map((key) => [key, randomUUID()] as const));
  stranger.change((rows) => {
    for (const [key, sessionId] of ids) rows[key] = { sessionId, updatedAt: clock.now() };
  });
  await eventually("the rows are seen", async () => {
    await clock.advance(1_000);
    return (await listed(gateway)).has(spokenTo);
  });
  for (const sessionId of ids.values()) {
    stranger.begin(sessionId, clock.now());
    stranger.talk(sessionId, "theirs", "yes", clock.now());
  }
  await talkHere(gateway, spokenTo, "ours", "also yes");
  expect(await history(gateway, spokenTo)).toEqual(["theirs", "yes", "ours", "also yes"]);
  await eventually("the other one's words are seen", async () => {
    await clock.advance(1_000);
    return (await history(gateway, seen)).length === 2;
  });
});

test("an old copy of the index that comes back ends no conversation and takes no label away", async () => {
  using state = createStateDirectory();
  const clock = createFakeClock(Date.now());
  await using gateway = await startTestGateway({ stateDir: state.path, clock });
  for (const key of [OLD, "agent:main:b", "agent:main:c"]) await talkHere(gateway, key, "first", "one");
  const stranger = strangerIn(state.path);
  await mirrored(clock, stranger, "agent:main:c");
  const old = readFileSync(stranger.indexPath, "utf8");
  await clock.advance(60_000);
  await talkHere(gateway, LATER, "second", "two");
  const client = await gateway.connect();
  await client.call("sessions.patch", { key: OLD, label: "ours" });
  await mirrored(clock, stranger, LATER);
  await eventually("the label is in the index", async () => {
    await clock.advance(1_000);
    return stranger.rowOf(OLD)["label"] === "ours";
  });

  writeFileSync(stranger.indexPath, old);
  await mirrored(clock, stranger, LATER);
  await talkHere(gateway, LATER, "third", "three");
  expect(await history(gateway, LATER)).toEqual(["second", "two", "third", "three"]);
  expect((await listed(gateway)).get(OLD)).toMatchObject({ label: "ours" });
  expect((await client.call("sessions.deleted", {})).sessions).toEqual([]);
  expect(stranger.rowOf(OLD)).toMatchObject({ label: "ours" });
});

test("a conversation that could not be written yet is not taken for one that was ended", async () => {
  using state = createStateDirectory();
  const clock = createFakeClock(Date.now());
  await using gateway = await startTestGateway({ stateDir: state.path, clock });
  await talkHere(gateway, OLD, "first", "one");
  const stranger = strangerIn(state.path);
  await mirrored(clock, stranger, OLD);
  const old = readFileSync(stranger.indexPath, "utf8");
  const client = await gateway.connect();
  const { sessionId } = await client.call("sessions.create", { key: LATER });
  writeFileSync(`${stranger.pathOf(sessionId)}.lock`, JSON.stringify({ pid: process.ppid }));
  await talkHere(gateway, LATER, "second", "two");
  await eventually("the row is in the index, the file is not there", async () => {
    await clock.advance(1_000);
    return Boolean(stranger.rowOf(LATER)["endedAt"]) && !existsSync(stranger.pathOf(sessionId));
  });
  writeFileSync(stranger.indexPath, old);
  await mirrored(clock, stranger, LATER);
  expect(await history(gateway, LATER)).toEqual(["second", "two"]);
  rmSync(`${stranger.pathOf(sessionId)}.lock`);
  await eventually("the file is there", async () => {
    await clock.advance(1_000);
    return existsSync(stranger.pathOf(sessionId));
  });
});

test("a transcript another program is at is not replaced before it is done, and its words are known meanwhile", async () => {
  using state = createStateDirectory();
  const clock = createFakeClock(Date.now());
  await using gateway = await startTestGateway({ stateDir: state.path, clock });
  await talkHere(gateway, OLD, "first", "one");
  const stranger = strangerIn(state.path);
  await mirrored(clock, stranger, OLD);
  const { sessionId } = stranger.rowOf(OLD);
  const path = stranger.pathOf(sessionId);
  const lock = `${path}.lock`;
  writeFileSync(lock, JSON.stringify({ pid: process.ppid, createdAt: new Date().toISOString() }));
  const theirLeaf = stranger.lastId(sessionId);
  await talkHere(gateway, OLD, "second", "two");
  // They go on from what they had read before: to be one conversation, the file has to be written anew.
  stranger.talk(sessionId, "third", "three", clock.now() + 10, theirLeaf);
  const { ino } = statSync(path);
  await eventually("their words are seen", async () => {
    await clock.advance(1_000);
    return (await history(gateway, OLD)).length === 6;
  });
  expect(statSync(path).ino).toBe(ino);
  stranger.talk(sessionId, "fourth", "four", clock.now() + 20);
  rmSync(lock);
  await eventually("all of it is one conversation", async () => {
    await clock.advance(1_000);
    return (await history(gateway, OLD)).length === 8 && parentsFollow(path);
  });
  expect(await history(gateway, OLD)).toEqual("first one second two third three fourth four".split(" "));
  await gateway.gateway.stop("stop");
  expect(readdirSync(stranger.directory).filter((name) => /\.(bak|imported|lock)/.test(name))).toEqual([]);
});

/** Whether each entry of the file hangs on the one before it. */
function parentsFollow(path: string): boolean {
  const entries = readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => JSON.parse(line) as { id: string; parentId: string | null });
  return entries.every(({ parentId }, index) => index === 0 || parentId === entries[index - 1]?.id);
}

test("words that another program wrote between two of ours are taken over at the next start", async () => {
  using state = createStateDirectory();
  {
    await using gateway = await startTestGateway({ stateDir: state.path });
    await talkHere(gateway, OLD, "first", "one");
    await talkHere(gateway, OLD, "second", "two");
  }
  const stranger = strangerIn(state.path);
  const { sessionId } = stranger.rowOf(OLD);
  const path = stranger.pathOf(sessionId);
  stranger.talk(sessionId, "theirs", "between", Date.now());
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const [last = "", ...theirs] = lines.slice(-3);
  writeFileSync(path, `${[...lines.slice(0, -3), ...theirs, last].join("\n")}\n`);
  await using gateway = await startTestGateway({ stateDir: state.path });
  const said = await history(gateway, OLD);
  expect(said.toSorted()).toEqual(["between", "first", "one", "second", "theirs", "two"]);
});

test("what is written into a file between its import and its first mirroring is not lost", async () => {
  using state = createStateDirectory();
  const directory = join(state.path, "agents", "main", "sessions");
  const sessionId = randomUUID();
  const stranger = strangerIn(state.path);
  stranger.prepare({ [OLD]: { sessionId, updatedAt: Date.now() } });
  // With spaces: not in our form, so that the file will be replaced.
  const header = { type: "session", version: 3, id: sessionId, timestamp: new Date().toISOString(), cwd: "/x" };
  writeFileSync(stranger.pathOf(sessionId), `${JSON.stringify(header, null, 1).replaceAll("\n", "")}\n`);
  stranger.talk(sessionId, "before", "yes", Date.now(), null);
  const clock = createFakeClock(Date.now());
  await using gateway = await startTestGateway({ stateDir: state.path, clock });
  expect(await history(gateway, OLD)).toEqual(["before", "yes"]);
  stranger.talk(sessionId, "between", "also", clock.now());
  await eventually("the file was replaced", async () => {
    await clock.advance(1_000);
    return readdirSync(directory).some((name) => name.includes(".imported."));
  });
  expect(await history(gateway, OLD)).toEqual(["before", "yes", "between", "also"]);
  expect(readFileSync(stranger.pathOf(sessionId), "utf8")).toContain("between");
});

/** What OpenClaw's gateway does when it is told another port: it takes the lock of the one that runs. */
function takeLockOf(configPath: string): string {
  const hash = createHash("sha256").update(configPath).digest("hex").slice(0, 8);
  const path = join(tmpdir(), `openclaw-${process.getuid?.()}`, `gateway.${hash}.lock`);
  expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ pid: process.pid });
  writeFileSync(path, JSON.stringify({ pid: process.ppid, createdAt: new Date().toISOString(), configPath }));
  return path;
}

test("another gateway on the directory, which knows only its own jobs, takes none of ours away; it is told of", async () => {
  using state = createStateDirectory();
  const told: string[] = [];
  const clock = createFakeClock(Date.now());
  const start = { console: (text: string) => void told.push(text) };
  await using gateway = await startTestGateway({ stateDir: state.path, clock, start });
  const client = await gateway.connect();
  const store = join(state.path, "cron", "jobs.json");
  const payload = { kind: "agentTurn", message: "look" };
  const job = { schedule: { kind: "every", everyMs: 3_600_000 }, sessionTarget: "isolated", payload };
  const ours = await client.call("cron.add", { ...job, name: "ours" });
  const changed = await client.call("cron.add", { ...job, name: "changed" });
  const inFile = () => JSON.parse(readFileSync(store, "utf8")).jobs as Array<Record<string, unknown>>;
  const written = (name: string) =>
    eventually(`${name} is in the file`, async () => {
      await clock.advance(1_000);
      return existsSync(store) && inFile().some((one) => one["name"] === name);
    });
  await written("changed");
  const old = inFile().find(({ id }) => id === changed.id);
  await clock.advance(60_000);
  await client.call("cron.update", { id: changed.id, patch: { name: "renamed" } });
  await written("renamed");

  const lock = takeLockOf(join(state.path, "openclaw.json"));
  const theirs = { ...old, id: randomUUID(), name: "theirs" };
  writeFileSync(store, JSON.stringify({ version: 1, jobs: [old, theirs] }));
  await written("ours");
  const names = (await client.call("cron.list", {})).jobs.map(({ name }: { name: string }) => name);
  expect(names.toSorted()).toEqual(["ours", "renamed", "theirs"]);
  expect(told.join("\n")).toMatch(/Another gateway \(process \d+\) works on this state directory/);

  // Alone again: whoever edits the file takes away what they leave out.
  rmSync(lock);
  writeFileSync(store, JSON.stringify({ version: 1, jobs: inFile().filter(({ id }) => id !== ours.id) }));
  await eventually("ours is gone", async () => {
    await clock.advance(1_000);
    return (await client.call("cron.list", {})).jobs.length === 2;
  });
  expect(JSON.parse(readFileSync(lock, "utf8"))).toMatchObject({ pid: process.pid });
});

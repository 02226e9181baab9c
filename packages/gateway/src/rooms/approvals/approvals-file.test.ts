// exec-approvals.json: what survives, what is refused, and that a broken file allows nothing.
import { createHash } from "node:crypto";
import { chmodSync, readFileSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { GatewayError } from "@chela/sdk";
import { createWorld, listOf } from "./approvals-world.test-support.ts";

describe("a file that cannot be used allows nothing, whatever is configured", () => {
  test.each([
    ["not JSON", "{ version: 1"],
    ["empty", ""],
    ["a list", "[]"],
    ["null", "null"],
    ["another version", '{"version":2}'],
    ["agents of another shape", '{"version":1,"agents":[]}'],
    ["an allow-list of another shape", '{"version":1,"agents":{"main":{"allowlist":{}}}}'],
  ])("%s", async (_name, text) => {
    using world = createWorld(["ls"]);
    world.settings = { ...world.settings, rules: [{ security: "full", ask: "off" }] };
    world.writeList(text);
    const decision = await world.decide("ls", { elevated: "full" });
    expect(decision).toMatchObject({ kind: "denied", asked: false, why: expect.stringContaining(world.path) });
    expect(() => world.approvals.snapshot()).toThrow("cannot be used");
    expect(readFileSync(world.path, "utf8")).toBe(text);
    world.writeList(listOf());
    expect(await world.decide("ls")).toMatchObject({ kind: "allowed" });
  });

  test("one that every user can write", async () => {
    using world = createWorld(["ls"]);
    world.writeList(listOf({ pattern: "ls" }));
    expect(await world.decide("ls")).toMatchObject({ kind: "allowed" });
    chmodSync(world.path, 0o666);
    expect(await world.decide("ls")).toMatchObject({ kind: "denied", why: expect.stringContaining("every user") });
  });
});

test("an entry that cannot be understood allows nothing and the others still count", async () => {
  using world = createWorld(["a", "b", "c", "cat", "head"]);
  world.person.answer = "deny";
  world.writeList(
    listOf(
      { pattern: "a", argv: "status" },
      { pattern: "b", argPattern: "(" },
      { pattern: "c", argPattern: 5 },
      { argv: [] },
      { pattern: "cat", sha256: "0" },
      { pattern: "head" },
    ),
  );
  const kinds = [];
  for (const command of ["a", "b", "c", "cat", "head"]) kinds.push((await world.decide(command)).kind);
  expect(kinds).toEqual(["denied", "denied", "denied", "denied", "allowed"]);
  expect(world.logged.filter((line) => line.startsWith("warn"))).toHaveLength(4);
});

const SLOW_PATTERNS = [
  "(a+)+",
  "(?:a|a)*",
  "(a|b|ab)*c",
  "(.*)(.*)(.*)(.*)(.*)x",
  `${"a?".repeat(60)}${"a".repeat(60)}`,
  "((a|a)*){0}(a|a)*b",
  "(.)\\1",
  "--to staging)|(.*",
];

describe("a pattern for arguments that some arguments could keep busy for long", () => {
  test.each(SLOW_PATTERNS)("%j is not written, and in a file allows nothing", async (argPattern) => {
    using world = createWorld(["ls"]);
    const list = listOf({ pattern: "ls", argPattern });
    expect(() => world.approvals.replace(list)).toThrow("pattern for arguments cannot be used");
    expect(world.approvals.snapshot().exists).toBe(false);
    world.writeList(list);
    world.person.answer = "deny";
    // The word is short where the pattern would really be tried: this test is to fail, not to hang.
    expect(await world.decide("ls aaaa")).toMatchObject({ kind: "denied", asked: true });
    expect(world.logged.filter((line) => line.startsWith("warn"))).toEqual([
      expect.stringContaining("pattern for arguments cannot be used"),
    ]);
  });

  test.each([
    ["--to (staging|test)", "--to test"],
    ["--file \\S+ --to \\S+", "--file a/b.txt --to c"],
    ["(?!.*--force).*", "push origin main"],
    ["-[a-z]{1,8}( --verbose)?", "-la --verbose"],
    ["", ""],
  ])("%j still allows %j, and asks for more than it says", async (argPattern, args) => {
    using world = createWorld(["ls"]);
    world.approvals.replace(listOf({ pattern: "ls", argPattern }));
    world.person.answer = "deny";
    expect(await world.decide(`ls ${args}`)).toMatchObject({ kind: "allowed", asked: false });
    expect(await world.decide(`ls ${args} ${"x".repeat(5_000)} --force`)).toMatchObject({ kind: "denied" });
  });
});

test("a change by hand counts with the next command", async () => {
  using world = createWorld(["ls"]);
  world.person.answer = "deny";
  expect(await world.decide("ls")).toMatchObject({ kind: "denied" });
  world.writeList(listOf({ pattern: "ls" }));
  expect(await world.decide("ls")).toMatchObject({ kind: "allowed" });
  world.writeList(listOf());
  expect(await world.decide("ls")).toMatchObject({ kind: "denied" });
});

test("what others wrote survives our changes", async () => {
  using world = createWorld(["ls", "deploy"]);
  const foreign = {
    version: 1,
    socket: { path: "/s", token: "t0ken", extra: 1 },
    defaults: { future: true, askFallback: "someday" },
    agents: {
      main: { note: "x", allowlist: [{ pattern: "ls", colour: "red" }, "odd", { strange: 1 }] },
      other: { y: 2 },
    },
    later: { z: [1] },
  };
  world.writeList(foreign);
  world.person.answer = "allow-always";
  await world.decide("ls");
  await world.decide("deploy");
  const after = world.readList();
  const { socket, defaults, later } = foreign;
  expect(after).toMatchObject({ socket, defaults, later, agents: { other: { y: 2 }, main: { note: "x" } } });
  expect(after.agents["main"]?.allowlist).toMatchObject([
    { pattern: "ls", colour: "red" },
    "odd",
    { strange: 1 },
    { pattern: "= deploy" },
  ]);
  expect(statSync(world.path).mode & 0o777).toBe(0o600);
});

test("whoever shows the file is told when it was written", async () => {
  using world = createWorld(["ls"]);
  world.person.answer = "allow-always";
  await world.decide("ls");
  expect(world.timesSaved).toBe(1);
  world.approvals.replace({ version: 1 }, world.approvals.snapshot().hash);
  expect(world.timesSaved).toBe(2);
});

test("the last use is noted, but not with every command", async () => {
  using world = createWorld(["ls"]);
  world.writeList(listOf({ pattern: "ls" }));
  await world.decide("ls one");
  const hash = world.approvals.snapshot().hash;
  const note = { lastUsedAt: world.clock.now(), lastUsedCommand: "ls one", lastResolvedPath: `${world.bin}/ls` };
  expect(world.readList().agents["main"]?.allowlist).toEqual([{ pattern: "ls", ...note }]);
  await world.decide("ls two");
  expect(world.approvals.snapshot().hash).toBe(hash);
  await world.clock.advance(60 * 60_000);
  await world.decide("ls three");
  expect(world.readList().agents["main"]?.allowlist).toMatchObject([{ lastUsedCommand: "ls three" }]);
});

describe("reading and replacing it as a whole", () => {
  test("a missing file reads as an empty one and may be written without a hash", () => {
    using world = createWorld();
    const hash = createHash("sha256").update("").digest("hex");
    expect(world.approvals.snapshot()).toEqual({ path: world.path, exists: false, hash, file: { version: 1 } });
    const written = world.approvals.replace({ version: 1, agents: {} });
    expect(written).toMatchObject({ exists: true, file: { version: 1, agents: {} } });
    expect(written.hash).toBe(createHash("sha256").update(readFileSync(world.path)).digest("hex"));
    expect(statSync(world.path).mode & 0o777).toBe(0o600);
  });

  test("an existing file is replaced only by who has seen it", () => {
    using world = createWorld();
    world.writeList(listOf());
    const { hash } = world.approvals.snapshot();
    expect(() => world.approvals.replace({ version: 1 })).toThrow("exec approvals base hash required");
    world.writeList(listOf({ pattern: "x" }));
    expect(() => world.approvals.replace({ version: 1 }, hash)).toThrow("exec approvals changed since last load");
    expect(world.readList()).toEqual(listOf({ pattern: "x" }));
  });

  test("the socket's token is never shown and is kept", () => {
    using world = createWorld();
    world.writeList({ version: 1, socket: { path: "/s", token: "t0ken" } });
    const shown = world.approvals.snapshot();
    expect(JSON.stringify(shown)).not.toContain("t0ken");
    const written = world.approvals.replace({ ...shown.file, defaults: { ask: "always" } }, shown.hash);
    expect(JSON.stringify(written)).not.toContain("t0ken");
    expect(world.readList()).toEqual({
      version: 1,
      socket: { path: "/s", token: "t0ken" },
      defaults: { ask: "always" },
    });
  });

  test.each([
    ["no version", {}],
    ["an unknown word", { version: 1, defaults: { security: "all" } }],
    ["an entry without a pattern", { version: 1, agents: { main: { allowlist: [{}] } } }],
    ["no object", "text"],
  ])("is refused with %s", (_name, file) => {
    using world = createWorld();
    let failure: unknown;
    try {
      world.approvals.replace(file);
    } catch (error) {
      failure = error;
    }
    expect(GatewayError.is(failure) && failure.code).toBe("PROTOCOL_REQUEST");
    expect(world.approvals.snapshot().exists).toBe(false);
  });
});

// What was approved is what runs: any change between the approval and the run is noticed, and an approval is used once.
import { digestArguments } from "./allow-list.ts";
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ExecDecision, ExecRequest } from "@chela/sdk";
import { createWorld, listOf, OWNER, type ApprovalsWorld } from "./approvals-world.test-support.ts";

type Allowed = Extract<ExecDecision, { kind: "allowed" }>;

/** Approved by a person, in a directory that is reached through a link. */
async function approve(world: ApprovalsWorld, command: string): Promise<{ decision: Allowed; request: ExecRequest }> {
  mkdirSync(join(world.workspace, "real"), { recursive: true });
  symlinkSync(join(world.workspace, "real"), join(world.workspace, "link"));
  writeFileSync(join(world.workspace, "real", "build.py"), "print(1)");
  world.person.answer = "allow-once";
  const request = world.request(command, { cwd: join(world.workspace, "link") });
  const decision = await world.decide(command, { cwd: request.cwd });
  if (decision.kind !== "allowed") throw new Error(decision.why);
  return { decision, request };
}

test("an approval is confirmed once when nothing changed", async () => {
  using world = createWorld(["python3"]);
  const { decision, request } = await approve(world, "python3 build.py");
  expect(decision.plan.cwd).toBe(join(world.workspace, "real"));
  expect(await world.approvals.confirm(decision, request)).toBeUndefined();
  expect(await world.approvals.confirm(decision, request)).toContain("already used");
});

test("a list's approval is confirmed in the same way", async () => {
  using world = createWorld(["ls"]);
  world.writeList(listOf({ pattern: "ls" }));
  const decision = await world.decide("ls");
  if (decision.kind !== "allowed") throw new Error(decision.why);
  world.addProgram("ls", "#!/bin/sh\nother\n");
  expect(await world.approvals.confirm(decision, world.request("ls"))).toContain("the program files changed");
});

test("two approvals of the same command have seals of their own", async () => {
  using world = createWorld(["ls"]);
  world.writeList(listOf({ pattern: "ls" }));
  const [first, second] = [await world.decide("ls"), await world.decide("ls")];
  if (first.kind !== "allowed" || second.kind !== "allowed") throw new Error("both are on the list");
  expect(first.seal).not.toBe(second.seal);
  expect(await world.approvals.confirm(first, world.request("ls"))).toBeUndefined();
  expect(await world.approvals.confirm(second, world.request("ls"))).toBeUndefined();
});

describe("nothing runs when something is not as it was approved", () => {
  type Change = (
    thing: { decision: Allowed; request: ExecRequest },
    world: ApprovalsWorld,
  ) => { decision?: Allowed; request?: ExecRequest } | void;
  const withRequest =
    (changes: Partial<ExecRequest>): Change =>
    ({ request }) => ({ request: { ...request, ...changes } });
  const withPlan =
    (changes: Partial<Allowed["plan"]>): Change =>
    ({ decision }) => ({ decision: { ...decision, plan: { ...decision.plan, ...changes } } });

  test.each<[string, Change, string]>([
    ["the command of the request", withRequest({ command: "python3 evil.py" }), "the command"],
    ["the command of the plan", withPlan({ command: "python3 evil.py" }), "the command"],
    [
      "an argument",
      ({ decision }, world) => {
        const pipeline = [{ file: join(world.bin, "python3"), argv: ["python3", "evil.py"] }];
        const how = { kind: "direct", steps: [{ when: "always", pipeline }] } as const;
        return { decision: { ...decision, plan: { ...decision.plan, how } } };
      },
      "the programs and their arguments",
    ],
    ["the environment of the plan", withPlan({ env: { PATH: "/evil" } }), "the environment"],
    [
      "the environment of the request",
      ({ request }) => ({ request: { ...request, env: { ...request.env, A: "b" } } }),
      "the environment",
    ],
    ["the directory of the plan", withPlan({ cwd: "/" }), "the working directory"],
    ["the directory of the request", withRequest({ cwd: "/" }), "the working directory"],
    ["the sender", withRequest({ requester: { ...OWNER, id: "u2" } }), "the sender"],
    ["the sender's account", withRequest({ requester: { ...OWNER, account: "b" } }), "the sender"],
    ["the sender's channel", withRequest({ requester: { ...OWNER, channel: "b" } }), "the sender"],
    ["the sender's rank", withRequest({ requester: { ...OWNER, isOwner: false } }), "the sender"],
    ["the agent", withRequest({ agentId: "other" }), "the agent"],
    ["the session", withRequest({ sessionKey: "agent:main:other" }), "the session"],
    ["the run", withRequest({ runId: "run-2" }), "the run"],
    ["elevation", withRequest({ elevated: "full" }), "what was asked for"],
    [
      "where a link of the directory leads",
      (_thing, world) => {
        rmSync(join(world.workspace, "link"));
        symlinkSync(world.bin, join(world.workspace, "link"));
      },
      "the working directory",
    ],
    [
      "the directory behind the name",
      (_thing, world) => {
        renameSync(join(world.workspace, "real"), join(world.workspace, "old"));
        mkdirSync(join(world.workspace, "real"));
        writeFileSync(join(world.workspace, "real", "build.py"), "print(1)");
      },
      "the working directory",
    ],
    [
      "what is in the program",
      (_thing, world) => void world.addProgram("python3", "#!/bin/sh\nevil\n"),
      "the program files",
    ],
    [
      "the file of the program",
      (_thing, world) => {
        // Both are there at once, so they cannot be the same file to the file system.
        world.addProgram("spare");
        renameSync(join(world.bin, "spare"), join(world.bin, "python3"));
      },
      "the program files",
    ],
    [
      "a link in place of the program",
      (_thing, world) => {
        renameSync(join(world.bin, "python3"), join(world.bin, "moved"));
        symlinkSync(join(world.bin, "moved"), join(world.bin, "python3"));
      },
      "the program files",
    ],
    ["a program that is gone", (_thing, world) => rmSync(join(world.bin, "python3")), "the program files"],
    [
      "the file of code it is given",
      (_thing, world) => writeFileSync(join(world.workspace, "real", "build.py"), "evil(1)"),
      "the files of code it is given",
    ],
  ])("%s", async (_name, change, said) => {
    using world = createWorld(["python3"]);
    const thing = await approve(world, "python3 build.py");
    const { decision = thing.decision, request = thing.request } = change(thing, world) ?? {};
    const why = await world.approvals.confirm(decision, request);
    expect(why).toContain("What was approved is no longer what would run");
    expect(why).toContain(said);
    expect(await world.approvals.confirm(thing.decision, thing.request)).toContain("already used");
  });

  test("a seal that was never given", async () => {
    using world = createWorld(["python3"]);
    const { decision, request } = await approve(world, "python3 build.py");
    expect(await world.approvals.confirm({ ...decision, seal: "0".repeat(64) }, request)).toContain(
      "already used or is too old",
    );
  });

  test("a seal that is ten minutes old", async () => {
    using world = createWorld(["python3"]);
    const { decision, request } = await approve(world, "python3 build.py");
    await world.clock.advance(10 * 60_000);
    expect(await world.approvals.confirm(decision, request)).toContain("too old");
  });
});

test("a program that is replaced while a person thinks does not run", async () => {
  using world = createWorld(["ls"]);
  const request = world.request("ls");
  const decision = await world.approvals.authorize(request, {
    signal: new AbortController().signal,
    onPending({ id }) {
      world.addProgram("ls", "#!/bin/sh\nevil\n");
      world.approvals.resolve(id, "allow-once", "Anna");
    },
  });
  if (decision.kind !== "allowed") throw new Error(decision.why);
  expect(await world.approvals.confirm(decision, request)).toContain("the program files changed");
});

describe("right before a step starts", () => {
  test("code from where agents write is copied, and the copy has what was approved and its neighbours", async () => {
    using world = createWorld(["python3"]);
    world.settings = { ...world.settings, writable: [world.workspace] };
    const { decision, request } = await approve(world, "python3 build.py");
    const folder = join(world.workspace, "real");
    writeFileSync(join(folder, "beside.py"), "beside");
    expect(await world.approvals.confirm(decision, request)).toBeUndefined();
    const prepared = await world.approvals.prepareStep(decision, 0);
    if (prepared.kind !== "ready") throw new Error(prepared.why);
    // The race is lost: it is too late to write another script.
    writeFileSync(join(folder, "build.py"), "print('swapped')");
    const copy = prepared.pipeline[0]?.argv[1] ?? "";
    expect(copy.startsWith(world.workspace)).toBe(false);
    expect(readFileSync(copy, "utf8")).toBe("print(1)");
    expect(readFileSync(join(copy, "../beside.py"), "utf8")).toBe("beside");
    // And a second start would notice it.
    expect(await world.approvals.prepareStep(decision, 0)).toMatchObject({ kind: "refused" });
    world.approvals.release(decision);
    expect(await world.approvals.prepareStep(decision, 0)).toMatchObject({ kind: "refused" });
  });

  test.each([
    ["node --require=./hook.js build.py", 1, "--require="],
    ["node -r ./hook.js build.py", 2, ""],
  ])("so is what an option loads: %s", async (command, at, before) => {
    using world = createWorld(["node"]);
    world.settings = { ...world.settings, writable: [world.workspace] };
    mkdirSync(join(world.workspace, "real"));
    writeFileSync(join(world.workspace, "real", "hook.js"), "hook");
    const { decision, request } = await approve(world, command);
    expect(await world.approvals.confirm(decision, request)).toBeUndefined();
    const prepared = await world.approvals.prepareStep(decision, 0);
    if (prepared.kind !== "ready") throw new Error(prepared.why);
    const word = prepared.pipeline[0]?.argv[at] ?? "";
    expect(word.startsWith(before)).toBe(true);
    const copy = word.slice(before.length);
    expect(copy).toContain("exec-copies");
    expect(readFileSync(copy, "utf8")).toBe("hook");
    world.approvals.release(decision);
  });

  /** A command that a person allowed, right before its last step. */
  async function prepareLast(world: ApprovalsWorld, command: string): Promise<string> {
    mkdirSync(join(world.workspace, "sub"));
    for (const name of ["r.sh", "sub/r.sh"])
      writeFileSync(join(world.workspace, name), `echo ${name}\n`, { mode: 0o755 });
    world.settings = { ...world.settings, writable: [world.workspace] };
    world.person.answer = "allow-once";
    const decision = await world.decide(command);
    if (decision.kind !== "allowed") throw new Error(decision.why);
    const { how } = decision.plan;
    expect(await world.approvals.confirm(decision, world.request(command))).toBeUndefined();
    const last = how.kind === "direct" ? how.steps.length - 1 : 0;
    const prepared = await world.approvals.prepareStep(decision, last);
    if (prepared.kind !== "ready") throw new Error(prepared.why);
    return JSON.stringify(prepared.pipeline);
  }
  const PROGRAMS = [
    "sleep",
    "sh",
    "bash",
    "env",
    "timeout",
    "nice",
    "nohup",
    "cat",
    "head",
    "xargs",
    "python3",
    "cp",
    "echo",
    "sort",
    "split",
  ];
  const copiesIn = (prepared: string): string[] =>
    [...prepared.matchAll(/[^"' =]*exec-copies[^"' ;|&)\\]*/g)].map(([path]) => path);

  test.each<[string, ...string[]]>([
    ["cd . ; sleep 2; sh r.sh", "r.sh"],
    ["cd sub && sleep 2 && sh r.sh", "sub/r.sh"],
    ["(cd sub; sh r.sh); sh r.sh", "sub/r.sh", "r.sh"],
    ["sleep 2; . ./r.sh", "r.sh"],
    ["source r.sh; true", "r.sh"],
    ["X=1 sh r.sh", "r.sh"],
    ["sleep 2; sh < r.sh", "r.sh"],
    ["sleep 2 > log; sh r.sh > log 2>&1", "r.sh"],
    ["./r.sh > log", "r.sh"],
    ["if true; then exec ./sub/r.sh; fi", "sub/r.sh"],
    ["cat r.sh | sh > log", "r.sh"],
    ["cat 'r.sh' | head -5 | bash -s > log", "r.sh"],
    ["sleep 2; timeout 5 sh r.sh > log", "r.sh"],
    ["sh -c 'sleep 2; sh r.sh'", "r.sh"],
    ["bash -lc 'cd sub; ./r.sh'", "sub/r.sh"],
    [`bash -c "bash -c 'sh r.sh'"`, "r.sh"],
    ["cd sub; eval 'sh r.sh'", "sub/r.sh"],
    ["timeout 5 sh r.sh", "r.sh"],
    ["env A=1 ./r.sh", "r.sh"],
    ["nice -n 5 nohup sh sub/r.sh", "sub/r.sh"],
    ["timeout 5 bash -c 'sh r.sh'", "r.sh"],
    ["cat r.sh | sh", "r.sh"],
    ["cat r.sh | env bash", "r.sh"],
    ["cat r.sh | xargs echo", "r.sh"],
    ["sort --compress-program=./r.sh big", "r.sh"],
    ["sort --compress-program ./r.sh big", "r.sh"],
    ["split --filter='sh sub/r.sh' big", "sub/r.sh"],
  ])("what runs is a copy wherever it is named: %s", async (command, ...names) => {
    using world = createWorld(PROGRAMS);
    const copies = copiesIn(await prepareLast(world, command));
    expect(copies.map((copy) => readFileSync(copy, "utf8"))).toEqual(names.map((name) => `echo ${name}\n`));
  });

  test.each([
    "echo 'sh r.sh' > notes",
    "echo sh r.sh > notes",
    "cp ./r.sh other",
    "timeout 5 cp ./r.sh other",
    "cd $HOME; sh r.sh > log",
    "cat r.sh | python3 -c 'print(1)' > log",
    "cat r.sh > other",
    'sh "$F" r.sh',
    "python3 -c 'open(\"r.sh\")' > log",
  ])("and what is only spoken of stays as it is written: %s", async (command) => {
    using world = createWorld(PROGRAMS);
    expect(copiesIn(await prepareLast(world, command))).toEqual([]);
  });

  test.each(["sleep 1 ; python3 -m r", "sleep 1 ; perl -I. -Mr -e 1", "sleep 1 ; cat r.py | python3"])(
    "a later step whose code is found by a name, or comes by a pipe, is compared: %s",
    async (command) => {
      using world = createWorld([...PROGRAMS, "perl"]);
      for (const name of ["r.py", "r.pm"]) writeFileSync(join(world.workspace, name), "1\n");
      world.settings = { ...world.settings, writable: [world.workspace] };
      world.person.answer = "allow-once";
      const decision = await world.decide(command);
      if (decision.kind !== "allowed") throw new Error(decision.why);
      expect(await world.approvals.confirm(decision, world.request(command))).toBeUndefined();
      for (const name of ["r.py", "r.pm"]) writeFileSync(join(world.workspace, name), "2\n");
      expect(await world.approvals.prepareStep(decision, 1)).toMatchObject({
        kind: "refused",
        why: expect.stringMatching(/r\.p[ym] changed in between/),
      });
    },
  );

  test("a link that was turned to the gateway's files is noticed", async () => {
    using world = createWorld(["cat"]);
    world.writeList(listOf({ pattern: "cat" }));
    symlinkSync(world.bin, join(world.workspace, "way"));
    const request = world.request("cat way/openclaw.json");
    const decision = await world.decide("cat way/openclaw.json");
    if (decision.kind !== "allowed") throw new Error(decision.why);
    expect(await world.approvals.confirm(decision, request)).toBeUndefined();
    rmSync(join(world.workspace, "way"));
    symlinkSync(world.state, join(world.workspace, "way"));
    expect(await world.approvals.prepareStep(decision, 0)).toMatchObject({
      kind: "refused",
      why: expect.stringContaining("files of the gateway itself"),
    });
  });
});

test("a script behind a link and two dots is the one the system opens", async () => {
  using world = createWorld(["python3"]);
  mkdirSync(join(world.workspace, "deep/er"), { recursive: true });
  symlinkSync("deep/er", join(world.workspace, "way"));
  for (const place of ["deep", "."]) writeFileSync(join(world.workspace, place, "r.py"), "print(1)");
  world.person.answer = "allow-once";
  const request = world.request("python3 way/../r.py");
  const decision = await world.decide("python3 way/../r.py");
  if (decision.kind !== "allowed") throw new Error(decision.why);
  writeFileSync(join(world.workspace, "deep/r.py"), "print('swapped')");
  expect(await world.approvals.confirm(decision, request)).toContain("the files of code it is given changed");
});

describe("a text for a shell", () => {
  const sealed = async (
    world: ApprovalsWorld,
    command: string,
  ): Promise<{ decision: Allowed; request: ExecRequest }> => {
    for (const name of ["x.sh", "y.sh"]) writeFileSync(join(world.workspace, name), "echo 1\n");
    world.settings = { ...world.settings, rules: [{ security: "full", ask: "off" }] };
    const decision = await world.decide(command);
    if (decision.kind !== "allowed") throw new Error(decision.why);
    return { decision, request: world.request(command) };
  };
  const append = (world: ApprovalsWorld): void => appendFileSync(join(world.workspace, "x.sh"), "echo 2\n");

  test.each([
    "echo 1 >> x.sh; echo appended",
    `echo "it's > here" >>x.sh 2>&1`,
    "{ echo 1; echo 2; } >| x.sh",
    "cat y.sh > x.sh && (echo $(sh y.sh 2> x.sh))",
  ])("may write where others write at the same time: %s", async (command) => {
    using world = createWorld();
    const { decision, request } = await sealed(world, command);
    append(world);
    expect(await world.approvals.confirm(decision, request)).toBeUndefined();
    append(world);
    expect(await world.approvals.prepareStep(decision, 0)).toMatchObject({ kind: "ready" });
    world.approvals.release(decision);
  });

  test.each([
    "sh < x.sh > y.sh",
    "echo 1 >> x.sh; sh x.sh",
    "echo 1 >> ./x.sh; . ./../workspace/x.sh",
    "echo 1 >> ../workspace/x.sh; sh x.sh > y.sh",
    "a=\\> x.sh; echo $a",
    "a='>' x.sh > y.sh",
    `a=">" x.sh > y.sh`,
    "sh <> x.sh",
    "echo 1 > >(sh x.sh)",
    "sh ${a:-> x.sh}",
    "xargs -n 1 sh <<E\n> x.sh\nE",
    "# '\nfor a in '> x.sh'; do sh $a; done; echo '",
    "for a in $'\\'> x.sh '; do sh $a; done",
    `for a in "$(echo ")" "> x.sh")"; do sh $a; done`,
    "for a in `echo '> x.sh'`; do sh $a; done",
    "echo ' > x.sh",
    `python3 -c "run(1 > x.sh )"`,
    "bash -lc 'sh x.sh'",
    "bash -e -c 'sh x.sh'",
    "env sh x.sh",
    "env A=1 bash -c 'sh x.sh'",
    "timeout 5 sh x.sh",
    "nice sh ./x.sh",
  ])("does not start when a file it may run changed: %s", async (command) => {
    using world = createWorld(["python3", "bash", "env", "timeout", "nice"]);
    const first = await sealed(world, command);
    append(world);
    expect(await world.approvals.confirm(first.decision, first.request)).toContain("the files of code it is given");
    const second = await sealed(world, command);
    expect(await world.approvals.confirm(second.decision, second.request)).toBeUndefined();
    append(world);
    expect(await world.approvals.prepareStep(second.decision, 0)).toMatchObject({
      kind: "refused",
      why: expect.stringMatching(/would run: (?:\S*x\.sh|.*, \S*x\.sh) changed in between/),
    });
  });
});

test("knows files by any name", async () => {
  const found = await digestArguments({ argv: ["sh", "__proto__"] }, "/work", async () => ({ sha256: "s" }) as never);
  expect(Object.keys(found)).toEqual(["__proto__"]);
});

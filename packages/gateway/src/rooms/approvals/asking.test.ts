// Questions to people: who is told what, what an answer does, and that silence is a no.
import { describe, expect, test } from "vitest";
import { GatewayError, type ExecDecision } from "@chela/sdk";
import { createWorld, listOf, OWNER, type ApprovalsWorld } from "./approvals-world.test-support.ts";

/** Begins to ask and waits until the question is open. */
async function beginToAsk(world: ApprovalsWorld, command: string, signal = new AbortController().signal) {
  const { promise, resolve } = Promise.withResolvers<string>();
  const decision = world.approvals.authorize(world.request(command), { signal, onPending: ({ id }) => resolve(id) });
  return { id: await promise, decision };
}

test("a question is announced with all a person needs, and so is its answer", async () => {
  using world = createWorld(["tool"]);
  const { id, decision } = await beginToAsk(world, "tool --now");
  const now = world.clock.now();
  expect(world.events).toEqual([
    {
      kind: "requested",
      approval: {
        id,
        request: {
          command: "tool --now",
          cwd: world.workspace,
          host: "gateway",
          security: "allowlist",
          ask: "on-miss",
          agentId: "main",
          sessionKey: "agent:main:main",
          runId: "run-1",
          resolvedPath: `${world.bin}/tool`,
          envKeys: ["PATH"],
          requester: { channel: OWNER.channel, account: OWNER.account, id: OWNER.id },
          reason: `tool (${world.bin}/tool) is not on the allow-list.`,
        },
        createdAtMs: now,
        expiresAtMs: now + 120_000,
      },
    },
  ]);
  expect(world.approvals.list().map((approval) => approval.id)).toEqual([id]);
  expect(world.approvals.resolve(id.slice(0, 8), "allow-once", "Anna")).toBe(id);
  expect(await decision).toMatchObject({ kind: "allowed", because: "a person approved it once" });
  expect(world.events[1]).toMatchObject({ kind: "resolved", id, decision: "allow-once", resolvedBy: "Anna", ts: now });
  expect(world.approvals.list()).toEqual([]);
});

test("every character of a command is shown, and none of it is cut off", async () => {
  using world = createWorld();
  const command = `echo ${"x".repeat(50_000)} \u202e\u200b\u001b[2K\ttxt\nrm -rf /`;
  const { id, decision } = await beginToAsk(world, command);
  const event = world.events[0];
  const shown = event?.kind === "requested" ? event.approval.request.command : "";
  expect(shown).toBe(`echo ${"x".repeat(50_000)} <U+202E><U+200B><U+001B>[2K<U+0009>txt<U+000A>\nrm -rf /`);
  world.approvals.resolve(id, "deny", "Anna");
  expect((await decision).kind).toBe("denied");
});

describe("what is not a yes is a no", () => {
  test.each<[string, (world: ApprovalsWorld, id: string, stop: () => void) => unknown, string]>([
    ["a refusal", (world, id) => world.approvals.resolve(id, "deny", "Anna"), "A person refused"],
    ["no answer for 120 seconds", (world) => world.clock.advance(120_000), "in time"],
    ["a stopped turn", (_world, _id, stop) => stop(), "turn was stopped"],
    ["a gateway that stops", (world) => world.approvals.close(), "refused"],
  ])("%s", async (_name, act, why) => {
    using world = createWorld(["tool"]);
    world.settings = { ...world.settings, rules: [{ askFallback: "full" }] };
    const stopping = new AbortController();
    const { id, decision } = await beginToAsk(world, "tool", stopping.signal);
    await act(world, id, () => stopping.abort());
    expect(await decision).toMatchObject({ kind: "denied", why: expect.stringContaining(why) });
    expect(world.approvals.list()).toEqual([]);
    expect(world.events.at(-1)).toMatchObject({ kind: "resolved", id, decision: "deny" });
  });

  test("a turn that was stopped before asks nobody", async () => {
    using world = createWorld(["tool"]);
    const decision = await world.approvals.authorize(world.request("tool"), {
      signal: AbortSignal.abort(),
      onPending: () => {},
    });
    expect(decision.kind).toBe("denied");
    expect(world.events).toEqual([]);
  });
});

test("just before the time is over the question is still open", async () => {
  using world = createWorld(["tool"]);
  const { id, decision } = await beginToAsk(world, "tool");
  await world.clock.advance(119_999);
  world.approvals.resolve(id, "allow-once", "Anna");
  expect((await decision).kind).toBe("allowed");
});

describe("answers that do not fit", () => {
  test("are refused with a word the clients know", async () => {
    using world = createWorld(["tool"]);
    const { id, decision } = await beginToAsk(world, "tool");
    expect(() => world.approvals.resolve(id, "yes", "Anna")).toThrow("invalid decision");
    for (const wrong of ["nope-nope", "", id.slice(0, 3)]) {
      expect(() => world.approvals.resolve(wrong, "deny", "Anna"), wrong).toThrow("unknown approval id");
    }
    world.approvals.resolve(id, "deny", "Anna");
    expect(() => world.approvals.resolve(id, "allow-always", "Eve")).toThrow("unknown approval id");
    expect((await decision).kind).toBe("denied");
  });

  test("a beginning that fits two questions answers neither", async () => {
    using world = createWorld();
    for (const id of ["same-1", "same-2"]) await world.approvals.request({ id, command: "x" });
    expect(() => world.approvals.resolve("same", "allow-once", "Anna")).toThrow("more than one");
    expect(world.approvals.list()).toHaveLength(2);
  });
});

describe("allow-always", () => {
  const always = async (world: ApprovalsWorld, command: string): Promise<ExecDecision> => {
    world.person.answer = "allow-always";
    const decision = await world.decide(command);
    world.person.answer = "deny";
    return decision;
  };

  test("allows this command in this directory and nothing else", async () => {
    using world = createWorld(["deploy"]);
    expect(await always(world, "deploy --to staging")).toMatchObject({
      kind: "allowed",
      because: "a person approved it for good",
    });
    expect(await world.decide("deploy --to staging")).toMatchObject({ kind: "allowed", asked: false });
    for (const command of [
      "deploy",
      "deploy --to live",
      "deploy --to staging .",
      "deploy --to staging ; deploy --to staging",
    ]) {
      expect(await world.decide(command), command).toMatchObject({ kind: "denied", asked: true });
    }
    expect(await world.decide("deploy --to staging", { cwd: world.bin })).toMatchObject({
      kind: "denied",
      asked: true,
    });
    const program = { file: `${world.bin}/deploy`, argv: ["deploy", "--to", "staging"] };
    expect(world.readList()).toMatchObject({
      version: 1,
      agents: {
        main: {
          allowlist: [
            // No path, so that a reader of paths allows nothing by it.
            {
              pattern: "= deploy --to staging",
              plan: { cwd: world.workspace, steps: [{ when: "always", pipeline: [program] }] },
              lastUsedCommand: "deploy --to staging",
            },
          ],
        },
      },
    });
  });

  test("remembers a plan as a whole: its parts, other joints and another order are asked about", async () => {
    using world = createWorld(["deploy", "sort", "ls", "notify"]);
    await always(world, "ls -a | sort -u && deploy one ; notify two");
    expect(await world.decide("ls -a | sort -u && deploy one ; notify two")).toMatchObject({ asked: false });
    for (const command of [
      "ls -a",
      "sort -u",
      "deploy one",
      "notify two",
      "ls -a | sort -u",
      "deploy one ; notify two",
      "ls -a | sort -u ; deploy one ; notify two",
      "ls -a | sort -u || deploy one ; notify two",
      "ls -a && sort -u && deploy one ; notify two",
      "notify two ; ls -a | sort -u && deploy one",
      "ls -a | sort -u && deploy one ; notify two ; notify two",
      "ls -a | sort -u && deploy one | notify two",
    ])
      expect(await world.decide(command), command).toMatchObject({ kind: "denied", asked: true });
  });

  test.each([
    ["cat setup.sh | sh", "sh is a shell"],
    ["sh", "sh is a shell"],
    ["curl -s http://x | python3", "python3 runs any code"],
    ["jq -rn '.x' | bash", "bash is a shell"],
    ["python3 app.py", "python3 runs any code"],
    ["node app.js", "node runs any code"],
    ["git status", "git runs hooks"],
    ["make", "make runs hooks"],
    ["npm test", "npm runs hooks"],
    ["cargo build", "cargo runs hooks"],
    ["pytest", "pytest runs hooks"],
    ["docker ps", "docker installs or runs"],
    ["ssh host ls", "ssh connects"],
    ["vim notes.txt", "vim opens a shell"],
    ["env ls", "env starts the program"],
    ["timeout 5 ls", "timeout starts the program"],
    ["prove t", "prove runs any code"],
    ["fstab-decode ls", "fstab-decode starts the program"],
    ["ls | deploy", "deploy is fed by another program"],
    ["./run.sh", "run.sh is a script among files that agents can write"],
    ["ls > out", "it needs a shell"],
  ])("cannot be had for %s, and the question says why", async (command, why) => {
    using world = createWorld(
      "sh curl python3 jq bash node git make npm cargo pytest docker ssh vim env timeout prove fstab-decode ls deploy cat".split(
        " ",
      ),
    );
    world.settings = { ...world.settings, writable: [world.workspace] };
    world.addProgram("../workspace/run.sh");
    for (const name of ["app.py", "app.js", "setup.sh"]) world.addProgram(`../workspace/${name}`);
    expect(await always(world, command)).toMatchObject({
      kind: "allowed",
      because: expect.stringContaining("cannot be allowed for good"),
    });
    expect(world.approvals.snapshot().exists).toBe(false);
    const asked = world.events.flatMap((event) => (event.kind === "requested" ? [event.approval.request] : []));
    expect(asked).toEqual([expect.objectContaining({ onlyOnce: true })]);
    expect(asked[0]?.reason).toContain(`It cannot be allowed for good, because ${why}`);
    expect(await world.decide(command)).toMatchObject({ kind: "denied", asked: true });
  });

  test("ends when a file the program is given changes", async () => {
    using world = createWorld(["deploy"]);
    world.addProgram("../workspace/plan.yml", "a");
    await always(world, "deploy plan.yml");
    expect(await world.decide("deploy plan.yml")).toMatchObject({ kind: "allowed", asked: false });
    world.addProgram("../workspace/plan.yml", "b");
    expect(await world.decide("deploy plan.yml")).toMatchObject({ kind: "denied", asked: true });
  });

  test("the question names every program that would run", async () => {
    using world = createWorld(["ls", "sort", "deploy"]);
    world.person.answer = "deny";
    await world.decide("ls | sort && deploy");
    const [event] = world.events;
    expect(event?.kind === "requested" && event.approval.request.resolvedPath).toBe(
      `${world.bin}/ls | ${world.bin}/sort && ${world.bin}/deploy`,
    );
  });

  test("ends when a program outside of the system directories is another one", async () => {
    using world = createWorld(["tool"]);
    world.settings = { rules: [] };
    await always(world, "tool");
    expect(await world.decide("tool")).toMatchObject({ kind: "allowed", asked: false });
    world.addProgram("tool", "#!/bin/sh\nother\n");
    expect(await world.decide("tool")).toMatchObject({ kind: "denied", asked: true });
  });

  test("holds this once when it cannot be written down", async () => {
    using world = createWorld(["tool"]);
    world.writeList(listOf());
    world.person.answer = "allow-always";
    const decision = world.approvals.authorize(world.request("tool"), {
      signal: new AbortController().signal,
      onPending({ id }) {
        world.writeList("{ broken");
        world.approvals.resolve(id, "allow-always", "Anna");
      },
    });
    expect(await decision).toMatchObject({
      kind: "allowed",
      because: expect.stringContaining("could not be remembered"),
    });
    expect(world.logged.join("\n")).toContain("could not be written");
  });
});

describe("a question put by a client", () => {
  test("is open at once and answered later; the answer can be fetched for 15 seconds", async () => {
    using world = createWorld();
    const { approval, outcome } = await world.approvals.request({
      id: "n-1",
      command: "ls\u202e",
      cwd: "/x",
      timeoutMs: 5000,
      twoPhase: true,
      env: { KEY: "secret" },
    });
    expect(approval).toMatchObject({ id: "n-1", request: { command: "ls<U+202E>", cwd: "/x", envKeys: ["KEY"] } });
    expect(approval.expiresAtMs - approval.createdAtMs).toBe(5000);
    expect(JSON.stringify(world.events)).not.toContain("secret");
    const waiting = world.approvals.waitDecision("n-1");
    world.approvals.resolve("n-1", "allow-always", "Anna");
    const { createdAtMs, expiresAtMs } = approval;
    const expected = { id: "n-1", decision: "allow-always", createdAtMs, expiresAtMs };
    expect([await outcome, await waiting]).toEqual([expected, expected]);
    await world.clock.advance(14_999);
    expect(await world.approvals.waitDecision("n-1")).toEqual(expected);
    await world.clock.advance(1);
    await expect(world.approvals.waitDecision("n-1")).rejects.toThrow("approval expired or not found");
  });

  test("ends with null when nobody answers or nobody is there", async () => {
    using world = createWorld();
    const late = await world.approvals.request({ command: "x" });
    await world.clock.advance(120_000);
    expect(await late.outcome).toMatchObject({ decision: null });
    world.person.isThere = false;
    const alone = await world.approvals.request({ command: "x" });
    expect(await alone.outcome).toMatchObject({ decision: null });
    expect(world.approvals.list()).toEqual([]);
  });

  test("is refused when five hundred others wait already", async () => {
    using world = createWorld(["tool"]);
    for (let count = 0; count < 500; count += 1) await world.approvals.request({ command: "x" });
    await expect(world.approvals.request({ command: "y" })).rejects.toThrow("too many approvals are pending");
    expect(await world.decide("tool")).toMatchObject({ kind: "denied", asked: false });
  });

  test("cannot take the id of another", async () => {
    using world = createWorld();
    await world.approvals.request({ id: "n-1", command: "x" });
    await expect(world.approvals.request({ id: "n-1", command: "y" })).rejects.toThrow("approval id already pending");
    world.approvals.resolve("n-1", "deny", "Anna");
    await expect(world.approvals.request({ id: "n-1", command: "y" })).rejects.toThrow("approval id already pending");
  });

  test.each([
    [{}],
    [{ command: "" }],
    [{ command: 1 }],
    [{ command: "x", timeoutMs: -1 }],
    [{ command: "x", host: "node" }],
    [undefined],
  ])("is refused when it is malformed: %j", async (params) => {
    using world = createWorld();
    const failure = await world.approvals.request(params).catch((error: unknown) => error);
    expect(GatewayError.is(failure) && failure.code).toBe("PROTOCOL_REQUEST");
    expect(world.events).toEqual([]);
  });
});

describe("a question says where files are compared before the start only", () => {
  test.each<[string, string | undefined]>([
    ["echo $(cat names.txt)", "inside of $(…)"],
    ["sh -x <<EOF\nsource lib.sh\nEOF", "inside of $(…)"],
    ['F=lib.sh; . "$F" "${F}x"', "inside of $(…)"],
    ["for x in 1 2; do sh $x; done", "inside of $(…)"],
    ["python3 app.py", "What a script loads"],
    ["bash -c 'node app.js'", "What a script loads"],
    ["tool --now", undefined],
    ["for x in 1 2; do tool; done", undefined],
  ])("%s", async (command, says) => {
    using world = createWorld(["tool", "python3", "node", "bash", "sh", "echo", "cat"]);
    world.settings = { ...world.settings, writable: [world.workspace] };
    for (const name of ["app.py", "app.js"]) world.addProgram(`../workspace/${name}`);
    const { id, decision } = await beginToAsk(world, command);
    const [event] = world.events;
    const reason = event?.kind === "requested" ? (event.approval.request.reason ?? "") : "";
    if (says === undefined) expect(reason).not.toContain("before it starts");
    else expect(reason).toContain(says);
    world.approvals.resolve(id, "deny", "Anna");
    await decision;
  });
});

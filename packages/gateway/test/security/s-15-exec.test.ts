// S-15: a command that nobody allowed does not run, and what a person allowed is what runs.
import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf, type ToolResultMessage } from "@chela/sdk";
import { callTool, createFakeChannel, createFakeClock, say, type FakeClock } from "@chela/sdk/testing";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

const APPROVAL_MS = 120_000;

const resultOf = (gateway: TestGateway): ToolResultMessage =>
  gateway.model.requests.at(-1)?.messages.findLast(({ role }) => role === "toolResult") as ToolResultMessage;

describe("S-15: in the default configuration, with nobody there who may say yes,", () => {
  let gateway: TestGateway;
  const fake = createFakeChannel();
  beforeAll(async () => {
    gateway = await startTestGateway({
      channels: { fake: fake.channel },
      config: {
        channels: { fake: { token: "t", dmPolicy: "allowlist", allowFrom: ["alice"] } },
        approvals: { exec: { enabled: false } },
      },
    });
    await fake.untilConnected();
  });
  /** The owner asks, and is not asked back. */
  const ask = async (): Promise<string | undefined> => {
    const before = fake.sent.length;
    await fake.say("try", { from: "alice" });
    return (await fake.until(before + 1)).at(-1)?.text;
  };
  afterAll(() => gateway[Symbol.asyncDispose]());

  const commands: ReadonlyArray<readonly [string, Json]> = [
    ["a plain command", { command: "touch canary" }],
    ["a shell line", { command: "cd . && touch canary" }],
    ["a command that asks for more rights", { command: "touch canary", elevated: true }],
    ["a command that wants no question", { command: "touch canary", ask: "off" }],
    ["a command that allows itself", { command: "touch canary", security: "full", ask: "off" }],
    ["a command in the background", { command: "touch canary", background: true }],
    ["a command in a terminal", { command: "touch canary", pty: true }],
    ["a harmless program that runs another", { command: "env touch canary" }],
    ["a program behind a variable", { command: "touch canary", env: { BASH_ENV: "./x", PATH: "." } }],
  ];

  test.for(commands)("%s is refused at once, in words that help, and did not run", async ([, args]) => {
    gateway.model.script(callTool("exec", args), say("I see"));
    // A question waits longer than this test may take.
    expect(await ask()).toBe("I see");
    const result = resultOf(gateway);
    expect(result).toMatchObject({ toolName: "exec", isError: true });
    expect(textOf(result)).toMatch(/not run|not allowed|cannot|does not exist|refused|may not/i);
    expect(textOf(result).length).toBeGreaterThan(40);
    expect(existsSync(join(gateway.stateDir, "workspace", "canary"))).toBe(false);
  });

  test("the refusal says who could allow it, and where", async () => {
    gateway.model.script(callTool("exec", { command: "touch canary" }), say("I see"));
    await ask();
    expect(textOf(resultOf(gateway))).toMatch(/Nobody who could approve it is connected.*exec-approvals\.json/s);
  });
});

describe("S-15: with somebody who may say yes,", () => {
  let clock: FakeClock;
  let gateway: TestGateway;
  let client: WireClient;
  let workspace: string;
  beforeAll(async () => {
    clock = createFakeClock();
    gateway = await startTestGateway({ clock });
    client = await gateway.connect();
    workspace = join(gateway.stateDir, "workspace");
    await client.agent("hello");
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const inWorkspace = (...names: string[]): string => join(workspace, ...names);
  /** Asks for the command; resolves when the person sees the question. */
  const ask = async (args: Json): Promise<{ runId: string; id: string; request: Json }> => {
    const [sessionKey, runId] = [`agent:main:${randomUUID()}`, randomUUID()];
    gateway.model.script(callTool("exec", args));
    await client.call("chat.send", { sessionKey, message: "go", idempotencyKey: runId });
    const { payload } = await client.untilEvent(
      "exec.approval.requested",
      (frame) => frame.payload.request.sessionKey === sessionKey,
    );
    return { runId, id: payload.id, request: payload.request };
  };
  const answer = async ({ runId, id }: { runId: string; id: string }, decision: string): Promise<ToolResultMessage> => {
    await client.call("exec.approval.resolve", { id, decision });
    expect((await client.chatEnd(runId)).payload.state).toBe("final");
    return resultOf(gateway);
  };

  test("a no is a no", async () => {
    const asked = await ask({ command: "touch denied" });
    expect(asked.request).toMatchObject({ command: "touch denied", cwd: workspace });
    const result = await answer(asked, "deny");
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain("A person refused the command");
    expect(existsSync(inWorkspace("denied"))).toBe(false);
  });

  test("silence for two minutes is a no, and a late yes changes nothing", async () => {
    const { runId, id } = await ask({ command: "touch too-late" });
    await clock.advance(APPROVAL_MS - 1);
    expect((await client.call("exec.approval.list")).pending.map((one: { id: string }) => one.id)).toContain(id);
    await clock.advance(1);
    await client.chatEnd(runId);
    expect(resultOf(gateway).isError).toBe(true);
    expect(textOf(resultOf(gateway))).toContain("Nobody approved the command in time");
    expect((await client.request("exec.approval.resolve", { id, decision: "allow-once" })).ok).toBe(false);
    expect(existsSync(inWorkspace("too-late"))).toBe(false);
  });

  test("one yes is for one run", async () => {
    const result = await answer(await ask({ command: "touch allowed" }), "allow-once");
    expect(result.isError).toBe(false);
    expect(existsSync(inWorkspace("allowed"))).toBe(true);
    rmSync(inWorkspace("allowed"));
    await answer(await ask({ command: "touch allowed" }), "deny");
    expect(existsSync(inWorkspace("allowed"))).toBe(false);
  });

  test("a yes for one command does not let another one run", async () => {
    const [first, second] = [await ask({ command: "touch first" }), await ask({ command: "touch second" })];
    await client.call("exec.approval.resolve", { id: first.id, decision: "allow-once" });
    await client.chatEnd(first.runId);
    expect([existsSync(inWorkspace("first")), existsSync(inWorkspace("second"))]).toEqual([true, false]);
    await answer(second, "deny");
    expect(existsSync(inWorkspace("second"))).toBe(false);
  });

  const script = (name: string, line: string): void => {
    writeFileSync(inWorkspace(name), `#!/bin/sh\n${line}\n`);
    chmodSync(inWorkspace(name), 0o755);
  };

  test("a program runs as it was when it was approved", async () => {
    script("tool.sh", "echo good > tool-ran");
    const result = await answer(await ask({ command: "./tool.sh" }), "allow-once");
    expect(result.isError).toBe(false);
    expect(readFileSync(inWorkspace("tool-ran"), "utf8")).toBe("good\n");
  });

  const swaps: ReadonlyArray<readonly [string, () => void]> = [
    ["was rewritten", () => writeFileSync(inWorkspace("swapped.sh"), "#!/bin/sh\necho bad > swap-ran\n")],
    [
      "was replaced",
      () => {
        rmSync(inWorkspace("swapped.sh"));
        script("swapped.sh", "echo bad > swap-ran");
      },
    ],
    [
      "became a link",
      () => {
        script("other.sh", "echo bad > swap-ran");
        rmSync(inWorkspace("swapped.sh"));
        symlinkSync("other.sh", inWorkspace("swapped.sh"));
      },
    ],
    ["is gone", () => rmSync(inWorkspace("swapped.sh"))],
  ];
  test.for(swaps)("a program that %s after the question does not run", async ([, swap]) => {
    rmSync(inWorkspace("swapped.sh"), { force: true });
    script("swapped.sh", "echo good > swap-ran");
    const asked = await ask({ command: "./swapped.sh" });
    swap();
    const result = await answer(asked, "allow-once");
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/changed|not run/i);
    expect(existsSync(inWorkspace("swap-ran"))).toBe(false);
  });

  test("a folder that became another one after the question is not worked in", async () => {
    for (const name of ["good-place", "bad-place"]) mkdirSync(inWorkspace(name));
    symlinkSync("good-place", inWorkspace("place"));
    const asked = await ask({ command: "touch here", workdir: "place" });
    // The person sees where it leads, not how it is called.
    expect(asked.request["cwd"]).toBe(inWorkspace("good-place"));
    rmSync(inWorkspace("place"));
    symlinkSync("bad-place", inWorkspace("place"));
    await answer(asked, "allow-once");
    expect(existsSync(inWorkspace("bad-place", "here"))).toBe(false);
  });

  test("a folder that was exchanged after the question is not worked in", async () => {
    mkdirSync(inWorkspace("yard"));
    const asked = await ask({ command: "touch here", workdir: "yard" });
    rmSync(inWorkspace("yard"), { recursive: true });
    mkdirSync(inWorkspace("elsewhere"));
    symlinkSync("elsewhere", inWorkspace("yard"));
    const result = await answer(asked, "allow-once");
    expect(result.isError).toBe(true);
    expect(existsSync(inWorkspace("elsewhere", "here"))).toBe(false);
  });
});

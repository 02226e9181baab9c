import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { describe, expect, it } from "vitest";
import type { ExecGuard } from "@chela/sdk";
import { createFakeClock } from "@chela/sdk/testing";
import { allow, areGone, createBench, guardWith, inShell, isAlive, withoutShell } from "./bench.test-support.ts";
import { execTool } from "./exec-tool.ts";
import { processTool } from "./process-tool.ts";

describe("exec, the answer", () => {
  it.each([
    ["echo hello", { text: "hello", isError: false, status: "completed", exitCode: 0 }],
    ["echo out; echo err >&2", { text: "out\nerr", isError: false, status: "completed", exitCode: 0 }],
    ["true", { text: "(no output)", isError: false, status: "completed", exitCode: 0 }],
    [
      "echo no; exit 3",
      { text: "no\n\n(Command exited with code 3)", isError: false, status: "completed", exitCode: 3 },
    ],
    [
      "exit 126",
      { text: "(no output)\n\n(Command exited with code 126)", isError: true, status: "failed", exitCode: 126 },
    ],
    [
      "exit 127",
      { text: "(no output)\n\n(Command exited with code 127)", isError: true, status: "failed", exitCode: 127 },
    ],
    [
      "kill -9 $$",
      { text: "(no output)\n\n(Command was ended by SIGKILL)", isError: true, status: "failed", exitCode: null },
    ],
    ["cat", { text: "(no output)", isError: false, status: "completed", exitCode: 0 }],
  ])("says how %j ended", async (command, expected) => {
    await using bench = await createBench();
    const { text, isError, details } = await bench.exec({ command });
    expect({ text, isError, status: details["status"], exitCode: details["exitCode"] }).toEqual(expected);
    expect(details).toMatchObject({ cwd: bench.workspace, durationMs: expect.any(Number) });
    expect(await bench.process({ action: "list" })).toMatchObject({ text: "No background commands." });
  });

  it("describes both tools to the model in a few bytes", () => {
    const tools = [execTool({} as never), processTool({} as never)];
    const described = tools.map(({ name, description, parameters }) => ({
      name,
      description,
      parameters: z.toJSONSchema(parameters(), { io: "input" }),
    }));
    expect(JSON.stringify(described).length).toBeLessThan(2_200);
  });

  it("keeps characters whole that arrive in pieces", async () => {
    await using bench = await createBench();
    const bytes = [...Buffer.from("ä€🦞")].map((byte) => `\\${byte.toString(8)}`);
    // Each printf is one write; the sleep makes each of them one read.
    const command = bytes.map((byte) => `printf '${byte}'; sleep 0.01`).join("; ");
    expect((await bench.exec({ command })).text).toBe("ä€🦞");
  });

  it("keeps both ends of a flood and says how much it left out", async () => {
    await using bench = await createBench();
    const { text, details } = await bench.exec({ command: "echo first; yes | head -c 4000000; echo last" });
    const aggregated = String(details["aggregated"]);
    for (const [kept, limit] of [
      [text, 90_000],
      [aggregated, 200_000],
    ] as const) {
      expect(kept).toMatch(/^first\ny\n/);
      expect(kept).toMatch(/y\nlast\n?$/);
      expect(kept).toContain(`[${4_000_011 - limit} characters were cut here]`);
      expect(kept.length).toBeLessThan(limit + 100);
    }
  });

  it("answers in small pieces while a command prints without end", async () => {
    await using bench = await createBench();
    const { details } = await bench.exec({ command: "yes 0123456789", background: true });
    const sessionId = details["sessionId"];
    for (let polls = 0; polls < 50; polls += 1) {
      const { text } = await bench.process({ action: "poll", sessionId, timeout: 120_000 });
      expect(text.length).toBeLessThan(31_000);
    }
  });

  it("shows the latest output while it runs, and stops showing it with the answer", async () => {
    await using bench = await createBench();
    const shown: unknown[] = [];
    const onUpdate = (text: string, details: unknown) => shown.push([text, details]);
    await bench.exec({ command: "echo one" }, { onUpdate });
    expect(shown).toEqual([["one\n", expect.objectContaining({ status: "running", tail: "one\n" })]]);
  });
});

describe("exec, where and with what", () => {
  it("runs in the workspace or in a directory below it", async () => {
    await using bench = await createBench();
    await mkdir(join(bench.workspace, "sub"));
    await symlink("sub", join(bench.workspace, "link"));
    expect((await bench.exec({ command: "pwd" })).text).toBe(bench.workspace);
    expect((await bench.exec({ command: "pwd", workdir: "sub" })).text).toBe(join(bench.workspace, "sub"));
    expect((await bench.exec({ command: "pwd", workdir: "link" })).text).toBe(join(bench.workspace, "sub"));
    expect((await bench.exec({ command: "pwd", workdir: "/" })).text).toBe("/");
  });

  it.each([
    ["missing", /missing does not exist/],
    ["file", /file is not a directory/],
  ])("refuses the work directory %s before anybody is asked", async (workdir, message) => {
    await using bench = await createBench();
    await writeFile(join(bench.workspace, "file"), "");
    await expect(bench.exec({ command: "pwd", workdir })).rejects.toThrow(message);
    expect(bench.requests).toEqual([]);
  });

  it.each([
    [{ host: "node" }, /cannot run on a node/],
    [{ node: "mac" }, /cannot run on a node/],
    [{ host: "sandbox" }, /has no sandbox/],
    [{ elevated: true }, /Elevated commands are not allowed/],
  ])("refuses %j instead of running it elsewhere", async (args, message) => {
    await using bench = await createBench();
    await expect(bench.exec({ command: "true", ...args })).rejects.toThrow(message);
    expect(bench.requests).toEqual([]);
  });

  it.each([
    ["on", "ask"],
    ["ask", "ask"],
    ["full", "full"],
  ] as const)("asks the guard with the level %s of an elevated conversation", async (level, elevated) => {
    await using bench = await createBench({ elevatedLevel: () => level });
    await bench.exec({ command: "true", elevated: true, security: "allowlist", ask: "always" });
    await bench.exec({ command: "true" });
    expect(bench.requests[0]).toMatchObject({ elevated, security: "allowlist", ask: "always" });
    expect(bench.requests[1]).not.toHaveProperty("elevated");
  });
});

describe("exec, the guard", () => {
  const touch = { command: "touch ran" };
  const ran = (bench: { exec: (args: Record<string, unknown>) => Promise<{ text: string }> }) =>
    bench.exec({ command: "ls" });

  const open = guardWith(inShell);
  it.each<[string, ExecGuard]>([
    ["denied", { ...open, authorize: async () => ({ kind: "denied", why: "Not this one." }) }],
    ["changed since it was approved", { ...open, confirm: async () => "Not this one." }],
    [
      "changed since it was confirmed",
      { ...open, prepareStep: async () => ({ kind: "refused", why: "Not this one." }) },
    ],
  ])("never starts a command that was %s", async (_name, guard) => {
    let isStrict = true;
    await using bench = await createBench({
      guard: {
        ...open,
        authorize: (request, options) => (isStrict ? guard : open).authorize(request, options),
        confirm: (decision, request) => (isStrict ? guard : open).confirm(decision, request),
        prepareStep: (decision, step) => (isStrict ? guard : open).prepareStep(decision, step),
      },
    });
    expect(await bench.exec(touch)).toMatchObject({
      text: "Not this one.",
      isError: true,
      details: { status: "denied" },
    });
    isStrict = false;
    expect((await ran(bench)).text).toBe("(no output)");
  });

  it("never starts a command whose turn was stopped while somebody was asked", async () => {
    const turn = new AbortController();
    await using bench = await createBench({
      guard: {
        ...open,
        authorize: async (request) => (
          request.command === "ls" || turn.abort(),
          allow(request, inShell(request.command))
        ),
      },
    });
    expect(await bench.exec(touch, { signal: turn.signal })).toMatchObject({
      isError: true,
      details: { status: "denied" },
    });
    expect((await ran(bench)).text).toBe("(no output)");
  });

  it("runs the plan of the guard, not the words of the call", async () => {
    await using bench = await createBench({ guard: guardWith(() => withoutShell("echo approved")) });
    expect((await bench.exec({ command: "echo asked" })).text).toBe("approved");
  });

  it("shows that it waits for a person", async () => {
    const pending = { id: "0123456789abcdef", command: "ls", cwd: "/", expiresAtMs: 5 };
    await using bench = await createBench({
      guard: {
        ...open,
        authorize: async (request, { onPending }) => (onPending(pending), allow(request, inShell(request.command))),
      },
    });
    const shown: unknown[] = [];
    await bench.exec({ command: "true" }, { onUpdate: (text, details) => shown.push({ text, details }) });
    expect(shown).toEqual([
      {
        text: "Waiting for approval …",
        details: {
          status: "approval-pending",
          approvalId: "0123456789abcdef",
          approvalSlug: "01234567",
          expiresAtMs: 5,
          host: "gateway",
          command: "ls",
          cwd: "/",
        },
      },
      {
        text: "Approved.",
        details: { status: "approval-resolved", approvalId: "0123456789abcdef", isAllowed: true },
      },
    ]);
  });
});

describe("exec, time", () => {
  it("goes on in the background when the call has waited long enough", async () => {
    const clock = createFakeClock();
    await using bench = await createBench({ clock });
    let ready = (): void => {};
    const begun = new Promise<void>((resolve) => (ready = resolve));
    const call = bench.exec({ command: "echo begun; sleep 60" }, { onUpdate: ready });
    await begun;
    await clock.advance(9_999);
    expect((await bench.process({ action: "list" })).text).toBe("No background commands.");
    await clock.advance(1);
    const { text, isError, details } = await call;
    expect({ isError, details }).toMatchObject({
      isError: false,
      details: { status: "running", cwd: bench.workspace, tail: "begun\n", startedAt: clock.now() - 10_000 },
    });
    expect(details["sessionId"]).toMatch(/^[a-z]+-[a-z]+$/);
    expect(text).toMatch(/^begun\n\nCommand still running/);
    expect(text).toContain(`(session ${String(details["sessionId"])}, pid ${String(details["pid"])})`);
    expect(isAlive(Number(details["pid"]))).toBe(true);
  });

  it("hands over at once when the command left something running", async () => {
    await using bench = await createBench();
    const first = await bench.exec({ command: "sleep 60 & echo $!" });
    expect(first.details["status"]).toBe("running");
    expect(first.text).toContain("The command ended, but something it started is still running");
    const pid = Number.parseInt(first.text, 10);
    expect(isAlive(pid)).toBe(true);
    await bench.process({ action: "kill", sessionId: first.details["sessionId"] });
    expect(await areGone([pid])).toBe(true);
  });

  it("ends a command whose time is up, with all it started", async () => {
    const clock = createFakeClock();
    await using bench = await createBench({ clock });
    let ready = (_pid: number): void => {};
    const started = new Promise<number>((resolve) => (ready = resolve));
    const command = "sh -c 'trap \"\" TERM; echo $$; sleep 60'";
    const call = bench.exec({ command, timeout: 5 }, { onUpdate: (text) => ready(Number(text)) });
    const pid = await started;
    await clock.advance(5_000);
    expect(isAlive(pid)).toBe(true);
    await clock.advance(2_000);
    const { text, isError, details } = await call;
    expect({ isError, status: details["status"] }).toEqual({ isError: true, status: "failed" });
    expect(text).toContain("its time was up");
    expect(await areGone([pid])).toBe(true);
  });

  it("sets a limit only where somebody waits, and keeps the one that is named", async () => {
    const clock = createFakeClock();
    await using bench = await createBench({ clock });
    const start = async (args: object) => (await bench.exec({ command: "sleep 60", ...args })).details["sessionId"];
    const unlimited = await start({ background: true });
    const limited = await start({ background: true, timeout: 5 });
    await clock.advance(5_000);
    const ended = bench.follow(limited);
    expect((await ended).text).toContain("its time was up");
    const state = await bench.process({ action: "poll", sessionId: unlimited });
    expect(state.details["status"]).toBe("running");
    await bench.process({ action: "kill", sessionId: unlimited });
  });

  it("lets go at once when the turn is stopped, and kills the whole tree", async () => {
    await using bench = await createBench();
    const turn = new AbortController();
    const pids: number[] = [];
    const answer = await bench.exec(
      { command: "setsid sleep 60 & echo $!; trap '' TERM; echo $$; wait" },
      {
        signal: turn.signal,
        onUpdate(text) {
          if (text.split("\n").length < 3) return;
          pids.push(...text.trim().split("\n").map(Number));
          turn.abort();
        },
      },
    );
    expect(answer).toMatchObject({ isError: true });
    expect(answer.text).toContain("stopped together with the turn");
    expect(pids).toHaveLength(2);
    await bench.close();
    expect(await areGone(pids)).toBe(true);
  });

  it("leaves a background command alone when the turn is stopped", async () => {
    await using bench = await createBench();
    const turn = new AbortController();
    const { details } = await bench.exec(
      { command: "read line; echo got $line", background: true },
      { signal: turn.signal },
    );
    turn.abort();
    await bench.process({ action: "submit", sessionId: details["sessionId"], data: "it" });
    expect((await bench.follow(details["sessionId"])).all).toContain("got it");
  });

  it("ends everything with the gateway and starts nothing more", async () => {
    await using bench = await createBench();
    const { details } = await bench.exec({ command: "sleep 60", background: true });
    await bench.close();
    expect(await areGone([Number(details["pid"])])).toBe(true);
    expect(bench.notices).toEqual([]);
    await expect(bench.exec({ command: "true" })).rejects.toThrow(/stopping/);
  });
});

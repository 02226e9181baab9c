import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { createFakeClock } from "@chela/sdk/testing";
import { areGone, createBench, isAlive, type Bench } from "./bench.test-support.ts";

const start = async (bench: Bench, command: string, more: object = {}): Promise<unknown> =>
  (await bench.exec({ command, background: true, ...more })).details["sessionId"];

/** Polls until the program has printed this much; its input goes nowhere before it is ready. */
async function pollUntil(bench: Bench, sessionId: unknown, wanted: string): Promise<string> {
  for (let all = ""; ;) {
    all += (await bench.process({ action: "poll", sessionId, timeout: 120_000 })).text;
    if (all.includes(wanted)) return all;
  }
}

const log = async (bench: Bench, sessionId: unknown): Promise<string> =>
  (await bench.process({ action: "log", sessionId })).text;

describe("process, following a command", () => {
  it("gives each piece of output once, then how it ended", async () => {
    await using bench = await createBench();
    const sessionId = await start(bench, "echo one; read go; echo two; exit 4");
    const first = await pollUntil(bench, sessionId, "one");
    expect(first).toContain("(Command is still running)");
    await bench.process({ action: "write", sessionId, data: "go\n" });
    const last = await bench.follow(sessionId);
    expect(last.all).toContain("two");
    expect(last.all).not.toContain("one");
    expect(last.text).toContain("(Command exited with code 4)");
    expect(last.details).toMatchObject({ status: "failed", exitCode: 4, aggregated: "one\ntwo\n" });
  });

  it("waits for news no longer than it was told, and not at all by default", async () => {
    const clock = createFakeClock();
    await using bench = await createBench({ clock });
    const sessionId = await start(bench, "read line");
    const idle = { text: "(no new output)\n\n(Command is still running)" };
    expect(await bench.process({ action: "poll", sessionId })).toMatchObject(idle);
    let answered = false;
    const poll = bench
      .process({ action: "poll", sessionId, timeout: 999_999 })
      .then((state) => ((answered = true), state));
    await clock.advance(119_999);
    expect(answered).toBe(false);
    await clock.advance(1);
    expect(await poll).toMatchObject(idle);
    const turn = new AbortController();
    const stopped = bench.process({ action: "poll", sessionId, timeout: 120_000 }, { signal: turn.signal });
    turn.abort();
    expect(await stopped).toMatchObject(idle);
    await bench.process({ action: "write", sessionId, eof: true });
    await bench.follow(sessionId);
  });

  it.each([
    [{}, /^101\n[^]*\n300\n\n\[lines 100 to 300 of 300/],
    [{ limit: 2 }, /^299\n300\n\n\[lines 298 to 300 of 300/],
    [{ offset: 0, limit: 2 }, /^1\n2\n\n\[lines 0 to 2 of 300/],
    [{ offset: 299 }, /^300\n\n\[lines 299 to 300 of 300/],
    [{ offset: 0, limit: 300 }, /^1\n[^]*\n300$/],
    [{ offset: 900 }, /^\(no output\)\n\n\[lines 900 to 900 of 300/],
  ])("shows the lines %j of the log", async (range, expected) => {
    await using bench = await createBench();
    const sessionId = await start(bench, "seq 300");
    await bench.follow(sessionId);
    expect((await bench.process({ action: "log", sessionId, ...range })).text).toMatch(expected);
  });

  it("lists what runs and what ran", async () => {
    await using bench = await createBench();
    const sessionId = await start(bench, "true");
    await bench.follow(sessionId);
    await start(bench, "sleep 60");
    const { text, details } = await bench.process({ action: "list" });
    expect(text.split("\n")).toEqual([
      expect.stringMatching(/^[a-z]+-[a-z]+ {2}completed {2}\d+ s {2}true$/),
      expect.stringMatching(/^[a-z]+-[a-z]+ {2}running {2}\d+ s {2}sleep 60$/),
    ]);
    expect(details["sessions"]).toMatchObject([
      { sessionId, exitCode: 0 },
      { status: "running", cwd: bench.workspace },
    ]);
  });
});

describe("process, input", () => {
  it("closes the input", async () => {
    await using bench = await createBench();
    const sessionId = await start(bench, "cat; echo over");
    await bench.process({ action: "write", sessionId, data: "text\n", eof: true });
    expect((await bench.follow(sessionId)).details["aggregated"]).toBe("text\nover\n");
  });

  it("types, pastes and presses keys in a terminal", async () => {
    await using bench = await createBench();
    const command = "stty raw -echo; echo ready; head -c 30 | od -An -tx1";
    const sessionId = await start(bench, command, { pty: true });
    await pollUntil(bench, sessionId, "ready");
    await bench.process({
      action: "send-keys",
      sessionId,
      literal: "a",
      keys: ["Up", "C-c", "M-x"],
      hex: ["ff", "0x00"],
    });
    await bench.process({ action: "paste", sessionId, text: "p\u001b[201~q" });
    await bench.process({ action: "paste", sessionId, text: "r", bracketed: false });
    await bench.process({ action: "submit", sessionId, data: "end" });
    await bench.process({ action: "write", sessionId, data: "....." });
    const { all } = await bench.follow(sessionId);
    const bytes = all.match(/\b[0-9a-f]{2}\b/g)?.join(" ");
    expect(bytes).toContain(
      "61 1b 5b 41 03 1b 78 ff 00 1b 5b 32 30 30 7e 70 71 1b 5b 32 30 31 7e 72 65 6e 64 0d 2e 2e",
    );
  });

  it.each([
    [{ action: "send-keys" }, /send-keys needs/],
    [{ action: "send-keys", keys: ["Banana"] }, /no key "Banana"/],
    [{ action: "send-keys", hex: ["xyz"] }, /not hexadecimal/],
    [{ action: "paste" }, /paste needs text/],
    [{ action: "clear" }, /still running/],
    [{ action: "poll", sessionId: "no-such" }, /There is no session "no-such". Those that exist: [a-z]+-[a-z]+\./],
    [{ action: "kill", sessionId: undefined }, /kill needs a sessionId/],
  ])("refuses %j and says why", async (args, message) => {
    await using bench = await createBench();
    const sessionId = await start(bench, "sleep 60");
    await expect(bench.process({ sessionId, ...args })).rejects.toThrow(message);
  });

  it("says who takes no input", async () => {
    await using bench = await createBench();
    const { details } = await bench.exec({ command: "sleep 60", yieldMs: 10 });
    const write = bench.process({ action: "write", sessionId: details["sessionId"], data: "x" });
    await expect(write).rejects.toThrow(/takes no input. Only commands started with background or pty/);
    const sessionId = await start(bench, "true");
    await bench.follow(sessionId);
    await expect(bench.process({ action: "write", sessionId, data: "x" })).rejects.toThrow(/has ended/);
  });
});

describe("process, ending and forgetting", () => {
  it("kills the whole tree and keeps what it printed", async () => {
    await using bench = await createBench();
    const sessionId = await start(bench, "sh -c 'sleep 60 & echo outer $$, inner $!; wait' & wait");
    const printed = (await pollUntil(bench, sessionId, "inner")) + (await log(bench, sessionId));
    const pids = [...printed.matchAll(/(?:inner|outer) (\d+)/g)].map(([, pid]) => Number(pid));
    expect(pids.length).toBeGreaterThanOrEqual(2);
    expect(pids.every(isAlive)).toBe(true);
    const killed = await bench.process({ action: "kill", sessionId });
    expect(killed.text).toContain("(Command was killed)");
    expect(await areGone(pids)).toBe(true);
    expect(await log(bench, sessionId)).toContain(String(pids[0]));
    expect(bench.notices).toEqual([]);
  });

  it("leaves nothing on the signal of a turn that ends many", async () => {
    await using bench = await createBench();
    const { signal } = new AbortController();
    for (let at = 0; at < 12; at++) {
      const sessionId = await start(bench, "sleep 60");
      await bench.process({ action: "kill", sessionId }, { signal });
    }
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  it("forgets by clear what has ended, and by remove anything", async () => {
    await using bench = await createBench();
    const ended = await start(bench, "true");
    await bench.follow(ended);
    const { details } = await bench.exec({ command: "sleep 60", background: true });
    await bench.process({ action: "clear", sessionId: ended });
    await bench.process({ action: "remove", sessionId: details["sessionId"] });
    expect((await bench.process({ action: "list" })).text).toBe("No background commands.");
    expect(await areGone([Number(details["pid"])])).toBe(true);
  });

  it.each([
    [5_000, 60_000],
    [600_000, 600_000],
    [99_999_999, 10_800_000],
  ])("keeps an ended command for a while (cleanupMs %d)", async (cleanupMs, stay) => {
    const clock = createFakeClock();
    await using bench = await createBench({ clock, settings: { cleanupMs } });
    await bench.follow(await start(bench, "true"));
    await clock.advance(stay - 1);
    expect((await bench.process({ action: "list" })).text).toContain("completed");
    await clock.advance(1);
    expect((await bench.process({ action: "list" })).text).toBe("No background commands.");
  });

  it("drops the oldest ended command when there are too many, and starts none when all run", async () => {
    await using bench = await createBench();
    const first = await start(bench, "true");
    await bench.follow(first);
    for (let more = 0; more < 64; more += 1) await start(bench, "sleep 60");
    await expect(bench.process({ action: "poll", sessionId: first })).rejects.toThrow(/no session/);
    await expect(start(bench, "true")).rejects.toThrow(/64 commands of this agent are still running/);
    expect((await bench.exec({ command: "true" }, { agentId: "other" })).isError).toBe(false);
  });
});

describe("process, other agents", () => {
  it.each(["poll", "log", "write", "submit", "send-keys", "paste", "kill", "clear", "remove"])(
    "%s does not reach a command of another agent",
    async (action) => {
      await using bench = await createBench();
      const sessionId = await start(bench, "echo secret; cat");
      const args = { action, sessionId, data: "x", keys: ["Enter"], text: "x" };
      const foreign = bench.process(args, { agentId: "other" });
      await expect(foreign).rejects.toThrow(`There is no session "${String(sessionId)}". There is none at present.`);
      expect((await bench.process({ action: "list" }, { agentId: "other" })).text).toBe("No background commands.");
      expect((await bench.process({ action: "poll", sessionId })).details["status"]).toBe("running");
    },
  );
});

describe("process, other conversations of the agent", () => {
  const GUEST = { sessionKey: "agent:main:telegram:direct:7" };

  it("do not know a command, unless they may look into the one that started it", async () => {
    const seen = new Set<string>();
    await using bench = await createBench({ sees: async (_caller, key) => seen.has(key) });
    const sessionId = await start(bench, "cat");
    expect((await bench.process({ action: "list" }, GUEST)).text).toBe("No background commands.");
    for (const action of ["log", "kill"]) {
      await expect(bench.process({ action, sessionId }, GUEST)).rejects.toThrow("There is none at present.");
    }
    seen.add("agent:main:main");
    expect((await bench.process({ action: "list" }, GUEST)).text).toContain(sessionId);
    await bench.process({ action: "kill", sessionId }, GUEST);
    expect((await bench.process({ action: "poll", sessionId })).details["status"]).not.toBe("running");
  });
});

describe("process, telling of an end", () => {
  it.each([
    ["echo fine", {}, [/^Exec completed \([a-z-]{1,8}, code 0\) :: fine$/]],
    ["echo bad; exit 2", {}, [/^Exec failed \([a-z-]{1,8}, code 2\) :: bad$/]],
    ["kill -15 $$", {}, [/^Exec failed \([a-z-]{1,8}, signal SIGTERM\)$/]],
    ["seq 1000", {}, [/^Exec completed \([a-z-]{1,8}, code 0\) :: [\d\s]{390,400}$/]],
    ["true", {}, []],
    ["true", { notifyOnExitEmptySuccess: true }, [/^Exec completed \([a-z-]{1,8}, code 0\)$/]],
    ["echo fine", { notifyOnExit: false }, []],
  ])("tells of the end of %j with %j", async (command, settings, expected) => {
    await using bench = await createBench({ settings });
    await bench.follow(await start(bench, command));
    expect(bench.notices).toEqual(
      expected.map((text) =>
        expect.objectContaining({ agentId: "main", sessionKey: "agent:main:main", text: expect.stringMatching(text) }),
      ),
    );
  });

  it("does not tell of a command that somebody waited for", async () => {
    await using bench = await createBench();
    await bench.exec({ command: "echo fine" });
    expect(bench.notices).toEqual([]);
  });
});

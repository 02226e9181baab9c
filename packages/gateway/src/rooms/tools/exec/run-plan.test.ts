import { describe, expect, it } from "vitest";
import { createFakeClock } from "@chela/sdk/testing";
import { areGone, createBench, guardWith, inShell, isAlive, withoutShell } from "./bench.test-support.ts";

describe("a plan without a shell", () => {
  it.each([
    ["echo $HOME *", "$HOME *"],
    ["echo a;b `id` > x", "a;b `id` > x"],
    ["seq 3 | tac | head -n 1", "3"],
    ["true && echo yes || echo no", "yes"],
    ["false && echo yes || echo no", "no"],
    ["false || echo one ; echo two", "one\ntwo"],
    ["true || echo one ; false && echo two", "(no output)\n\n(Command exited with code 1)"],
    ["false | true", "(no output)"],
    ["/usr/bin/yes | head -n 1", "y"],
    ["seq 200000 | tail -n 1", "200000"],
    ["seq 200000 | true", "(no output)"],
    [
      "/no/such/program && echo yes",
      /^\/no\/such\/program cannot be started: .* does not exist\n\n\(Command exited with code 127\)$/,
    ],
    ["echo text | /no/such/program || echo then", /cannot be started[^]*then$/],
    ["/no/such/program | cat", /^\/no\/such\/program cannot be started/],
    ["/etc/passwd", /^\/etc\/passwd cannot be started: EACCES[^]*code 126/],
  ])("runs %j", async (command, expected) => {
    await using bench = await createBench({ guard: guardWith(withoutShell) });
    const { text } = await bench.exec({ command });
    if (typeof expected === "string") expect(text).toBe(expected);
    else expect(text).toMatch(expected);
  });

  it("gives a program the name of the plan, not that of its file", async () => {
    const program = { file: "/bin/sh", argv: ["other-name", "-c", "echo $0"] };
    for (const pty of [false, true]) {
      await using bench = await createBench({ guard: guardWith(() => ({ kind: "shell", program })) });
      expect((await bench.exec({ command: "x", pty })).text.trim()).toBe("other-name");
    }
  });

  it("survives arguments the system does not take", async () => {
    const argv = ["echo", "x".repeat(4_000_000)];
    const steps = [
      {
        when: "always" as const,
        pipeline: [
          { file: "/bin/echo", argv: ["echo", "y"] },
          { file: "/bin/echo", argv },
        ],
      },
    ];
    await using bench = await createBench({ guard: guardWith(() => ({ kind: "direct", steps })) });
    expect(await bench.exec({ command: "x" })).toMatchObject({ isError: true, details: { exitCode: 126 } });
  });

  it("begins no further step once it was stopped", async () => {
    await using bench = await createBench({ guard: guardWith(withoutShell) });
    const { details } = await bench.exec({ command: "sleep 60 ; echo next", background: true });
    const { text } = await bench.process({ action: "kill", sessionId: details["sessionId"] });
    expect(text).not.toContain("next");
  });
});

describe("a terminal", () => {
  it("has a size, a kind and a keyboard", async () => {
    await using bench = await createBench();
    const { text } = await bench.exec({ command: "tty >/dev/null && stty size && echo $TERM", pty: true });
    expect(text).toBe("30 120\r\nxterm-256color");
  });

  it("runs one step after the other, and says how they ended", async () => {
    await using bench = await createBench({ guard: guardWith(withoutShell) });
    expect((await bench.exec({ command: "echo one && echo two ; false", pty: true })).text).toBe(
      "one\r\ntwo\n\n(Command exited with code 1)",
    );
  });

  it("refuses a pipeline rather than running something else", async () => {
    await using bench = await createBench({ guard: guardWith(withoutShell) });
    await expect(bench.exec({ command: "echo one | cat", pty: true })).rejects.toThrow(/without pty/);
  });

  it("ends with its program's jobs, whatever they ignore", async () => {
    const clock = createFakeClock();
    await using bench = await createBench({ clock });
    const command = "trap '' HUP TERM; sleep 60 & echo $!; wait";
    const { details } = await bench.exec({ command, pty: true, background: true });
    const sessionId = details["sessionId"];
    const pid = Number.parseInt((await bench.process({ action: "poll", sessionId, timeout: 120_000 })).text, 10);
    const killing = bench.process({ action: "kill", sessionId });
    await clock.advance(1_999);
    expect(isAlive(pid)).toBe(true);
    await clock.advance(1);
    expect((await killing).text).toContain("(Command was killed)");
    expect(await areGone([pid])).toBe(true);
  });

  it("tells what to do when the library is missing, and runs nothing", async () => {
    const missing = () => Promise.reject(new Error("Cannot find package"));
    await using bench = await createBench({ importTerminals: missing, guard: guardWith(inShell) });
    await expect(bench.exec({ command: "true", pty: true })).rejects.toThrow(
      /@lydell\/node-pty is missing.*without pty/,
    );
    expect(bench.requests).toEqual([]);
  });
});

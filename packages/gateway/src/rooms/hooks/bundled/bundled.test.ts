// The hooks that come with the gateway, each through the front door of the room.
import { mkdirSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { BootstrapFile } from "@chela/sdk";
import { commandSignal, makePipe, openHookWorld, readText, type HookWorld } from "../hook-world.test-support.ts";

const STARTED = { name: "gateway:startup", sessionKey: "", context: { version: "1" } } as const;

function enable(world: HookWorld, name: string, settings: object = {}): void {
  world.hooks.enable(name);
  world.config = { hooks: { internal: { enabled: true, entries: { [name]: { enabled: true, ...settings } } } } };
}

test("all four are there, and off", () => {
  using world = openHookWorld();
  expect(world.hooks.list().map(({ name, state, source }) => `${source} ${name} ${state}`)).toEqual([
    "bundled boot-md off",
    "bundled bootstrap-extra-files off",
    "bundled command-logger off",
    "bundled session-memory off",
  ]);
});

test("command-logger writes a line for each command", async () => {
  using world = openHookWorld();
  enable(world, "command-logger");
  for (const action of ["new", "stop"] as const) await world.hooks.emit(commandSignal(action, world.workspace));
  const file = join(world.stateDir, "logs", "commands.log");
  const lines = readText(file)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  const common = { sessionKey: "agent:main:main", agentId: "main", senderId: "alice", source: "fake" };
  expect(lines).toEqual([
    { timestamp: "2026-01-15T12:00:00.000Z", action: "new", ...common },
    { timestamp: "2026-01-15T12:00:00.000Z", action: "stop", ...common },
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

describe("session-memory", () => {
  const memories = ({ workspace }: HookWorld) => readdirSync(join(workspace, "memory")).sort();

  test("keeps the end of the conversation under the words it began with", async () => {
    using world = openHookWorld();
    enable(world, "session-memory", { messages: 3 });
    world.remarks.push(
      { role: "user", text: "too old" },
      { role: "user", text: "Où est la gare, please? # not a heading" },
      { role: "assistant", text: "Straight ahead.\n# No heading either" },
      { role: "user", text: "Thanks" },
    );
    await world.hooks.emit(commandSignal("new", world.workspace));
    expect(memories(world)).toEqual(["2026-01-15-ou-est-la-gare-please.md"]);
    const text = readText(world.workspace, "memory", "2026-01-15-ou-est-la-gare-please.md");
    expect(text).toContain("- **Session ID**: s-1");
    expect(text).toContain("assistant: Straight ahead.\n  # No heading either\nuser: Thanks");
    expect(text).not.toContain("too old");
  });

  test("writes a conversation once, and another one beside it", async () => {
    using world = openHookWorld();
    enable(world, "session-memory");
    world.remarks.push({ role: "user", text: "日本" });
    const signal = commandSignal("reset", world.workspace);
    await world.hooks.emit(signal);
    await world.hooks.emit(signal);
    expect(memories(world)).toEqual(["2026-01-15-1200.md"]);
    const other = { ...signal, context: { ...signal.context, sessionId: "s-2" } } as typeof signal;
    await world.hooks.emit(other);
    expect(memories(world)).toEqual(["2026-01-15-1200-2.md", "2026-01-15-1200.md"]);
  });

  test("waits for no pipe and follows no link under the name it would take", async () => {
    using world = openHookWorld();
    enable(world, "session-memory");
    world.remarks.push({ role: "user", text: "hello" });
    const file = (end: string): string => join(world.workspace, "memory", `2026-01-15-hello${end}.md`);
    using _pipe = makePipe(file(""), "- **Session ID**: s-1");
    symlinkSync(world.write("outside.md", "- **Session ID**: s-1"), file("-2"));
    await world.hooks.emit(commandSignal("new", world.workspace));
    expect(statSync(file("")).isFIFO()).toBe(true);
    expect(readText(file("-3"))).toContain("user: hello");
    expect(readText(join(world.root, "outside.md"))).toBe("- **Session ID**: s-1");
  });

  test("writes nothing of nothing, nothing on /stop, and nothing outside the workspace", async () => {
    using world = openHookWorld();
    enable(world, "session-memory");
    await world.hooks.emit(commandSignal("new", world.workspace));
    world.remarks.push({ role: "user", text: "hello" });
    await world.hooks.emit(commandSignal("stop", world.workspace));
    const outside = join(world.root, "outside");
    mkdirSync(outside);
    symlinkSync(outside, join(world.workspace, "memory"));
    await world.hooks.emit(commandSignal("new", world.workspace));
    expect(readdirSync(outside)).toEqual([]);
    expect(world.hooks.info("session-memory").lastError?.error).toContain("leads out of the workspace");
  });
});

describe("boot-md", () => {
  test("gives the agent what BOOT.md says", async () => {
    using world = openHookWorld();
    enable(world, "boot-md");
    world.write("workspace/BOOT.md", "# Boot\n\nSay hello to Ada.\n");
    await world.hooks.emit(STARTED);
    expect(world.errands).toMatchObject([
      { runId: "boot:main:1768478400000", agentId: "main", sessionKey: "agent:main:boot" },
    ]);
    expect(world.errands[0]?.text).toContain("Say hello to Ada.");
  });

  test.each([
    ["empty", ""],
    ["only headings and remarks", "# Boot\n\n<!-- nothing\nyet -->\n"],
  ])("asks for nothing when it is %s", async (_how, text) => {
    using world = openHookWorld();
    enable(world, "boot-md");
    await world.hooks.emit(STARTED);
    world.write("workspace/BOOT.md", text);
    await world.hooks.emit(STARTED);
    expect(world.errands).toEqual([]);
  });
});

describe("bootstrap-extra-files", () => {
  async function given(world: HookWorld, fileSet: "full" | "minimal" | "light"): Promise<BootstrapFile[]> {
    const own = { name: "SOUL.md", path: join(world.workspace, "SOUL.md"), content: "soul" };
    const context = { agentId: "main", sessionId: "s", workspaceDir: world.workspace, fileSet, bootstrapFiles: [own] };
    await world.hooks.emit({ name: "agent:bootstrap", sessionKey: "agent:main:main", context });
    return context.bootstrapFiles;
  }

  test("adds what its patterns name, inside the workspace only", async () => {
    using world = openHookWorld();
    world.write("workspace/packages/one/AGENTS.md", "rules of one");
    world.write("workspace/packages/two/AGENTS.md", "rules of two");
    world.write("workspace/packages/two/MEMORY.md", "what I know of Ada");
    world.write("workspace/SOUL.md", "soul");
    symlinkSync(world.write("secret.md", "a secret"), join(world.workspace, "packages", "out.md"));
    enable(world, "bootstrap-extra-files", {
      paths: ["packages/*/*.md", "packages/out.md", "SOUL.md", "../secret.md", join(world.root, "secret.md")],
    });
    const names = async (set: "full" | "minimal" | "light") => (await given(world, set)).map(({ name }) => name);
    expect(await names("full")).toEqual([
      "SOUL.md",
      "packages/one/AGENTS.md",
      "packages/two/AGENTS.md",
      "packages/two/MEMORY.md",
    ]);
    expect(await names("minimal")).toEqual(["SOUL.md", "packages/one/AGENTS.md", "packages/two/AGENTS.md"]);
    expect(await names("light")).toEqual(["SOUL.md"]);
    expect(world.logged.join("\n")).toContain("leads out of the workspace");
  });
});

// Hooks in real folders: which of them run, in which order, and what they can and cannot do.
import { appendFileSync, chmodSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { BootstrapFile, HookContexts } from "@chela/sdk";
import {
  commandSignal,
  head,
  makePipe,
  openHookWorld,
  readText,
  receivedSignal,
  saying,
  type HookWorld,
} from "./hook-world.test-support.ts";

const NEW = { events: ["command:new"] };
const stateOf = ({ hooks }: HookWorld, name: string) => hooks.list().find((hook) => hook.name === name)?.state;

/** A hook of the owner's that is switched on. */
function install(world: HookWorld, name: string, handler: string, metadata: object = NEW, file = "handler.ts"): void {
  world.writeHook(`state/hooks/${name}`, { head: head(name, metadata), handler, file });
  world.hooks.enable(name);
}

describe("hooks that run", () => {
  test("hear the events they name, after they were enabled and not before", async () => {
    using world = openHookWorld();
    world.writeHook("state/hooks/greeter", { head: head("greeter", NEW), handler: saying("hello") });
    await world.hooks.emit(commandSignal("new", world.workspace));
    expect(world.said).toEqual([]);
    world.hooks.enable("greeter");
    await world.hooks.emit(commandSignal("new", world.workspace));
    await world.hooks.emit(commandSignal("reset", world.workspace));
    expect(world.said).toEqual(["agent:main:main: hello"]);
    world.hooks.disable("greeter");
    await world.hooks.emit(commandSignal("new", world.workspace));
    expect(world.said).toHaveLength(1);
  });

  test.each([
    ["handler.ts", saying("it ran")],
    ["handler.js", "export default (event) => event.messages.push('it ran');\n"],
    ["handler.mjs", "export default (event) => { event.messages.push('it ran'); };\n"],
    ["handler.js", "module.exports = (event) => { event.messages.push('it ran'); };\n"],
    ["index.ts", saying("it ran")],
  ])("may be written as %s", async (file, handler) => {
    using world = openHookWorld();
    install(world, "mine", handler, NEW, file);
    await world.hooks.emit(commandSignal("new", world.workspace));
    expect(world.said).toEqual(["agent:main:main: it ran"]);
  });

  test("are told what happened, and get their own settings", async () => {
    using world = openHookWorld();
    const handler = `export const listen = (event, hook) => {
      const { type, action, sessionKey, timestamp, context } = event;
      const seen = [type, action, sessionKey, timestamp.toISOString(), context.senderId];
      event.messages.push([...seen, hook.name, hook.settings.word, hook.env.KEY].join(" "));
    };`;
    install(world, "mine", handler, { events: ["command"], export: "listen" }, "handler.js");
    world.config = {
      hooks: { internal: { enabled: true, entries: { mine: { enabled: true, word: "yes", env: { KEY: "k" } } } } },
    };
    await world.hooks.emit(commandSignal("stop", world.workspace));
    expect(world.said).toEqual([
      "agent:main:main: command stop agent:main:main 2026-01-15T12:00:00.000Z alice mine yes k",
    ]);
  });

  test("run one after the other: the owner's before a workspace's, then by name", async () => {
    using world = openHookWorld();
    world.writeHook("workspace/hooks/alpha", { head: head("alpha", NEW), handler: saying("workspace alpha") });
    world.hooks.enable("alpha");
    for (const name of ["zeta", "beta"]) install(world, name, saying(`managed ${name}`));
    await world.hooks.emit(commandSignal("new", world.workspace));
    expect(world.said.map((line) => line.split(": ")[1])).toEqual(["managed beta", "managed zeta", "workspace alpha"]);
  });

  test("are loaded anew when the owner changes them", async () => {
    using world = openHookWorld();
    install(world, "mine", saying("first"));
    await world.hooks.emit(commandSignal("new", world.workspace));
    world.writeHook("state/hooks/mine", { handler: saying("second") });
    await world.hooks.emit(commandSignal("new", world.workspace));
    expect(world.said.map((line) => line.split(": ")[1])).toEqual(["first", "second"]);
  });

  test("may consist of several files and use libraries installed beside them", async () => {
    using world = openHookWorld();
    world.write("state/hooks/mine/node_modules/greeting/package.json", '{"name":"greeting","main":"index.js"}');
    world.write("state/hooks/mine/node_modules/greeting/index.js", "module.exports = 'from a library';");
    world.write("state/hooks/mine/words.ts", "export const word: string = 'two files';\n");
    const handler = `import greeting from "greeting";\nimport { word } from "./words.ts";
      export default (event: { messages: string[] }) => void event.messages.push(word + ", " + greeting);`;
    install(world, "mine", handler);
    await world.hooks.emit(commandSignal("new", world.workspace));
    expect(world.said).toEqual(["agent:main:main: two files, from a library"]);
  });
});

describe("a hook that fails", () => {
  test.each([
    ["throws", "export default () => { throw new Error('oh no'); };", "oh no"],
    ["rejects", "export default async () => { throw new Error('oh no'); };", "oh no"],
    ["cannot be loaded", "export default (;", ""],
    ["has no handler in it", "export const other = 1;", "has no default export that is a function"],
  ])("and %s is named, and the others go on", async (_how, handler, error) => {
    using world = openHookWorld();
    install(world, "bad", handler, { events: ["command:new"] }, "handler.js");
    install(world, "good", saying("still here"));
    const verdict = await world.hooks.emit(commandSignal("new", world.workspace));
    expect(verdict).toEqual({ kind: "go" });
    expect(world.said).toEqual(["agent:main:main: still here"]);
    expect(world.hooks.info("bad").lastError).toMatchObject({ event: "command:new" });
    expect(world.hooks.info("bad").lastError?.error).toContain(error);
    expect(world.logged.join("\n")).toContain("the hook bad failed");
  });

  test("and never ends has five seconds", async () => {
    using world = openHookWorld();
    install(world, "asleep", "export default () => new Promise(() => {});", NEW, "handler.js");
    install(world, "good", saying("still here"));
    const told = world.hooks.emit(commandSignal("new", world.workspace));
    await expect.poll(() => world.clock.waiting).toBe(1);
    await world.clock.advance(5000);
    expect(await told).toEqual({ kind: "go" });
    expect(world.said).toEqual(["agent:main:main: still here"]);
    expect(world.hooks.info("asleep").lastError?.error).toBe("it took longer than 5 seconds");
  });

  test("cannot stand in the way of a message, unless it is a guard", async () => {
    for (const [guard, kind] of [
      [false, "go"],
      [true, "veto"],
    ] as const) {
      using world = openHookWorld();
      const metadata = { events: ["message:received"], guard };
      install(world, "bad", "export default () => { throw new Error('oh no'); };", metadata, "handler.js");
      expect((await world.hooks.emit(receivedSignal())).kind).toBe(kind);
    }
  });
});

describe("a hook that decides", () => {
  const REFUSING = `export default (event) => {
    if (event.context.content.includes("secret")) event.cancel("no secrets here");
  };`;

  test("refuses a message, and those behind it are not asked", async () => {
    using world = openHookWorld();
    install(world, "a-censor", REFUSING, { events: ["message:received"] }, "handler.js");
    install(world, "b-counter", saying("counted"), { events: ["message:received"] });
    expect(await world.hooks.emit(receivedSignal("a secret"))).toEqual({
      kind: "veto",
      hook: "a-censor",
      why: "no secrets here",
    });
    expect(world.said).toEqual([]);
    expect(await world.hooks.emit(receivedSignal("news"))).toEqual({ kind: "go" });
    expect(world.said).toHaveLength(1);
  });

  test("decides nothing where there is nothing to decide", async () => {
    using world = openHookWorld();
    install(world, "mine", "export default (event) => event.cancel('never');", { events: ["command"] }, "handler.js");
    expect(await world.hooks.emit(commandSignal("new", world.workspace))).toEqual({ kind: "go" });
  });

  test("changes the files an agent is given; what one did that failed is undone", async () => {
    using world = openHookWorld();
    const adding =
      "export default (event) => { event.context.bootstrapFiles.push({ name: 'MORE.md', path: '/m', content: 'more' }); };";
    const spoiling = "export default (event) => { event.context.bootstrapFiles.length = 0; throw new Error('oops'); };";
    install(world, "a-adding", adding, { events: ["agent:bootstrap"] }, "handler.js");
    install(world, "b-spoiling", spoiling, { events: ["agent:bootstrap"] }, "handler.js");
    const context = bootstrap(world, [{ name: "SOUL.md", path: "/s", content: "soul" }]);
    await world.hooks.emit({ name: "agent:bootstrap", sessionKey: "agent:main:main", context });
    expect(context.bootstrapFiles.map(({ name }) => name)).toEqual(["SOUL.md", "MORE.md"]);
  });
});

function bootstrap({ workspace }: HookWorld, bootstrapFiles: BootstrapFile[]): HookContexts["agent:bootstrap"] {
  return { agentId: "main", sessionId: "s-1", workspaceDir: workspace, fileSet: "full", bootstrapFiles };
}

describe("hooks in a workspace", () => {
  const place = "workspace/hooks/mine";

  test("are seen and never run until the owner enables them, whatever the configuration says", async () => {
    using world = openHookWorld();
    const touched = join(world.root, "touched");
    const handler = `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(touched)}, "");\nexport default () => {};`;
    world.writeHook(place, { head: head("mine", { events: ["command", "message", "gateway"] }), handler });
    world.config = { hooks: { internal: { enabled: true, entries: { mine: { enabled: true } } } } };
    await world.hooks.emit(commandSignal("new", world.workspace));
    await world.hooks.emit(receivedSignal());
    expect(() => statSync(touched)).toThrow("ENOENT");
    expect(stateOf(world, "mine")).toBe("off");
    world.hooks.enable("mine");
    await world.hooks.emit(commandSignal("new", world.workspace));
    expect(statSync(touched).isFile()).toBe(true);
  });

  test.each([
    ["the handler", (world: HookWorld) => world.writeHook(place, { handler: saying("evil") })],
    ["HOOK.md", (world: HookWorld) => world.writeHook(place, { head: head("mine", { events: ["message"] }) })],
    ["a file that was added", (world: HookWorld) => world.write(`${place}/lib/more.ts`, "export {};")],
    ["a library that was added", (world: HookWorld) => world.write(`${place}/node_modules/x/index.js`, "")],
  ])("are off again after a change of %s, also after a restart", async (_what, change) => {
    using world = openHookWorld();
    world.writeHook(place, { head: head("mine", NEW), handler: saying("as it was") });
    world.hooks.enable("mine");
    await world.hooks.emit(commandSignal("new", world.workspace));
    expect(world.said).toEqual(["agent:main:main: as it was"]);
    change(world);
    await world.hooks.emit(commandSignal("new", world.workspace));
    await world.restart().emit(commandSignal("new", world.workspace));
    expect(world.said).toHaveLength(1);
    expect(world.hooks.info("mine")).toMatchObject({
      state: "changed",
      why: expect.stringContaining("enable it again"),
    });
    expect(world.logged.join("\n")).toContain("the hook mine does not run");
    world.hooks.enable("mine");
    expect(stateOf(world, "mine")).toBe("on");
  });

  test("are kept by the digest of their files in a private file", () => {
    using world = openHookWorld();
    world.writeHook(place, { head: head("mine", NEW), handler: saying("x") });
    world.hooks.enable("mine");
    const file = join(world.stateDir, "hooks", "enabled.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readText(file)).hooks.mine).toMatchObject({
      directory: join(world.workspace, "hooks", "mine"),
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    world.hooks.disable("mine");
    expect(JSON.parse(readText(file)).hooks).toEqual({});
  });

  test("never take the name of another hook", async () => {
    using world = openHookWorld();
    install(world, "mine", saying("the owner's"));
    world.writeHook(place, { head: head("mine", NEW), handler: saying("evil") });
    world.writeHook("workspace/hooks/x", { head: head("command-logger", NEW), handler: saying("evil") });
    world.writeHook("workspace/hooks/y", {
      head: head("other", { ...NEW, hookKey: "mine" }),
      handler: saying("evil"),
    });
    world.hooks.enable("command-logger");
    await world.hooks.emit(commandSignal("new", world.workspace));
    expect(world.said).toEqual(["agent:main:main: the owner's"]);
    const rows = world.hooks.list().map(({ name, source, state }) => `${name} ${source} ${state}`);
    expect(rows).toContain("mine workspace shadowed");
    expect(rows).toContain("command-logger workspace shadowed");
    expect(rows).toContain("command-logger bundled on");
    expect(rows).toContain("other workspace off");
  });

  test("hear only of the agents whose workspace it is", async () => {
    using world = openHookWorld();
    world.writeHook(place, { head: head("mine", NEW), handler: saying("heard") });
    world.hooks.enable("mine");
    await world.hooks.emit(commandSignal("new", "/elsewhere", "other"));
    expect(world.said).toEqual([]);
    await world.hooks.emit(commandSignal("new", world.workspace));
    expect(world.said).toEqual(["agent:main:main: heard"]);
  });

  test.each<[string, (world: HookWorld, outside: string) => void, RegExp]>([
    [
      "whose handler is a link that leads out",
      (world, outside) => {
        world.writeHook(place, { head: head("mine", NEW) });
        symlinkSync(join(outside, "handler.ts"), join(world.root, place, "handler.ts"));
      },
      /no handler/,
    ],
    [
      "with another file that is a link that leads out",
      (world, outside) => {
        world.writeHook(place, { head: head("mine", NEW), handler: saying("x") });
        symlinkSync(join(outside, "handler.ts"), join(world.root, place, "lib.ts"));
      },
      /lib\.ts is a link that leads out/,
    ],
    [
      "with a folder that is a link",
      (world, outside) => {
        world.writeHook(place, { head: head("mine", NEW), handler: saying("x") });
        symlinkSync(outside, join(world.root, place, "lib"));
      },
      /file lib is a link that leads out/,
    ],
    [
      "that are links themselves",
      (world, outside) => {
        mkdirSync(join(world.workspace, "hooks"));
        symlinkSync(outside, join(world.root, place));
      },
      /is a link/,
    ],
  ])("are refused %s", (_what, prepare, why) => {
    using world = openHookWorld();
    const outside = world.writeHook("outside", { head: head("mine", NEW), handler: saying("from outside") });
    prepare(world, outside);
    expect(() => world.hooks.enable("mine")).toThrow(why);
    expect(stateOf(world, "mine")).not.toBe("on");
  });

  test("are refused when they hold more than anybody can look at", () => {
    using world = openHookWorld();
    world.writeHook(place, { head: head("mine", NEW), handler: saying("x") });
    for (let count = 0; count < 600; count++) mkdirSync(join(world.root, place, `d${count}`));
    expect(() => world.hooks.enable("mine")).toThrow(/more than 500 files or 8 MB/);
  });

  test("whose description is a pipe are not waited for", () => {
    using world = openHookWorld();
    using _pipe = makePipe(join(world.workspace, "hooks", "piped", "HOOK.md"), head("piped", NEW));
    const [found] = world.hooks.list().filter(({ name }) => name === "piped");
    expect(found?.state).toBe("broken");
    expect(found?.why).toBe("HOOK.md is not a regular file.");
  });

  test("whose description leads to something huge inside their folder are not read", () => {
    using world = openHookWorld();
    world.write("workspace/hooks/large/all.md", head("large", NEW) + "x".repeat(300_000));
    symlinkSync("all.md", join(world.workspace, "hooks", "large", "HOOK.md"));
    const [found] = world.hooks.list().filter(({ name }) => name === "large");
    expect(found?.why).toBe("HOOK.md is larger than 256 KB.");
  });

  test("are not even seen when the folder of all hooks is a link that leads out", () => {
    using world = openHookWorld();
    world.writeHook("outside/mine", { head: head("mine", NEW), handler: saying("x") });
    symlinkSync(join(world.root, "outside"), join(world.workspace, "hooks"));
    expect(stateOf(world, "mine")).toBeUndefined();
  });

  test("cannot be changed between the look at them and their loading", async () => {
    using world = openHookWorld();
    world.writeHook(place, { head: head("mine", NEW), handler: saying("as it was") });
    world.hooks.enable("mine");
    await world.hooks.emit(commandSignal("new", world.workspace));
    // What runs lies where agents do not write, and imports only what was copied with it.
    const [copy = ""] = (await import("node:fs")).readdirSync(join(world.stateDir, "hooks", ".loaded"));
    expect(readText(world.stateDir, "hooks", ".loaded", copy, "handler.ts")).toContain("as it was");
  });

  test("that guard keep guarding when somebody changes or removes them", async () => {
    const guard = { events: ["message:received"], guard: true };
    for (const tamper of [
      (world: HookWorld) => world.writeHook(place, { handler: saying("open") }),
      (world: HookWorld) => world.writeHook(place, { head: head("mine", { events: ["command:new"] }) }),
      (world: HookWorld) => world.write(`${place}/HOOK.md`, "nothing"),
      (world: HookWorld) => rmSync(join(world.root, place), { recursive: true }),
      (world: HookWorld) => renameSync(join(world.root, place), `${join(world.root, place)}-old`),
    ]) {
      using world = openHookWorld();
      world.writeHook(place, { head: head("mine", guard), handler: "export default () => {};" });
      world.hooks.enable("mine");
      expect((await world.hooks.emit(receivedSignal())).kind).toBe("go");
      tamper(world);
      expect(await world.hooks.emit(receivedSignal())).toMatchObject({ kind: "veto", hook: "mine" });
      expect((await world.restart().emit(receivedSignal())).kind).toBe("veto");
      world.hooks.disable("mine");
      expect((await world.hooks.emit(receivedSignal())).kind).toBe("go");
    }
  });
});

describe("what hooks need", () => {
  test.each<[string, object, object, RegExp]>([
    ["a program", { bins: ["frobnicate"] }, {}, /Programs are missing: frobnicate/],
    ["one of several programs", { anyBins: ["a1", "b1"] }, {}, /One of these programs is needed: a1, b1/],
    ["a variable", { env: ["SOME_KEY"] }, {}, /Environment variables are not set: SOME_KEY/],
    ["a setting", { config: ["browser.enabled"] }, {}, /Settings are missing or off: browser.enabled/],
    ["another system", { os: ["darwin"] }, {}, /It runs on darwin only/],
    ["another system, always", { os: ["darwin"] }, { always: true }, /It runs on darwin only/],
    ["a program by its path", { bins: ["../../bin/sh"] }, {}, /Programs are missing/],
  ])("is told when it is missing: %s", (_what, requires, more, why) => {
    using world = openHookWorld();
    const metadata = { ...NEW, ...more, requires };
    world.writeHook("state/hooks/mine", { head: head("mine", metadata), handler: saying("x") });
    expect(world.hooks.info("mine")).toMatchObject({
      state: "missing",
      eligible: false,
      why: expect.stringMatching(why),
    });
    expect(() => world.hooks.enable("mine")).toThrow(why);
  });

  test("is there", () => {
    using world = openHookWorld();
    chmodSync(world.write("bin/frobnicate", "#!/bin/sh\n"), 0o755);
    world.config = {
      hooks: { internal: { entries: { mine: { env: { SOME_KEY: "k" } } } } },
      browser: { enabled: true },
    } as typeof world.config;
    const requires = {
      bins: ["frobnicate"],
      anyBins: ["nope", "frobnicate"],
      env: ["SOME_KEY"],
      config: ["browser.enabled", "workspace.dir"],
      os: ["linux"],
    };
    world.writeHook("state/hooks/mine", { head: head("mine", { ...NEW, requires }), handler: saying("x") });
    expect(world.hooks.info("mine")).toMatchObject({ state: "off", eligible: true });
  });
});

test("all are off while the switch for all of them is", async () => {
  using world = openHookWorld();
  install(world, "mine", saying("x"));
  world.config = { hooks: { internal: { enabled: false, entries: { mine: { enabled: true } } } } };
  await world.hooks.emit(commandSignal("new", world.workspace));
  expect(world.said).toEqual([]);
  expect(world.hooks.info("mine")).toMatchObject({
    state: "off",
    why: expect.stringContaining("hooks.internal.enabled"),
  });
});

test("a hook nobody has is named in the answer", () => {
  using world = openHookWorld();
  for (const name of ["nobody", "__proto__", "constructor", "../../etc"]) {
    expect(() => world.hooks.enable(name)).toThrow(`There is no hook named "${name}"`);
  }
});

test("places named in the configuration hold hooks, too, and take no name from others", () => {
  using world = openHookWorld({ extraDirs: () => [join(place(), "extra")] });
  function place(): string {
    return world.root;
  }
  world.writeHook("extra/more", { head: head("more", NEW), handler: saying("x") });
  world.writeHook("extra/session-memory", { head: head("session-memory", NEW), handler: saying("x") });
  const rows = world.hooks.list().map(({ name, source, state }) => `${name} ${source} ${state}`);
  expect(rows).toContain("more extra off");
  expect(rows).toContain("session-memory extra shadowed");
});

test("what happens in one conversation is told in order", async () => {
  using world = openHookWorld();
  const handler = "export default (event) => { event.messages.push(event.action); };";
  install(world, "mine", handler, { events: ["command"] }, "handler.js");
  const actions = ["new", "stop", "reset"] as const;
  await Promise.all(actions.map((action) => world.hooks.emit(commandSignal(action, world.workspace))));
  expect(world.said.map((line) => line.split(": ")[1])).toEqual([...actions]);
  appendFileSync(join(world.stateDir, "hooks", "mine", "handler.js"), "\n");
  await world.hooks.emit(commandSignal("new", world.workspace));
  expect(world.said).toHaveLength(4);
});

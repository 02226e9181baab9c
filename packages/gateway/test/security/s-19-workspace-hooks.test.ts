// S-19: what lies in a workspace is nothing the gateway runs, unless its owner looked at exactly that and said so.
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { callTool, createFakeClock, say } from "@chela/sdk/testing";
import { createStateDirectory, eventually, startTestGateway, type TestGateway } from "../support/in-process.ts";
import { createTestDevice, type Json } from "../support/wire-client.ts";

const EVENTS = ["command", "session", "agent", "gateway", "message"];
const enabled = (...names: string[]): Json => ({
  hooks: { internal: { enabled: true, entries: Object.fromEntries(names.map((name) => [name, { enabled: true }])) } },
});

/** Leaves a mark wherever it is loaded, and another whenever it is called. */
const hostile = (mark: string): string =>
  `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(mark)}, "loaded");\nexport default () => writeFileSync(${JSON.stringify(mark)}, "called");\n`;

function writeHook(folder: string, name: string, handler: string, more: Json = {}): void {
  mkdirSync(folder, { recursive: true });
  const metadata = JSON.stringify({ openclaw: { events: EVENTS, ...more } });
  writeFileSync(join(folder, "HOOK.md"), `---\nname: ${name}\nmetadata: ${metadata}\n---\n`);
  writeFileSync(join(folder, "handler.ts"), handler);
}

async function live(gateway: TestGateway): Promise<void> {
  const client = await gateway.connect();
  await client.chat("hello");
  await client.chat("/new");
  await client.call("hooks.list");
}

describe("a hostile workspace", () => {
  test("runs nothing, whatever names it takes and whatever the configuration enables", async () => {
    const names = ["evil", "session-memory", "command-logger", "boot-md"];
    using state = createStateDirectory(enabled(...names));
    const mark = join(state.path, "mark");
    const hooks = join(state.path, "workspace", "hooks");
    for (const name of names) writeHook(join(hooks, name), name, hostile(mark), { always: true, hookKey: "boot-md" });
    writeHook(join(state.path, "elsewhere"), "linked", hostile(mark));
    symlinkSync(join(state.path, "elsewhere"), join(hooks, "linked"));
    await using gateway = await startTestGateway({ stateDir: state.path });
    await live(gateway);
    expect(existsSync(mark)).toBe(false);
    const { hooks: rows } = await (await gateway.connect()).call("hooks.list");
    const told = rows.map(({ name, source, state: how }: Json) => `${name} ${source} ${how}`);
    expect(told).toEqual(
      expect.arrayContaining([
        "session-memory bundled on",
        "evil workspace off",
        "session-memory workspace shadowed",
        "linked workspace broken",
      ]),
    );
  });

  test("is not let in by somebody who may not administer, nor by a chat", async () => {
    using state = createStateDirectory({ commands: { config: true } });
    const mark = join(state.path, "mark");
    writeHook(join(state.path, "workspace", "hooks", "evil"), "evil", hostile(mark));
    await using gateway = await startTestGateway({ stateDir: state.path });
    const scopes = ["operator.read", "operator.write", "operator.approvals", "operator.pairing"];
    const writer = await gateway.connect({ device: createTestDevice(), scopes });
    await expect(writer.call("hooks.enable", { name: "evil" })).rejects.toThrow("missing scope: operator.admin");
    const owner = await gateway.connect();
    for (const path of ["hooks.internal.enabled=true", 'hooks.internal.load.extraDirs=["/tmp"]', "hooks={}"]) {
      await owner.chat(`/config set ${path}`);
    }
    await owner.chat("/config set messages.responsePrefix=hey");
    expect(gateway.gateway.config.current().messages?.responsePrefix).toBe("hey");
    expect(gateway.gateway.config.current().hooks).toBeUndefined();
    await live(gateway);
    expect(existsSync(mark)).toBe(false);
  });

  test("cannot change a hook that was enabled: what an agent writes into it switches it off", async () => {
    using state = createStateDirectory();
    const mark = join(state.path, "mark");
    const folder = join(state.path, "workspace", "hooks", "mine");
    writeHook(folder, "mine", "export default () => {};\n");
    await using gateway = await startTestGateway({ stateDir: state.path });
    const client = await gateway.connect();
    expect((await client.call("hooks.enable", { name: "mine" })).hook).toMatchObject({ state: "on" });
    await client.chat("hello");
    gateway.model.script(callTool("write", { path: "hooks/mine/handler.ts", content: hostile(mark) }), say("done"));
    await client.chat("change your hook");
    await live(gateway);
    expect(existsSync(mark)).toBe(false);
    expect((await client.call("hooks.info", { name: "mine" })).hook).toMatchObject({ state: "changed" });
    expect(gateway.readLog()).toContain("the hook mine does not run");
  });
});

describe("a hook that was enabled and misbehaves", () => {
  test.each([
    ["throws", 'export default () => { throw new Error("oh no"); };\n'],
    ["cannot be parsed", "export default (;\n"],
    ["ends with an error while it is loaded", 'throw new Error("oh no");\n'],
  ])("and %s does not break a turn", async (_how, handler) => {
    using state = createStateDirectory(enabled("bad"));
    writeHook(join(state.path, "hooks", "bad"), "bad", handler);
    await using gateway = await startTestGateway({ stateDir: state.path });
    await live(gateway);
    const { hook } = await (await gateway.connect()).call("hooks.info", { name: "bad" });
    expect(hook.lastError.error).not.toBe("");
  });

  test("and never ends holds up a message for five seconds, and no longer", async () => {
    using state = createStateDirectory(enabled("asleep"));
    writeHook(join(state.path, "hooks", "asleep"), "asleep", "export default () => new Promise(() => {});\n", {
      events: ["message:received"],
    });
    const clock = createFakeClock(Date.now());
    await using gateway = await startTestGateway({ stateDir: state.path, clock });
    const client = await gateway.connect();
    let answer: string | undefined;
    void client.agent("hello").then((text) => (answer = text));
    await eventually("it is answered", async () => {
      await clock.advance(1000);
      return answer;
    });
    expect(answer).toContain("hello");
    const { hook } = await client.call("hooks.info", { name: "asleep" });
    expect(hook.lastError.error).toBe("it took longer than 5 seconds");
  });
});

// Commands about hooks: the same with a gateway and without one.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Household } from "../support/durability/child-gateway.ts";

/** What a person reads; notes on stderr count as a failure. */
async function told(home: Household, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await home.chela("hooks", ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

describe.each(["with a gateway", "without a gateway"])("hooks, %s", (how) => {
  const home = new Household(how === "without a gateway" ? { OPENCLAW_GATEWAY_PORT: "9" } : {});
  const folder = join(home.stateDir, "workspace", "hooks", "greeter");
  const handler = join(folder, "handler.ts");
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "HOOK.md"),
      "---\nname: greeter\ndescription: Says hello\nmetadata:\n  openclaw:\n    emoji: 👋\n    events: [command:new]\n    requires:\n      env: [PATH]\n---\n",
    );
    writeFileSync(handler, "export default () => {};\n");
    if (how === "with a gateway") await home.startGateway();
  });
  afterAll(() => home[Symbol.asyncDispose]());

  it("are listed, for people and for programs", async () => {
    expect(await told(home, "list")).toMatch(
      /^HOOK +STATE +SOURCE +EVENTS\n🚀 boot-md +off +bundled +gateway:startup\n[^]*👋 greeter +off +workspace +command:new\n$/,
    );
    const { hooks } = JSON.parse(await told(home, "list", "--json")) as { hooks: Array<{ name: string }> };
    expect(hooks.map(({ name }) => name)).toEqual([
      "boot-md",
      "bootstrap-extra-files",
      "command-logger",
      "session-memory",
      "greeter",
    ]);
    expect(await told(home, "check")).toBe("5 of 5 hooks could run.\n");
    expect(JSON.parse(await told(home, "check", "--json"))).toMatchObject({ total: 5, notEligible: [] });
  });

  it("are switched on and off, and one in a workspace is off again when its files change", async () => {
    expect(await told(home, "enable", "command-logger")).toBe(
      "Enabled command-logger: it hears command:new, command:reset, command:stop, command:given.\n",
    );
    expect(await told(home, "disable", "command-logger")).toBe("Disabled command-logger.\n");
    expect(await told(home, "enable", "greeter")).toBe(
      "Enabled greeter: it hears command:new. When its files change, it has to be enabled again.\n",
    );
    expect(await told(home, "info", "greeter")).toMatch(
      /^👋 greeter\nSays hello\n {2}State +on\n {2}Source +workspace\n {2}Path +\S+greeter\n {2}Events +command:new\n {2}Needs +env PATH\n$/,
    );
    writeFileSync(handler, "export default () => 1;\n");
    expect(await told(home, "list", "--verbose")).toMatch(/greeter +changed[^\n]*\n {2}Its files changed/);
    expect(JSON.parse(await told(home, "info", "greeter", "--json"))).toMatchObject({
      state: "changed",
      enabled: true,
    });
    const config = JSON.parse(readFileSync(join(home.stateDir, "openclaw.json"), "utf8")) as Record<string, unknown>;
    expect(config["hooks"]).toEqual({
      internal: { enabled: true, entries: { "command-logger": { enabled: false }, greeter: { enabled: true } } },
    });
  });

  it("that nobody has are named", async () => {
    expect(await home.chela("hooks", "enable", "nobody")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/There is no hook named "nobody"[^]*`chela hooks list`/),
    });
  });
});

it("a failure that a hook did not wait for is told in the log, and ends nothing", async () => {
  await using home = new Household();
  const folder = join(home.stateDir, "hooks", "careless");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "HOOK.md"),
    "---\nname: careless\ndescription: Forgets\nmetadata:\n  openclaw:\n    events: [gateway:startup]\n---\n",
  );
  writeFileSync(join(folder, "handler.ts"), 'export default () => void Promise.reject(new Error("forgotten"));\n');
  await told(home, "enable", "careless");
  await home.startGateway();
  await expect.poll(async () => (await home.chela("logs", "--plain")).stdout).toMatch(/nobody waited for[^]*forgotten/);
  expect(await home.chela("health")).toMatchObject({ code: 0 });
});

// Transforms run from their folder and from nowhere else, and what goes wrong in them stays in the log.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openWorld, withToken, type WebhookWorld } from "../webhook-world.test-support.ts";

const GOOD = "export default ({ payload }) => ({ message: `shaped ${payload.n}`, allowUnsafeExternalContent: true });";

function openShaped(module: string, over: { transformsDir?: string; exportName?: string } = {}): WebhookWorld {
  const { transformsDir, exportName } = over;
  const transform = { module, export: exportName };
  return openWorld({ transformsDir, mappings: [{ match: { path: "m" }, messageTemplate: "plain", transform }] });
}
const place = (world: WebhookWorld, path: string, text = GOOD): string => {
  const file = join(world.configDir, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
  return file;
};
const post = (world: WebhookWorld) => world.post("m", { body: '{"n":1}', headers: withToken });
const text = (world: WebhookWorld): unknown => world.errands.at(-1)?.work["text"];

describe("a transform", () => {
  it.each([
    ["shape.mjs", GOOD, undefined],
    ["deep/shape.mjs", GOOD, undefined],
    [
      "shape.ts",
      "export const transform = ({ payload }: { payload: { n: number } }) => ({ message: `shaped ${payload.n}`, allowUnsafeExternalContent: true });",
      undefined,
    ],
    ["shape.mjs", GOOD.replace("default", "const named ="), "named"],
    ["shape.mjs", GOOD.replace("=> (", "=> Promise.resolve(").replace(/;$/, ";"), undefined],
  ])("%s says what an agent is told", async (module, source, exportName) => {
    using world = openShaped(module, exportName ? { exportName } : {});
    place(world, `hooks/transforms/${module}`, source);
    expect((await post(world)).status).toBe(200);
    expect(text(world)).toBe("shaped 1");
  });

  it("may lie in another folder below hooks", async () => {
    using world = openShaped("shape.mjs", { transformsDir: "hooks/mine" });
    place(world, "hooks/mine/shape.mjs");
    expect((await post(world)).status).toBe(200);
  });

  it("that was changed is another one", async () => {
    using world = openShaped("shape.mjs");
    place(world, "hooks/transforms/shape.mjs");
    await post(world);
    place(world, "hooks/transforms/shape.mjs", GOOD.replace("shaped", "reshaped"));
    await post(world);
    expect(text(world)).toBe("reshaped 1");
  });

  it.each([
    ["../outside.mjs"],
    ["../../outside.mjs"],
    ["deep/../../outside.mjs"],
    ["link.mjs"],
    ["linked/outside.mjs"],
    ["ABSOLUTE"],
    ["gone.mjs"],
    ["."],
    ["shape.json"],
    ["nul\u0000l.mjs"],
  ])("that is named %s is not run", async (written) => {
    using world = openShaped(written === "ABSOLUTE" ? "/dev/null/outside.mjs" : written);
    const outside = place(
      world,
      "hooks/outside.mjs",
      'globalThis.__outsideRan = true; export default () => ({ message: "out" });',
    );
    place(world, "outside.mjs", 'globalThis.__outsideRan = true; export default () => ({ message: "out" });');
    place(world, "hooks/transforms/shape.json", "{}");
    place(world, "hooks/transforms/deep/x.mjs");
    symlinkSync(outside, join(world.configDir, "hooks/transforms/link.mjs"));
    symlinkSync(join(world.configDir, "hooks"), join(world.configDir, "hooks/transforms/linked"));
    expect(await post(world)).toMatchObject({ status: 500, body: '{"ok":false,"error":"hook mapping failed"}' });
    expect((globalThis as { __outsideRan?: boolean }).__outsideRan).toBeUndefined();
    expect(world.errands).toEqual([]);
  });

  it.each([["workspace"], ["../elsewhere"], ["/tmp"], ["hooks/../workspace"], ["hooks/away"]])(
    "in the folder %s is not run",
    async (transformsDir) => {
      using world = openShaped("shape.mjs", { transformsDir });
      place(world, "workspace/shape.mjs");
      symlinkSync(join(world.configDir, "workspace"), join(world.configDir, "hooks/away"));
      expect((await post(world)).status).toBe(500);
    },
  );

  it.each([
    ["throws", 'export default () => { throw new Error("inner words"); };'],
    ["is no function", "export default 5;"],
    ["cannot be read", "export default ("],
    ["gives a text", 'export default () => "inner words";'],
    ["gives something of a wrong kind", "export default () => ({ deliver: 'inner words' });"],
  ])("that %s says nothing to the sender, and why to the log", async (_what, source) => {
    using world = openShaped("shape.mjs");
    place(world, "hooks/transforms/shape.mjs", source);
    expect((await post(world)).body).toBe('{"ok":false,"error":"hook mapping failed"}');
    expect(world.log.join()).toContain("shape.mjs");
  });

  it("that gives null drops the request", async () => {
    using world = openShaped("shape.mjs");
    place(world, "hooks/transforms/shape.mjs", "export default () => null;");
    expect((await post(world)).status).toBe(204);
    expect(world.errands).toEqual([]);
  });

  it("that never ends is given up", async () => {
    using world = openShaped("shape.mjs");
    place(
      world,
      "hooks/transforms/shape.mjs",
      "export default (call) => { call.headers['x-began'](); return new Promise(() => {}); };",
    );
    const began = Promise.withResolvers<void>();
    const headers = { ...withToken, "x-began": (() => began.resolve()) as never };
    const answer = world.post("m", { headers });
    await began.promise;
    await world.clock.advance(10_000);
    expect((await answer).status).toBe(500);
    expect(world.log.join()).toContain("did not end within 10 seconds");
  });

  it("may choose a conversation only where a template may", async () => {
    using world = openShaped("shape.mjs");
    place(world, "hooks/transforms/shape.mjs", 'export default ({ payload }) => ({ sessionKey: "agent:main:main" });');
    expect(await post(world)).toMatchObject({
      status: 400,
      body: expect.stringContaining("sessionKey must start with"),
    });
  });
});

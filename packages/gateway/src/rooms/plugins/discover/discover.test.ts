// Where plugins are found, what of odd manifests is read, and what is never touched.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { discover, type PluginPlaces } from "./discover.ts";
import { checkSafety } from "./find-danger.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "chela-discover-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true, mode: 0o755 });
    writeFileSync(join(root, name), text, { mode: 0o644 });
  }
}

const look = (places: Partial<PluginPlaces> = {}) =>
  discover({ config: [], workspaces: [], global: [join(root, "global")], installed: [], bundled: [], ...places });

const manifest = (id: string, more: object = {}): string => JSON.stringify({ id, configSchema: {}, ...more });

describe("the places of plugins", () => {
  it("are looked at in their order: configuration, workspaces, state directory, what comes along", () => {
    put({
      "named/openclaw.plugin.json": manifest("a"),
      "named/index.ts": "",
      "work/.openclaw/extensions/a/openclaw.plugin.json": manifest("a"),
      "work/.openclaw/extensions/a/index.ts": "",
      "work/.openclaw/extensions/loose.ts": "",
      "global/b/index.js": "",
      "bundled/c/openclaw.plugin.json": manifest("c"),
      "bundled/c/index.js": "",
    });
    const found = look({
      config: [join(root, "named")],
      workspaces: [{ path: join(root, "work"), agentIds: ["main"] }],
      bundled: [join(root, "bundled")],
    });
    expect(found.map(({ id, origin }) => [id, origin])).toEqual([
      ["a", "config"],
      ["a", "workspace"],
      ["loose", "workspace"],
      ["b", "global"],
      ["c", "bundled"],
    ]);
  });

  it.each<[string, Record<string, string>, object[]]>([
    [
      "a path that holds plugins",
      { "global/x/openclaw.plugin.json": manifest("x"), "global/x/index.ts": "" },
      [{ id: "x" }],
    ],
    [
      "what was compiled before what it was written in",
      {
        "global/x/package.json":
          '{"name":"@me/x","openclaw":{"extensions":["./index.ts"],"runtimeExtensions":["./dist/index.js"]}}',
        "global/x/index.ts": "",
        "global/x/dist/index.js": "",
      },
      [{ id: "x", entry: expect.stringMatching(/dist\/index\.js$/) }],
    ],
    [
      "what was meant where the source is missing",
      { "global/x/package.json": '{"openclaw":{"extensions":["./index.ts"]}}', "global/x/dist/index.js": "" },
      [{ id: "x", entry: expect.stringMatching(/dist\/index\.js$/) }],
    ],
    [
      "a package of several plugins",
      {
        "global/p/package.json": '{"name":"pack","openclaw":{"extensions":["./one.ts","./two.ts"]}}',
        "global/p/one.ts": "",
        "global/p/two.ts": "",
      },
      [{ id: "pack/one" }, { id: "pack/two" }],
    ],
    [
      "a manifest with odd keys, and none of them a reason to refuse it",
      {
        "global/x/openclaw.plugin.json":
          '{"id":"x","name":7,"channels":"irc","kind":"tool","configSchema":"./s.json","tools":[{}],}',
        "global/x/index.ts": "",
      },
      [
        {
          id: "x",
          manifest: expect.objectContaining({ channels: ["irc"], kinds: ["tool"] }),
          warnings: expect.arrayContaining([expect.stringContaining("configSchema")]),
        },
      ],
    ],
    [
      "a manifest that cannot be read",
      { "global/x/openclaw.plugin.json": "{", "global/x/index.ts": "" },
      [{ id: "x", trouble: { kind: "broken" } }],
    ],
    [
      "a manifest without a module",
      { "global/x/openclaw.plugin.json": manifest("x") },
      [{ id: "x", trouble: { kind: "broken" } }],
    ],
    [
      "an id that could be a path",
      { "global/x/openclaw.plugin.json": manifest("../../y"), "global/x/index.ts": "" },
      [{ id: "x" }],
    ],
    ["a folder that is none", { "global/x/notes.txt": "" }, []],
    [
      "a bundle of Claude Code",
      {
        "global/x/.claude-plugin/plugin.json": '{"name":"helper"}',
        "global/x/skills/s/SKILL.md": "",
        "global/x/commands/c.md": "",
        "global/x/.mcp.json": '{"mcpServers":{"m":{}}}',
        "global/x/agents/a.md": "",
      },
      [
        {
          id: "helper",
          bundle: {
            of: "claude",
            skills: ["skills/s"],
            commands: ["commands/c.md"],
            mcpServers: ["m"],
            unused: ["agents"],
          },
        },
      ],
    ],
    [
      "a native plugin that is a bundle, too",
      {
        "global/x/openclaw.plugin.json": manifest("x"),
        "global/x/index.ts": "",
        "global/x/.codex-plugin/plugin.json": "{}",
      },
      [{ id: "x", entry: expect.any(String) }],
    ],
  ])("%s", (_, files, wanted) => {
    put(files);
    const found = look();
    expect(found).toHaveLength(wanted.length);
    expect(found).toEqual(wanted.map((one) => expect.objectContaining(one instanceof Object ? asymmetric(one) : one)));
  });
});

function asymmetric(wanted: object): object {
  return Object.fromEntries(
    Object.entries(wanted).map(([key, value]) => [
      key,
      typeof value === "object" && value !== null && !Array.isArray(value) && !("asymmetricMatch" in value)
        ? expect.objectContaining(value)
        : value,
    ]),
  );
}

describe("what is never touched", () => {
  it("is a link out of its place, what everybody may write, and what belongs to somebody else", () => {
    put({ "away/index.ts": "", "global/open/index.ts": "", "global/mine/index.ts": "" });
    symlinkSync(join(root, "away"), join(root, "global/link"));
    symlinkSync(join(root, "nowhere"), join(root, "global/dead"));
    chmodSync(join(root, "global/open"), 0o777);
    const reasons = look().map(({ id, trouble }) => [id, trouble?.kind === "blocked" ? trouble.reason : trouble?.kind]);
    expect(reasons).toEqual([
      ["dead", "path_stat_failed"],
      ["link", "source_escapes_root"],
      ["mine", undefined],
      ["open", "path_world_writable"],
    ]);
    const uid = process.getuid?.() ?? 0;
    const asked = checkSafety({ path: join(root, "global/mine"), origin: "global", within: undefined }, uid + 1);
    expect(uid === 0 ? "root may" : asked).toEqual(
      uid === 0 ? "root may" : expect.objectContaining({ reason: "path_suspicious_ownership" }),
    );
  });
});

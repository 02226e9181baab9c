// The text of a configuration: read, with its includes and variables, checked, and every complaint placed.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readConfig, readLeniently } from "../../packages/gateway/src/rooms/config/read/load.ts";
import { parsePath } from "../../packages/gateway/src/rooms/config/edit/path.ts";
import { promise, type OpenTarget, type Target } from "../target.ts";

const CANARY = "canary-value-of-a-variable";

export const configText: Target = {
  name: "config-text",
  promises:
    "Reading never fails: what is wrong is a list of complaints with places that can be read again, which never quote a variable's value. Only files of the directory are included.",
  kind: "text",
  seeds: () => [
    '{ gateway: { port: 18789, auth: { mode: "token", token: "${SECRET}" } }, agents: { defaults: { model: "a/b" } } }',
    '{\n  // a comment\n  "agents": { "list": [ { "id": "main", "workspace": "~/x", }, { id: "second" } ] },\n  $include: "./more.json5",\n}',
    '{ $include: ["more.json5", "../outside.json", "circle.json5"], channels: { telegram: { enabled: true, botToken: "$${LITERAL}" } } }',
    "{ tools: { exec: { security: 'allowlist', ask: \"on-miss\" } }, hooks: { enabled: true, token: 'x', mappings: [{ match: { path: 'a' } }] } }",
    '{ session: { dmScope: "main", maintenance: { pruneAfter: "30d", maxEntries: 0x10 } }, cron: { enabled: +1 }, logging: { level: .5 } }',
    '{ models: { providers: { x: { baseUrl: "https://user:pass@host/", apiKey: { source: "env", provider: "default", id: "SECRET" }, models: [] } } } }',
    '{ agents: { defaults: { sandbox: { mode: "all", docker: { binds: ["/a:/b:ro"], memory: "1g" } } } }, browser: {}, messages: { queue: { mode: "steer" } } }',
    "",
  ],
  words: [
    ..."$include ${SECRET} $${ ${vault:x} vault:x // /* */ \\\n __proto__ constructor agents gateway channels models tools".split(
      " ",
    ),
    ..."hooks cron session messages logging list defaults mode token true null Infinity -NaN 0x1F '\\'' \u2028 main".split(
      " ",
    ),
  ],
  open: openReader,
};

function openReader(): OpenTarget {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "chela-fuzz-")));
  const home = join(root, "state");
  const configPath = join(home, "openclaw.json");
  writeAll(root, {
    "outside.json": '{"outside": 1}',
    "state/more.json5": '{ logging: { level: "debug" }, agents: { list: [{ id: "third" }] } }',
    "state/circle.json5": '{ $include: "circle.json5" }',
  });
  const surroundings = { configPath, env: { SECRET: CANARY, HOME: home }, envFile: { OTHER: CANARY } };
  return {
    run(input) {
      for (const read of [readConfig, readLeniently]) {
        const { issues, warnings, includedFiles, kind } = read(input, surroundings);
        for (const { path, message, line, column } of [...issues, ...warnings]) {
          promise(message !== "", "a complaint says nothing");
          promise(!message.includes(CANARY), () => `a complaint quotes a variable: ${message}`);
          promise((line ?? 1) >= 1 && (column ?? 1) >= 1, `a complaint stands in line ${line}, column ${column}`);
          if (path !== "" && !/__proto__|constructor|prototype/.test(path)) parsePath(path);
        }
        promise(kind !== "broken" || issues.length > 0, "it is broken, but nothing is wrong with it");
        promise(
          includedFiles.every((file) => dirname(file) === home),
          () => `a file outside was included: ${includedFiles.join(", ")}`,
        );
      }
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}

function writeAll(root: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

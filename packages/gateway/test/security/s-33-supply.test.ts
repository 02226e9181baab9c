// S-33: what is installed is what was looked at, installing runs nothing, and no code comes from elsewhere while the gateway runs.
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, delimiter, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createStateDirectory, startTestGateway } from "../support/in-process.ts";
import { listProgramSources, REPOSITORY } from "../support/security/program-sources.ts";
import { countCases } from "../support/security/security-cases.ts";
import type { Json } from "../support/wire-client.ts";

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

const readJson = (path: string): Json => JSON.parse(readFileSync(join(REPOSITORY, path), "utf8")) as Json;
const MANIFESTS = ["package.json", ...globSync("packages/*/package.json", { cwd: REPOSITORY })];
const LOCKED = Object.entries(readJson("package-lock.json")["packages"] as Record<string, LockedPackage>)
  .filter(([path, one]) => path.includes("node_modules/") && !one.link)
  .map(([path, one]) => ({
    path,
    name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length),
    ...one,
  }));

afterAll(() => countCases("S-33", LOCKED.length + MANIFESTS.length + TAMPERINGS.length + listProgramSources().length));

/** Tools of ours for machines of another kind: the registry tells their hash to those machines alone. */
const isToolForOthers = ({ dev, optional, os, cpu, libc }: LockedPackage): boolean =>
  dev === true && optional === true && (os ?? cpu ?? libc) !== undefined && !isForThisMachine({ os, cpu, libc });
const isForThisMachine = ({ os, cpu, libc }: { os: unknown; cpu: unknown; libc: unknown }): boolean =>
  [os, cpu].every((names, at) => !Array.isArray(names) || names.includes(at === 0 ? "linux" : "x64")) &&
  (!Array.isArray(libc) || libc.includes("glibc"));

test("every package is locked by a hash, and comes from the registry", () => {
  expect(LOCKED.length).toBeGreaterThan(300);
  const unlocked = LOCKED.filter(({ integrity = "" }) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity));
  expect(unlocked.filter((one) => !isToolForOthers(one)).map(({ path }) => path)).toEqual([]);
  const foreign = LOCKED.filter(({ resolved }) => !/^https:\/\/registry\.npmjs\.org\/|^$/.test(resolved ?? ""));
  expect(foreign.map(({ path, resolved }) => `${path} ${resolved}`)).toEqual([]);
  expect(LOCKED.filter(({ version = "" }) => !/^\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/.test(version))).toEqual([]);
});

test.each(MANIFESTS)("%s names exact versions, and nothing by an address or a path", (path) => {
  const manifest = readJson(path);
  const wantedAs = (...kinds: string[]) => kinds.flatMap((kind) => pairsIn(manifest[kind] ?? {}));
  // An override may put another package of the registry in the place of one.
  const exact = /^(?:npm:(?:@[\w-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/;
  const loose = [
    ...wantedAs("dependencies", "devDependencies", "optionalDependencies", "overrides").filter(
      ([, version]) => !exact.test(version),
    ),
    // What somebody else brings along may be newer.
    ...wantedAs("peerDependencies").filter(([, version]) => !/^(?:>=)?\d+(?:\.\d+){0,2}$/.test(version)),
  ];
  expect(loose).toEqual([]);
});

/** Names and versions; overrides of what one package wants lie one level deeper. */
function pairsIn(wanted: object): Array<[string, string]> {
  return Object.entries(wanted).flatMap(([name, wish]) =>
    typeof wish === "string" ? [[name, wish] as [string, string]] : pairsIn(wish as object),
  );
}

test.each(MANIFESTS)("installing %s runs nothing", (path) => {
  const scripts = Object.keys((readJson(path)["scripts"] ?? {}) as Json);
  const byItself = /^(?:pre|post)|^(?:install|prepare|prepublish|prepack|publish|dependencies|restart|stop|version)$/;
  expect(scripts.filter((name) => byItself.test(name))).toEqual([]);
});

test("of what others wrote only what is listed may run when it is installed, and none of it is published with us", () => {
  // The pinned Node, and the bundler: both put the binary for this machine in its place.
  expect(readJson("package.json")["allowScripts"]).toEqual({ node: true, esbuild: true });
  const wanting = LOCKED.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
  expect(wanting.toSorted()).toEqual(["baileys", "core-js", "esbuild", "node", "protobufjs", "tdl"]);
  const { dependencies, optionalDependencies } = readJson("packages/gateway/package.json");
  const optional = ["@chela/memory-model", "@deepseek-ai/node-addon-landlock-run", "@lydell/node-pty", "sharp"];
  expect([dependencies, Object.keys(optionalDependencies as Json)]).toEqual([undefined, optional]);
  const ours = LOCKED.filter(({ name }) => /^(?:@deepseek-ai\/|@lydell\/node-pty|sharp|@img\/)/.test(name));
  expect(ours.filter(({ hasInstallScript }) => hasInstallScript)).toEqual([]);
});

test("the published package holds what was built, and nothing else", () => {
  const gateway = join(REPOSITORY, "packages/gateway");
  const packed = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts", "--offline"], {
    cwd: gateway,
    encoding: "utf8",
    env: { ...process.env, PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter) },
  });
  const [{ files = [] } = {}] = JSON.parse(packed) as Array<{ files: Array<{ path: string }> }>;
  const paths = files.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(["LICENSE", "bin/chela.mjs", "package.json", "dist/gateway.js"]));
  const declared =
    /^(?:LICENSE|package\.json|bin\/chela\.mjs|dist\/(?:\.built|openclaw-keys\.json|[\w-]+\.js|page\/(?:[\w-]+\.(?:html|js|webmanifest)|assets\/[\w.-]+\.(?:js|css)|icons\/[\w-]+\.(?:png|svg))(?:\.gz)?))$/;
  expect(paths.filter((path) => !declared.test(path) || /\.test\.|test-support|\.map$/.test(path))).toEqual([]);
});

/** Every place that could run code which is not part of the program, and why it may. */
const LOADERS: Readonly<Record<string, string>> = {
  "packages/channel-whatsapp/src/link/library.ts": "a part of its own library, by name",
  "packages/gateway/src/rooms/channels/packages.ts": "channels in packages of ours, by a name from a fixed list",
  "packages/gateway/src/rooms/hooks/load-handler.ts": "hooks the owner enabled, from a copy of what was looked at",
  "packages/gateway/src/rooms/memory/keeper-process.ts": "finds the program of the memory keeper where it is not built",
  "packages/memory/src/embedding/find-package.ts": "looks where a package lies; those who ask load it",
  "packages/memory/src/embedding/gguf-embedder.ts":
    "node-llama-cpp, where the owner installed it and named a model for it; in a process without keys",
  "packages/memory/src/embedding/model-files.ts": "the package of ours that brings the model",
  "packages/memory/src/embedding/model-session.ts":
    "the runtime out of the package of ours, in a thread of a process without keys",
  "packages/memory/src/learning/rules/languages/known-languages.ts": "asks the package of the model for files of rules",
  "packages/memory/src/vectors/kernel.ts": "the scan, whose bytes are part of the program",
  "packages/gateway/src/rooms/webhooks/mapping/transform.ts":
    "the operator's own, from one folder beside the configuration",
};
const LOADS =
  /(?<!\.)\bimport\(\s*(?:\/\*.*?\*\/\s*)?(?!["'][^"'`]+["']\s*\))(?!\))|\bcreateRequire\(|\bnew Function\(|(?<![.\w])eval\(|["'](?:node:)?vm["']|\bprocess\.dlopen\(|\bWebAssembly\.\w+\(|\bmodule\.register\(|\bregisterHooks\(/;

test("code is loaded by names that are written in the program, except where it is listed", () => {
  const found = listProgramSources().filter(({ text }) => LOADS.test(text.replaceAll(/typeof import\(/g, "")));
  expect(found.map(({ path }) => path)).toEqual(Object.keys(LOADERS).toSorted());
});

test("what is loaded by a name is a file of ours, of Node's or of a locked package", () => {
  const known = new Set(LOCKED.map(({ name }) => name));
  const foreign = listProgramSources().flatMap(({ path, text }) =>
    [...text.matchAll(/(?:^(?:import|export|\}) .*\bfrom |\bimport\()["']([^"'\n]+)["']/gm)]
      .map(([, name = ""]) => name)
      .filter(
        (name) =>
          !/^(?:\.{1,2}\/|node:|@chela\/(?:sdk|memory|channels)(?:\/|$))/.test(name) && !known.has(packageOf(name)),
      )
      .map((name) => `${path}: ${name}`),
  );
  expect(foreign).toEqual([]);
});
const packageOf = (name: string): string => name.split("/", name.startsWith("@") ? 2 : 1).join("/");

const describeHook = (name: string): string =>
  `---\nname: ${name}\nmetadata: {"openclaw":{"events":["command","message"]}}\n---\n`;
/** Leaves a mark whenever it is called. */
const handler = (mark: string): string =>
  `import { writeFileSync } from "node:fs";\nexport default () => writeFileSync(${JSON.stringify(mark)}, "ran");\n`;

/** What can be done to files that somebody has looked at. */
const TAMPERINGS: ReadonlyArray<readonly [string, (folder: string, mark: string) => void]> = [
  ["its code is another", (folder, mark) => writeFileSync(join(folder, "handler.ts"), handler(mark))],
  ["its code has one byte more", (folder) => appendFileSync(join(folder, "handler.ts"), " ")],
  ["its description is another", (folder) => appendFileSync(join(folder, "HOOK.md"), "more\n")],
  ["it has a file more", (folder, mark) => writeFileSync(join(folder, "handler.js"), handler(mark))],
  ["it has a package more", (folder) => writeFileSync(join(folder, "package.json"), '{"type":"commonjs"}')],
  ["what it imports is another", (folder, mark) => writeFileSync(join(folder, "part.ts"), handler(mark))],
  [
    "a file is a link",
    (folder, mark) => {
      writeFileSync(`${mark}.ts`, handler(mark));
      rmSync(join(folder, "handler.ts"));
      symlinkSync(`${mark}.ts`, join(folder, "handler.ts"));
    },
  ],
  [
    "the folder is a link",
    (folder, mark) => {
      renameSync(folder, `${mark}-moved`);
      symlinkSync(`${mark}-moved`, folder);
    },
  ],
  ["it is called otherwise", (folder) => renameSync(folder, `${folder}-2`)],
];

test("a hook that was looked at does not run once its files are others", async () => {
  using state = createStateDirectory();
  const hooks = TAMPERINGS.map(([how, tamper], index) => {
    const name = `pinned-${index}`;
    return { how, tamper, name, folder: join(state.path, "workspace/hooks", name), mark: join(state.path, name) };
  });
  for (const { name, folder, mark } of hooks) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "HOOK.md"), describeHook(name));
    writeFileSync(join(folder, "part.ts"), "export default 1;\n");
    writeFileSync(join(folder, "handler.ts"), `import "./part.ts";\n${handler(mark)}`);
  }
  await using gateway = await startTestGateway({ stateDir: state.path });
  const client = await gateway.connect();
  for (const { name } of hooks) await client.call("hooks.enable", { name });
  await client.chat("hello");
  // As they were looked at, all of them run.
  expect(hooks.filter(({ mark }) => !existsSync(mark))).toEqual([]);
  for (const { tamper, folder, mark } of hooks) {
    rmSync(mark);
    tamper(folder, mark);
  }
  await client.chat("hello again");
  await client.chat("/status");
  expect(hooks.filter(({ mark }) => existsSync(mark)).map(({ how }) => how)).toEqual([]);
  const { hooks: rows } = await client.call("hooks.list");
  expect(rows.filter((row: Json) => row["source"] === "workspace" && row["state"] === "on")).toEqual([]);
});

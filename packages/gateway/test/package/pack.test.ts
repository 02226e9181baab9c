// The package as a user gets it: small, alone, and it runs from an empty folder; under an old Node it says what it needs.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answerText, questionText, startModelServer } from "../support/durability/durability-model.ts";
import { createWorkshop, eventually, type StateDirectory } from "../support/durability/durability-workshop.ts";

const PACKAGE = join(dirname(fileURLToPath(import.meta.url)), "../..");
/** Our own files. */
const MOST_OWN_BYTES = 13_300_000;
/** What is optional, and comes where npm can get it: the library that scales pictures has 20 MB. */
const MOST_OTHER_BYTES = 21_000_000;
const MOST_PACKAGES = 20;

const model = await startModelServer();
const workshop = createWorkshop(() => model.baseUrl);
afterAll(async () => {
  await workshop.clean();
  await model[Symbol.asyncDispose]();
});

const { version } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8")) as { version: string };
const nodeFirst = [dirname(process.execPath), process.env["PATH"]].join(delimiter);

describe("installed into an empty folder", () => {
  const folder = join(workshop.directory, "installed");

  beforeAll(() => {
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), '{ "private": true }');
    const npm = (cwd: string, ...argv: string[]): string =>
      execFileSync("npm", [...argv, "--ignore-scripts", "--offline", "--no-audit", "--no-fund", "--loglevel=error"], {
        cwd,
        encoding: "utf8",
        env: { ...process.env, PATH: nodeFirst },
      });
    const tarball = npm(workshop.packagePath, "pack", "--pack-destination", folder).trim().split("\n").at(-1) ?? "";
    npm(folder, "install", join(folder, tarball));
  });

  test("the package is small and brings no others", () => {
    const installed = join(folder, "node_modules");
    const lock = JSON.parse(readFileSync(join(installed, ".package-lock.json"), "utf8")) as { packages: object };
    expect(Object.keys(lock.packages).length).toBeLessThanOrEqual(MOST_PACKAGES);
    const own = sizeOf(join(installed, "chela"));
    expect(own).toBeLessThanOrEqual(MOST_OWN_BYTES);
    expect(sizeOf(installed) - own).toBeLessThanOrEqual(MOST_OTHER_BYTES);
  });

  test("its code is ASCII, which V8 holds with one byte for each character", () => {
    const code = join(folder, "node_modules/chela/dist");
    const files = readdirSync(code).filter((name) => name.endsWith(".js"));
    expect(files).toContain("gateway.js");
    expect(files.filter((name) => readFileSync(join(code, name)).some((byte) => byte > 127))).toEqual([]);
  });

  test("the command tells its version", () => {
    const { stdout, status } = runCommand(folder, process.execPath, "--version");
    expect(stdout).toContain(version);
    expect(status).toBe(0);
  });

  test("the gateway answers out of the box, with the model that needs no key", async () => {
    const state = await workshop.adoptState(join(folder, "state"));
    const gateway = workshop.start(state, { packagePath: join(folder, "node_modules/chela") });
    const token = await eventually("a token is made", () => readToken(state));
    const client = await gateway.connect({ token });
    expect((await client.agent("Hello")).length).toBeGreaterThan(0);
    expect(await gateway.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  });

  const oldNode = findOldNode();
  test.skipIf(!oldNode)("an old Node alone gets one line that says what is needed", () => {
    const { stdout, stderr, status } = runCommand(folder, oldNode ?? "", "--version");
    expect(status).toBe(1);
    expect(stdout).toBe("");
    expect(stderr.trim().split("\n")).toEqual([expect.stringMatching(/^Chela needs Node 24 or newer; this is v\d+\./)]);
  });

  test.skipIf(!oldNode)("an old Node beside the pinned one starts that one", () => {
    const { stdout, status } = runLauncher(join(PACKAGE, "bin/chela.mjs"), oldNode ?? "", "--version");
    expect(stdout).toContain(version);
    expect(status).toBe(0);
    expect(runLauncher(join(PACKAGE, "bin/chela.mjs"), oldNode ?? "", "no-such-command").status).not.toBe(0);
  });
});

test.each([
  ["the start", false],
  ["a turn over OpenAI's protocol", true],
])("%s does not load undici, which would cost time and memory", async (_what, speaks) => {
  const state = await workshop.createState();
  const probe = join(state.path, "probe.cjs");
  const listing = join(state.path, "loaded.json");
  writeFileSync(
    probe,
    `process.once("exit", () => require("fs").writeFileSync(${JSON.stringify(listing)}, JSON.stringify(process.moduleLoadList)));`,
  );
  const gateway = workshop.start(state, { env: { NODE_OPTIONS: `--require ${probe}` } });
  const client = await gateway.connect();
  if (speaks) expect(await client.agent(questionText("q-probe", 1))).toBe(answerText("q-probe"));
  await gateway.kill("SIGTERM");
  const loaded = JSON.parse(readFileSync(listing, "utf8")) as string[];
  expect(loaded).toContain("NativeModule http");
  expect(loaded.filter((name) => name.includes("undici"))).toEqual([]);
});

function runCommand(folder: string, node: string, ...argv: string[]) {
  return runLauncher(join(folder, "node_modules/.bin/chela"), node, ...argv);
}

function runLauncher(path: string, node: string, ...argv: string[]) {
  const { stdout, stderr, status } = spawnSync(node, [path, ...argv], {
    encoding: "utf8",
    env: { PATH: dirname(node), HOME: workshop.directory, OPENCLAW_STATE_DIR: join(workshop.directory, "none") },
  });
  return { stdout, stderr, status };
}

function readToken({ configPath }: StateDirectory): string | undefined {
  if (!existsSync(configPath)) return undefined;
  const config = JSON.parse(readFileSync(configPath, "utf8")) as { gateway?: { auth?: { token?: string } } };
  return config.gateway?.auth?.token;
}

function sizeOf(directory: string): number {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** A Node on this machine that is older than the one that is needed. */
function findOldNode(): string | undefined {
  const places = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/bin", "/usr/local/bin"];
  const found = places
    .map((place) => join(place, "node"))
    .find((path) => {
      if (path.includes("node_modules") || !existsSync(path)) return false;
      const major = Number(/^v(\d+)\./.exec(spawnSync(path, ["--version"], { encoding: "utf8" }).stdout)?.[1]);
      return major < 24;
    });
  if (!found) process.stderr.write("\nNOT TESTED HERE: there is no Node older than 24 on this machine.\n");
  return found;
}

// Builds the published form of all packages: bundled, code-split ESM, with the control page beside the gateway.
import { build, type BuildOptions, type OnResolveArgs, type Plugin } from "esbuild";
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { execFile } from "node:child_process";
import { builtinModules } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { assembleAssets } from "../packages/memory-model/src/assemble.ts";
import { mergeChunks } from "./merge-chunks.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const gateway = join(root, "packages/gateway");
const sdk = join(root, "packages/sdk");
const { version } = JSON.parse(readFileSync(join(gateway, "package.json"), "utf8")) as { version: string };

/** What the WebSocket library asks for at once but needs only as a client, or to compress. */
const RARELY_USED = new Set(["https", "tls", "zlib"]);

/**
 * An ESM import of a builtin reads all its exports at once; for node:http that loads undici, 19 ms and 13 MB.
 * Through getBuiltinModule only those are read that somebody uses. What is imported has a constant for each export; a
 * CommonJS module would be copied, with a getter for each of its exports, into every file that imports it.
 */
const lazyBuiltins: Plugin = {
  name: "lazy-builtins",
  setup(bundler) {
    const names = new Set([...builtinModules.filter((name) => !name.startsWith("_")), "sqlite"]);
    bundler.onResolve({ filter: /^(node:)?[a-z_/]+$/ }, ({ path, kind }) => {
      const name = path.replace(/^node:/, "");
      if (!names.has(name)) return undefined;
      // A bundled copy of a CommonJS module has no named exports when it is imported dynamically.
      if (kind === "dynamic-import") return { path: `node:${name}`, external: true };
      if (kind === "import-statement") return { path: name, namespace: "imported-builtin", sideEffects: false };
      return { path: name, namespace: RARELY_USED.has(name) ? "rare-builtin" : "builtin" };
    });
    bundler.onLoad({ filter: /.*/, namespace: "imported-builtin" }, ({ path }) => ({
      contents: exportEach(path),
      loader: "js",
    }));
    bundler.onLoad({ filter: /.*/, namespace: "rare-builtin" }, ({ path }) => ({
      contents: `module.exports = new Proxy({}, { get: (_, key) => process.getBuiltinModule("node:${path}")[key] });`,
      loader: "js",
    }));
    bundler.onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule("node:${path}");`,
      loader: "js",
    }));
  },
};

/** Marked as pure, so that the bundler leaves out what nobody imports. */
function exportEach(builtin: string): string {
  const names = Object.keys(process.getBuiltinModule(`node:${builtin}`) ?? {}).filter((name) => name !== "default");
  return [
    `const builtin = /* @__PURE__ */ process.getBuiltinModule("node:${builtin}");`,
    "const readExport = (name) => builtin[name];",
    ...names.map((name) => `const own_${name} = /* @__PURE__ */ readExport("${name}");`),
    `export { ${names.map((name) => `own_${name} as ${name}`).join(", ")} };`,
    "export default builtin;",
  ].join("\n");
}

/**
 * The model packages use all of zod. With a copy of their own, the gateway's start pays only for the parts it uses
 * itself; translations of error messages nobody sees are left out of that copy.
 */
const ownZodForModels: Plugin = {
  name: "own-zod-for-models",
  setup(bundler) {
    const copy = async ({ path, importer, kind, resolveDir }: OnResolveArgs) => {
      const found = await bundler.resolve(path, { kind, resolveDir, importer, pluginData: "as usual" });
      return { path: found.path, suffix: "?models", pluginData: "models", sideEffects: false };
    };
    bundler.onResolve({ filter: /^zod(\/|$)/ }, (args) =>
      args.pluginData !== "as usual" && args.importer.includes("@ai-sdk") ? copy(args) : undefined,
    );
    bundler.onResolve({ filter: /^\./ }, (args) => (args.pluginData === "models" ? copy(args) : undefined));
    bundler.onLoad({ filter: /node_modules.zod.*\.js$/ }, ({ path, suffix }) => {
      if (suffix !== "?models") return undefined;
      const contents = /locales.index\.js$/.test(path) ? "export {};" : readFileSync(path, "utf8");
      return { contents, loader: "js", resolveDir: dirname(path), pluginData: "models" };
    });
  },
};

const shared: BuildOptions = {
  bundle: true,
  splitting: true,
  platform: "node",
  format: "esm",
  target: "node24",
  minify: true,
  legalComments: "none",
  conditions: ["chela-source"],
  logLevel: "warning",
};

/** The gateway is a bundle of its own: everything its start needs is one file, read and compiled at once. */
const gatewayApart: Plugin = {
  name: "gateway-apart",
  setup(bundler) {
    bundler.onResolve({ filter: /\/gateway-entry\.ts$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: "./gateway.js", external: true } : undefined,
    );
  },
};

/** What is imported dynamically by some files and found by its path stays in the bundle of somebody else. */
function leaveOut(name: string, why: string, importers: RegExp, paths: RegExp): Plugin {
  return {
    name,
    setup(bundler) {
      bundler.onResolve({ filter: paths }, ({ path, kind, importer }) =>
        kind === "dynamic-import" && importers.test(importer) ? { path, namespace: name } : undefined,
      );
      bundler.onLoad({ filter: /.*/, namespace: name }, () => ({
        contents: `throw new Error(${JSON.stringify(why)});`,
        loader: "js",
      }));
    },
  };
}

/** The command line asks channels for their settings only; what connects them stays in the gateway's bundle. */
const withoutConnections = leaveOut(
  "without-connections",
  "channels are connected by the gateway",
  /packages.channels.src.[^/\\]+.channel\.ts$/,
  /^\.\//,
);

/** Nor does it run turns. */
const withoutTurns = leaveOut(
  "without-turns",
  "turns are run by the gateway",
  /contribution\.ts$/,
  /tools?\.ts$|chat-commands\.ts$/,
);

/** Nor does it answer over HTTP. */
const withoutRoutes = leaveOut("without-routes", "requests are answered by the gateway", /http.routes\.ts$/, /^\.\//);

/** The command line has the tables of commands in its own bundle; a gateway runs none of them. */
const withoutCommands = leaveOut(
  "without-commands",
  "commands are run by the command line",
  /contribution\.ts$/,
  /^\.\/cli\/commands\.ts$/,
);

const CLI_CHUNKS = "cli-";
const GATEWAY_CHUNKS = "gateway-";

async function buildGateway(): Promise<void> {
  const out = join(gateway, `dist.${process.pid}`);
  const page = buildPage(join(out, "page"));
  const options: BuildOptions = {
    ...shared,
    outdir: out,
    // All in one directory, so that any file can name any other.
    chunkNames: "[name]-[hash]",
    define: { __CHELA_VERSION__: JSON.stringify(version) },
    // The model packages make a Headers object for each call; the global one would load undici.
    inject: [join(sdk, "src/http/light-globals.ts")],
    // The edition for Node brings undici along; we hand in a fetch of our own.
    alias: { "@discordjs/rest": join(root, "node_modules/@discordjs/rest/dist/web.mjs") },
    // Have a native part, and need not be there.
    external: ["@deepseek-ai/node-addon-landlock-run", "@lydell/node-pty", "sharp"],
  };
  await Promise.all([
    build({
      ...options,
      chunkNames: `${CLI_CHUNKS}[name]-[hash]`,
      entryPoints: { cli: join(gateway, "src/cli/main.ts") },
      plugins: [lazyBuiltins, ownZodForModels, gatewayApart, withoutConnections, withoutTurns, withoutRoutes],
    }),
    build({
      ...options,
      chunkNames: `${GATEWAY_CHUNKS}[name]-[hash]`,
      entryPoints: { gateway: join(gateway, "src/cli/run/gateway-entry.ts") },
      plugins: [lazyBuiltins, ownZodForModels, withoutCommands],
    }),
    build({
      ...options,
      chunkNames: "memory-[name]-[hash]",
      // Programs of a process and a thread of their own, found by their names beside whoever starts them.
      entryPoints: {
        "memory-keeper": join(root, "packages/memory/src/keeper.ts"),
        "memory-model-thread": join(root, "packages/memory/src/embedding/model-thread.ts"),
      },
      inject: [],
      plugins: [lazyBuiltins],
    }),
  ]);
  await mergeChunks({ directory: out, entry: "cli.js", merged: `${CLI_CHUNKS}start.js`, prefix: CLI_CHUNKS });
  const start = `${GATEWAY_CHUNKS}start.js`;
  await mergeChunks({ directory: out, entry: "gateway.js", merged: start, prefix: GATEWAY_CHUNKS });
  // The first message waits for what turns are made with.
  const services = readdirSync(out).find((name) => name.startsWith(`${GATEWAY_CHUNKS}open-turn-services-`));
  if (services === undefined) throw new Error("there is no chunk of what turns are made with (open-turn-services.ts)");
  const turns = { entry: services, merged: `${GATEWAY_CHUNKS}turns.js`, loaded: ["gateway.js", start] };
  await mergeChunks({ directory: out, prefix: GATEWAY_CHUNKS, ...turns });
  escapeRegularExpressions(out);
  // Data that is read when it is needed, from beside whoever reads it.
  const unusedKeys = JSON.parse(readFileSync(join(gateway, "src/rooms/config/openclaw-keys.json"), "utf8")) as object;
  writeFileSync(join(out, "openclaw-keys.json"), JSON.stringify(unusedKeys));
  cpSync(join(gateway, "src/rooms/skills/bundled"), join(out, "skills"), { recursive: true });
  await page;
  cpSync(join(root, "LICENSE"), join(gateway, "LICENSE"));
  writeFileSync(join(out, ".built"), `${Date.now()}\n`);
  exchange(out, join(gateway, "dist"));
}

/**
 * V8 holds a file with two bytes for each character as soon as one of them is not Latin. The bundler escapes those of
 * texts, but not those of regular expressions.
 */
function escapeRegularExpressions(directory: string): void {
  for (const name of readdirSync(directory).filter((one) => one.endsWith(".js"))) {
    const text = readFileSync(join(directory, name), "utf8");
    const escaped = text.replace(
      /[\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
    if (escaped !== text) writeFileSync(join(directory, name), escaped);
  }
}

async function buildPage(out: string): Promise<void> {
  const vite = await import("vite");
  await vite.build({ root: join(root, "packages/ui"), logLevel: "warn", build: { outDir: out, emptyOutDir: true } });
}

/** The old build is there until the new one is whole: something may be running from it. */
function exchange(fresh: string, place: string): void {
  const old = `${fresh}.old`;
  if (existsSync(place)) renameSync(place, old);
  renameSync(fresh, place);
  rmSync(old, { recursive: true, force: true });
}

/** What authors import, by the names of its package. */
interface SdkPackage {
  readonly exports: Readonly<Record<string, { readonly "chela-source": string; readonly default: string }>>;
}

async function buildSdk(): Promise<void> {
  const out = join(sdk, `dist.${process.pid}`);
  const { exports } = JSON.parse(readFileSync(join(sdk, "package.json"), "utf8")) as SdkPackage;
  const entryPoints = Object.values(exports).map((entry) => ({
    in: join(sdk, entry["chela-source"]),
    out: basename(entry.default, ".js"),
  }));
  await build({
    ...shared,
    minify: false,
    entryPoints,
    outdir: out,
    chunkNames: "chunks/[name]-[hash]",
    external: ["marked", "zod", "vitest"],
  });
  await promisify(execFile)("tsc", ["-p", sdk, "--outDir", out]);
  exchange(out, join(sdk, "dist"));
}

/** A channel in a package of its own: what it depends on is installed with it, everything else is bundled. */
async function buildChannelPackage(name: string): Promise<void> {
  const place = join(root, `packages/channel-${name}`);
  const out = join(place, `dist.${process.pid}`);
  const { dependencies } = JSON.parse(readFileSync(join(place, "package.json"), "utf8")) as { dependencies: object };
  await build({
    ...shared,
    entryPoints: { channel: join(place, "src/channel.ts") },
    outdir: out,
    chunkNames: "[name]-[hash]",
    external: Object.keys(dependencies),
  });
  exchange(out, join(place, "dist"));
}

/** The model is copied as it is; a package around it is all we add. */
function buildMemoryModel(): void {
  const place = join(root, "packages/memory-model");
  const out = join(place, `assets.${process.pid}`);
  assembleAssets(out);
  exchange(out, join(place, "assets"));
}

buildMemoryModel();
await Promise.all([buildGateway(), buildSdk(), ...["whatsapp", "matrix"].map(buildChannelPackage)]);

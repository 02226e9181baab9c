// `npm start`: builds what is stale, then runs the gateway. Flags behind `--` go to it.
import { spawn } from "node:child_process";
import { globSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const STAMP = join(root, "packages/gateway/dist/.built");
const SOURCES = [
  "packages/*/src/**/*.{ts,css}",
  "packages/ui/{index.html,vite.config.ts,public/**/*}",
  "packages/*/package.json",
  "scripts/build.ts",
];

function isStale(): boolean {
  const built = statSync(STAMP, { throwIfNoEntry: false })?.mtimeMs;
  if (built === undefined) return true;
  return globSync(SOURCES, { cwd: root }).some((file) => statSync(join(root, file)).mtimeMs > built);
}

if (isStale()) await import("./build.ts");
// What npm runs has its programs on the PATH; the person's own terminal has not.
console.log("In this folder, `chela …` is typed as `npx chela …`.");
const launcher = join(root, "packages/gateway/bin/chela.mjs");
const child = spawn(process.execPath, [launcher, "gateway", "run", ...process.argv.slice(2)], { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));

#!/usr/bin/env node
// Starts the command line on a Node that is new enough: this one, or the one pinned beside the package.
const REQUIRED = 24;

if (Number(process.versions.node.split(".")[0]) >= REQUIRED) await start();
else await startElsewhere();

async function start() {
  // Two threads are plenty for files and names, and each has memory of its own. Must be said before the first is used.
  process.env.UV_THREADPOOL_SIZE ??= "2";
  const { enableCompileCache } = process.getBuiltinModule("node:module");
  const { homedir } = process.getBuiltinModule("node:os");
  // A directory of our own: one that others can write to could be used to slip code in.
  enableCompileCache(`${process.env.XDG_CACHE_HOME || `${homedir()}/.cache`}/chela/compiled`);
  await import("../dist/cli.js");
}

async function startElsewhere() {
  const { existsSync } = await import("node:fs");
  const { spawn } = await import("node:child_process");
  const { dirname, join } = await import("node:path");
  const { fileURLToPath } = await import("node:url");
  const own = fileURLToPath(import.meta.url);
  for (let place = dirname(own); ; place = dirname(place)) {
    const pinned = join(place, "node_modules/node/bin/node");
    if (existsSync(pinned)) {
      const child = spawn(pinned, [own, ...process.argv.slice(2)], { stdio: "inherit" });
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGUSR1"]) process.on(signal, () => child.kill(signal));
      child.on("exit", (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code ?? 1)));
      return;
    }
    if (place === dirname(place)) break;
  }
  console.error(
    `Chela needs Node ${REQUIRED} or newer; this is ${process.version}. Install it from https://nodejs.org, or run: npm install node@${REQUIRED}`,
  );
  process.exit(1);
}

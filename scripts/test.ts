// The tests of `npm test`, with their temporary files in memory where that is possible. Flags behind `--` go to vitest.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

/** Several times what lies there at once. */
const ENOUGH_MEMORY = 6 * 2 ** 30;
/** What is mounted like this is seen by these tests only, and goes with the last of their processes, however that ends. */
const MOUNT = 'mount -t tmpfs -o mode=1777 tmpfs "$0" && exec "$@"';
const inMemory = (place: string, ...command: string[]): string[] => [
  "--mount",
  "--propagation",
  "private",
  "sh",
  "-c",
  MOUNT,
  place,
  ...command,
];

const place = mkdtempSync(join(tmpdir(), "chela-"));
const command = ["vitest", "run", ...process.argv.slice(2)];
// A gateway waits for the disk whenever it commits: in all tests together for minutes.
const canMount = freemem() > ENOUGH_MEMORY && spawnSync("unshare", inMemory(place, "true")).status === 0;
const env = { ...process.env, TMPDIR: place, CHELA_TEST_DISK: tmpdir(), NODE_COMPILE_CACHE: join(place, "compiled") };
const child = canMount
  ? spawn("unshare", inMemory(place, ...command), { stdio: "inherit", env })
  : spawn("vitest", command.slice(1), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => {
  rmdirSync(place);
  process.exit(code ?? 1);
});

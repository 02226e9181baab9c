// Compiles the scan of vectors to WebAssembly and writes it where the memory keeper loads it from.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = join(dirname(fileURLToPath(import.meta.url)), "../packages/memory/src/vectors");
const source = join(folder, "scan.c");
const target = join(folder, "scan-module.ts");

/** Nothing of the machine that compiles goes in: the same compiler writes the same bytes everywhere. */
const FLAGS = ["--target=wasm32", "-O3", "-msimd128", "-ffreestanding", "-nostdlib", "-Wall", "-Werror"];
const LINKER_FLAGS = ["-Wl,--no-entry", "-Wl,--strip-all"];

/** Which clang is here: its number only, as distributions put their names around it. */
export function compilerVersion(): string {
  const text = execFileSync("clang", ["--version"], { encoding: "utf8" });
  return /clang version (\d+\.\d+\.\d+)/.exec(text)?.[1] ?? "unknown";
}

/** Which clang the module in the repository is made with. */
export function committedVersion(): string {
  return /with clang (\S+) /.exec(readCommitted())?.[1] ?? "unknown";
}

export function readCommitted(): string {
  return readFileSync(target, "utf8");
}

export function compileModule(): string {
  const scratch = mkdtempSync(join(tmpdir(), "chela-kernel-"));
  try {
    const out = join(scratch, "scan.wasm");
    execFileSync("clang", [...FLAGS, ...LINKER_FLAGS, "-o", out, source], { stdio: ["ignore", "ignore", "inherit"] });
    const base64 = readFileSync(out).toString("base64");
    return [
      `// The compiled scan of vectors. Made by \`node scripts/build-kernel.ts\` with clang ${compilerVersion()} from scan.c; not to be edited.`,
      "export const SCAN_MODULE =",
      `  "${base64}";`,
      "",
    ].join("\n");
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const text = compileModule();
  writeFileSync(target, text);
  console.log(`${target}: ${text.length} characters`);
}

// Joins the chunks a bundle loads at once into one file. The bundler makes a chunk of each combination of parts that share
// code; a start that resolves dozens of files is slower, and warms up compilers it would otherwise never need.
import { build } from "esbuild";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Imports as the bundler writes them. */
const IMPORT = /import\{([^}]*)\}from"\.\/([^"]+)";?/g;
const BARE_IMPORT = /import"\.\/([^"]+)";?/g;
const EXPORT = /export\{([^}]*)\};?\s*$/;

export interface Merging {
  readonly directory: string;
  /** What is loaded together with this file becomes one. */
  readonly entry: string;
  readonly merged: string;
  /** Only files of this prefix are touched. */
  readonly prefix: string;
  /** Files that are loaded already and stay as they are. */
  readonly loaded?: readonly string[];
}

export async function mergeChunks({ directory, entry, merged, prefix, loaded = [] }: Merging): Promise<void> {
  const read = (name: string) => readFileSync(join(directory, name), "utf8");
  const together = reach(entry, read, loaded).filter((name) => name !== entry);
  if (together.length < 2) return;
  await bundleTogether(directory, together, merged, { read, loaded });
  const others = readdirSync(directory).filter((name) => name.endsWith(".js") && !together.includes(name));
  for (const name of others.filter((one) => one === entry || (one.startsWith(prefix) && one !== merged))) {
    writeFileSync(join(directory, name), redirect(read(name), new Set(together), merged));
  }
  for (const name of together) rmSync(join(directory, name));
}

/** Everything that is loaded together with `entry`, and was not before. */
function reach(entry: string, read: (name: string) => string, loaded: readonly string[]): string[] {
  const found = new Set([entry]);
  for (const name of found) {
    for (const next of staticImports(read(name))) if (!loaded.includes(next)) found.add(next);
  }
  return [...found];
}

function staticImports(text: string): string[] {
  return [...text.matchAll(IMPORT)]
    .map((match) => match[2] ?? "")
    .concat([...text.matchAll(BARE_IMPORT)].map((match) => match[1] ?? ""));
}

async function bundleTogether(
  directory: string,
  chunks: readonly string[],
  merged: string,
  { read, loaded }: { readonly read: (name: string) => string; readonly loaded: readonly string[] },
): Promise<void> {
  const lines = chunks.map((name) => {
    const names = exportsOf(read(name)).map((own) => `${own} as ${rename(name, own)}`);
    return names.length > 0 ? `export{${names.join(",")}}from"./${name}";` : `import"./${name}";`;
  });
  await build({
    // A chunk that gives nothing to others and does nothing by itself may go.
    logOverride: { "ignored-bare-import": "silent" },
    stdin: { contents: lines.join("\n"), resolveDir: directory },
    outfile: join(directory, merged),
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node24",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
    plugins: [
      {
        name: "parts-stay-apart",
        setup: (bundler) =>
          bundler.onResolve({ filter: /./ }, ({ path, kind }) =>
            kind === "dynamic-import" || loaded.includes(path.replace(/^\.\//, ""))
              ? { path, external: true }
              : undefined,
          ),
      },
    ],
  });
}

function exportsOf(text: string): string[] {
  const list = EXPORT.exec(text)?.[1] ?? "";
  return list
    .split(",")
    .filter(Boolean)
    .map((part) => part.split(" as ").at(-1)?.trim() ?? part);
}

function rename(chunk: string, name: string): string {
  return `${chunk.replace(/[^A-Za-z0-9]/g, "_")}_${name}`;
}

function redirect(text: string, gone: ReadonlySet<string>, merged: string): string {
  return text
    .replace(IMPORT, (whole, list: string, from: string) => {
      if (!gone.has(from)) return whole;
      const parts = list.split(",").map((part) => {
        const [own = "", local = own] = part.split(" as ").map((word) => word.trim());
        return `${rename(from, own)} as ${local}`;
      });
      return `import{${parts.join(",")}}from"./${merged}";`;
    })
    .replace(BARE_IMPORT, (whole, from: string) => (gone.has(from) ? `import"./${merged}";` : whole));
}

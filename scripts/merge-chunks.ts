// Joins the chunks a bundle loads at once into one file. The bundler makes a chunk of each combination of parts that share
// code; a start that resolves dozens of files is slower, and warms up compilers it would otherwise never need.
import { build } from "esbuild";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Imports as the bundler writes them. */
const IMPORT = /import\{([^}]*)\}from"\.\/([^"]+)";?/g;
const BARE_IMPORT = /import"\.\/([^"]+)";?/g;
const EXPORT = /export\{([^}]*)\};?\s*$/;

/** What an export of a chunk is called in the merged file; short, as dozens of files say it. */
type Rename = (chunk: string, name: string) => string;

export interface Merging {
  readonly directory: string;
  /** What is loaded together with this file becomes one. */
  readonly entry: string;
  /** The entry becomes part of it, too; what is left of it hands on what it exports. */
  readonly takesEntry?: boolean;
  readonly merged: string;
  /** Only files of this prefix are touched. */
  readonly prefix: string;
  /** Files that are loaded already and stay as they are. */
  readonly loaded?: readonly string[];
}

export async function mergeChunks(merging: Merging): Promise<void> {
  const { directory, entry, takesEntry = false, merged, prefix, loaded = [] } = merging;
  const read = (name: string) => readFileSync(join(directory, name), "utf8");
  const together = reach(entry, read, loaded).filter((name) => takesEntry || name !== entry);
  if (together.length < 2) return;
  const rename: Rename = (chunk, name) => `_${together.indexOf(chunk).toString(36)}_${name}`;
  await bundleTogether(directory, together, merged, { read, rename, loaded });
  const handedOn = exportsOf(read(entry)).map((own) => `${rename(entry, own)} as ${own}`);
  const others = readdirSync(directory).filter((name) => name.endsWith(".js") && !together.includes(name));
  for (const name of others.filter((one) => one === entry || (one.startsWith(prefix) && one !== merged))) {
    writeFileSync(join(directory, name), redirect(read(name), new Set(together), merged, rename));
  }
  for (const name of together) rmSync(join(directory, name));
  if (takesEntry) writeFileSync(join(directory, entry), `export{${handedOn.join(",")}}from"./${merged}";`);
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
  { read, rename, loaded }: { read(name: string): string; rename: Rename; readonly loaded: readonly string[] },
): Promise<void> {
  const lines = chunks.map((name) => {
    const names = exportsOf(read(name)).map((own) => `${own} as ${rename(name, own)}`);
    return names.length > 0 ? `export{${names.join(",")}}from"./${name}";` : `import"./${name}";`;
  });
  await build({
    stdin: { contents: lines.join("\n"), resolveDir: directory },
    outfile: join(directory, merged),
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node24",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
    // Chunks import each other for their order, too; here each is named once more, and all are in one file.
    logOverride: { "ignored-bare-import": "silent" },
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

function redirect(text: string, gone: ReadonlySet<string>, merged: string, rename: Rename): string {
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

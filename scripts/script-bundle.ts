// Turns a bundle into a script that can be run with the code V8 compiled for it earlier (see base/kept-script.ts).
import { build, type Plugin } from "esbuild";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

export interface ScriptBundle {
  readonly directory: string;
  /** The bundle: an ES module that imports nothing at once. In its place comes one that runs the script and hands on its exports. */
  readonly module: string;
  /** The source of `runKeptScript`. */
  readonly runner: string;
  readonly plugins: Plugin[];
}

const EXPORT = /export\{([^}]*)\};?\s*$/;
const STATIC_IMPORT = /(?:^|[;}\n])import[{"*]/;

export async function asScript({ directory, module, runner, plugins }: ScriptBundle): Promise<void> {
  const place = join(directory, module);
  const text = readFileSync(place, "utf8");
  const names = (EXPORT.exec(text)?.[1] ?? "").split(",").map((part) => part.split(" as ").map((word) => word.trim()));
  const body = text.replace(EXPORT, "").replaceAll("import.meta.url", "moduleUrl");
  checkBody(module, body);
  const members = names.map(([local = "", name = local]) => `${name}:${local}`).join(",");
  const script = `(function(moduleUrl,keepCompiled){"use strict";${body}\nreturn{${members}}})`;
  const file = `${basename(module, ".js")}-${createHash("sha256").update(script).digest("hex").slice(0, 16)}.cjs`;
  writeFileSync(join(directory, file), script);
  await build({
    stdin: {
      contents: `import { runKeptScript } from ${JSON.stringify(runner)};
        export const { ${names.map(([local = "", name = local]) => name).join(",")} } = runKeptScript(import.meta.url, "./${file}");`,
      resolveDir: directory,
    },
    outfile: place,
    allowOverwrite: true,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node24",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
    plugins,
  });
}

/** What a module may say and a script may not, or would say otherwise. */
function checkBody(module: string, body: string): void {
  const wrong = [
    ...(STATIC_IMPORT.test(body) ? ["imports something at once"] : []),
    ...(body.includes("import.meta") ? ["asks for more of import.meta than its url"] : []),
    // One byte for each character, and the script is read as such.
    ...(/[^\0-\x7f]/.test(body) ? ["has letters beyond ASCII"] : []),
  ];
  if (wrong.length > 0) throw new Error(`${module} cannot become a script: it ${wrong.join(", ")}`);
}

// Reads a module of a plugin as Node takes it: types are taken out, and what is missing for its kind of module is added.
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { extname } from "node:path";
import { blank } from "./blank.ts";
import { dropTypeImports } from "./drop-type-imports.ts";

export interface ReadModule {
  readonly format: "module" | "commonjs";
  readonly source: string;
}

export const TYPED = new Set([".ts", ".mts", ".cts", ".tsx"]);

const IMPORTS = /(?:^|[;}\n])\s*import\s*(?:[\w$*{]|$)/m;
const EXPORTS =
  /(?:^|[;}\n])\s*export\s*(?:[{*]|(?:default|const|let|var|function|class|async|enum|abstract|namespace)\b)/;
const META = /\bimport\.meta\b/;
const SCRIPT = /\bmodule\.exports\b|(?<![\w$.])exports\.[\w$]|(?<![\w$.])require\s*\(/;

/** `type` is that of the nearest package. */
export function readModule(path: string, type: "module" | "commonjs" | undefined): ReadModule {
  const written = readFileSync(path, "utf8");
  const isTyped = TYPED.has(extname(path));
  const source = isTyped ? dropTypeImports(withoutTypes(written, path)) : written;
  const code = blank(source);
  const isModule = IMPORTS.test(strings(code, source)) || EXPORTS.test(code) || META.test(code);
  if (isModule) return { format: "module", source: completed(source, code) };
  if (SCRIPT.test(code)) return { format: "commonjs", source };
  const extension = extname(path);
  if ([".mjs", ".mts"].includes(extension)) return { format: "module", source };
  if ([".cjs", ".cts"].includes(extension)) return { format: "commonjs", source };
  return { format: type ?? "module", source };
}

/** An import for its effect has nothing but a string behind it, which is blank. */
function strings(code: string, source: string): string {
  return code.replaceAll(/\bimport(\s+)(?=\s*[;\n]|$)/g, (found, _space, at: number) =>
    /^import\s*["']/.test(source.slice(at)) ? "import{" : found,
  );
}

function withoutTypes(source: string, path: string): string {
  try {
    return stripTypeScriptTypes(source, { mode: "strip" });
  } catch (error) {
    // Enums and the like have to be written anew.
    if ((error as { code?: unknown }).code !== "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX") throw named(error, path);
  }
  try {
    return stripTypeScriptTypes(source, { mode: "transform" });
  } catch (error) {
    throw named(error, path);
  }
}

function named(error: unknown, path: string): Error {
  return new SyntaxError(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
}

/** What scripts have and modules do not, each defined in words of a module. */
const SCRIPT_WORDS: ReadonlyArray<{ readonly name: string; readonly is: string }> = [
  { name: "require", is: "$require" },
  { name: "__filename", is: "import.meta.filename" },
  { name: "__dirname", is: "import.meta.dirname" },
];

/** A module that is also written like a script. All on its first line, so that lines keep their numbers. */
function completed(source: string, code: string): string {
  const uses = (name: string): boolean => new RegExp(`(?<![\\w$.])${name}(?![\\w$])`).test(code);
  const declares = (name: string): boolean =>
    new RegExp(`\\b(?:const|let|var|function|import)\\s+${name}(?![\\w$])|[{,]\\s*${name}\\s*[,}][^;]*\\bfrom\\b`).test(
      code,
    );
  const added = SCRIPT_WORDS.filter(({ name }) => uses(name) && !declares(name));
  const exportsLikeScript = /\bmodule\.exports\b|(?<![\w$.])exports\.[\w$]/.test(code) && !EXPORTS.test(code);
  const head = [
    ...(added.some(({ name }) => name === "require")
      ? [
          'import { createRequire as $createRequire } from "node:module"; const $require = $createRequire(import.meta.url);',
        ]
      : []),
    ...added.map(({ name, is }) => `const ${name} = ${is};`),
    ...(exportsLikeScript && !declares("module")
      ? ["const module = { exports: {} }; const exports = module.exports;"]
      : []),
  ].join(" ");
  const tail = exportsLikeScript ? "\nexport default module.exports;" : "";
  if (head === "" && tail === "") return source;
  const shebang = source.startsWith("#!") ? source.slice(0, source.indexOf("\n") + 1) : "";
  return `${shebang}${head} ${source.slice(shebang.length)}${tail}`;
}

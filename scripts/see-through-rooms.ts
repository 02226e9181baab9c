// Lets the bundler look through files that only hand on what others export, such as the `room.ts` of a room. It puts whole
// files into chunks, so a start that needs one function of a room would be given the room.
import type { Plugin } from "esbuild";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where a name comes from: the file that has it, and what it is called there. */
interface Origin {
  readonly file: string;
  readonly name: string;
}

const IMPORT = /^import \{([^}]*)\} from "([^"]+)";$/gm;
const HANDED_ON = /^export \{([^}]*)\} from "(\.[^"]+)";$/gm;
const ALL_HANDED_ON = /^export \* from "(\.[^"]+)";$/gm;
const OWN = /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|enum) ([A-Za-z0-9_$]+)/gm;
const OWN_LIST = /^export \{([^}]*)\};$/gm;

export interface Seeing {
  /** Only files below are changed. */
  readonly roots: readonly string[];
  /** Names of packages, and the file each is. */
  readonly packages: Readonly<Record<string, string>>;
}

export function seeThroughRooms({ roots, packages }: Seeing): Plugin {
  const known = new Map<string, Map<string, Origin>>();
  const exportsOf = (file: string): Map<string, Origin> => {
    const found = known.get(file);
    if (found) return found;
    const exports = readExports(file, exportsOf);
    known.set(file, exports);
    return exports;
  };
  const locate = (from: string, specifier: string): string | undefined => {
    const file = packages[specifier] ?? (specifier.startsWith(".") ? join(dirname(from), specifier) : undefined);
    return file !== undefined && existsSync(file) ? file : undefined;
  };
  return {
    name: "see-through-rooms",
    setup(bundler) {
      bundler.onLoad({ filter: /\.ts$/, namespace: "file" }, ({ path }) => {
        if (!roots.some((root) => path.startsWith(root))) return undefined;
        const text = readFileSync(path, "utf8");
        const contents = text.replace(IMPORT, (whole, list: string, specifier: string) => {
          const file = locate(path, specifier);
          return file === undefined ? whole : importEach(readNames(list), file, exportsOf(file));
        });
        return { contents, loader: "ts" };
      });
    },
  };
}

/** In one line, so that what follows keeps its place. */
function importEach(
  names: ReadonlyArray<readonly [string, string]>,
  file: string,
  exports: Map<string, Origin>,
): string {
  return names
    .map(([name, local]) => {
      const origin = exports.get(name) ?? { file, name };
      return `import { ${origin.name} as ${local} } from ${JSON.stringify(origin.file)};`;
    })
    .join("");
}

function readExports(file: string, exportsOf: (file: string) => Map<string, Origin>): Map<string, Origin> {
  const text = readFileSync(file, "utf8");
  const exports = new Map<string, Origin>();
  for (const [, from = ""] of text.matchAll(ALL_HANDED_ON)) {
    for (const [name, origin] of exportsOf(join(dirname(file), from))) exports.set(name, origin);
  }
  for (const [, list = "", from = ""] of text.matchAll(HANDED_ON)) {
    const source = join(dirname(file), from);
    for (const [name, as] of readNames(list)) exports.set(as, exportsOf(source).get(name) ?? { file: source, name });
  }
  for (const [, name = ""] of text.matchAll(OWN)) exports.set(name, { file, name });
  for (const [, list = ""] of text.matchAll(OWN_LIST)) {
    for (const [, as] of readNames(list)) exports.set(as, { file, name: as });
  }
  return exports;
}

/** Pairs of a name and what it is called here. Types are left out: nothing is left of them. */
function readNames(list: string): ReadonlyArray<readonly [string, string]> {
  return list
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "" && !part.startsWith("type "))
    .map((part) => {
      const [name = "", as = name] = part.split(" as ");
      return [name, as];
    });
}

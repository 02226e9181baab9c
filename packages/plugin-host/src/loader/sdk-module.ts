// The modules behind `openclaw/…`: whatever is imported of them is there; a name nobody has fails when it is called.
import { readFileSync } from "node:fs";
import { sdkNames } from "../sdk/index.ts";

const SCHEME = "chela-sdk:";
const PACKAGES = /^(?:openclaw|clawdbot|moltbot)(\/.*)?$/;
const IMPORTED =
  /\b(?:import|export)\s+(?:type\s+)?(?:[\w$]+\s*,\s*)?\{([^}]*)\}\s*from\s*["']((?:openclaw|clawdbot|moltbot)(?:\/[^"']*)?)["']/g;
const REGISTRY = Symbol.for("chela.plugin-sdk");

/** Names each file wants, by file and by what it imports them from. */
const wanted = new Map<string, ReadonlyMap<string, ReadonlySet<string>>>();

export const isSdk = (specifier: string): boolean => PACKAGES.test(specifier);
export const isSdkUrl = (url: string): boolean => url.startsWith(SCHEME);

function wantedBy(file: string): ReadonlyMap<string, ReadonlySet<string>> {
  const known = wanted.get(file) ?? readWanted(file);
  wanted.set(file, known);
  return known;
}

function readWanted(file: string): ReadonlyMap<string, ReadonlySet<string>> {
  const bySpecifier = new Map<string, Set<string>>();
  for (const [, names = "", specifier = ""] of readFileSync(file, "utf8").matchAll(IMPORTED)) {
    const known = bySpecifier.get(specifier) ?? new Set<string>();
    for (const entry of names.split(",")) {
      const [name = ""] = entry
        .trim()
        .replace(/^type\s+/, "")
        .split(/\s+as\s+/);
      if (/^[\w$]+$/.test(name) && name !== "default") known.add(name);
    }
    bySpecifier.set(specifier, known);
  }
  return bySpecifier;
}

/** Each set of unknown names is a module of its own: what one file wants another need not. */
export function sdkUrl(specifier: string, from: string, isRequired: boolean): string {
  const known = sdkNames(subpathOf(specifier));
  const asked = [...(wantedBy(from).get(specifier) ?? [])].filter((name) => !(name in known)).sort();
  const kind = isRequired ? "script" : "module";
  return `${SCHEME}${kind}/${encodeURIComponent(subpathOf(specifier))}?names=${asked.join(",")}`;
}

export function sdkSource(url: string): { readonly format: "module" | "commonjs"; readonly source: string } {
  const { pathname, searchParams } = new URL(url);
  const [kind, encoded = ""] = pathname.split("/");
  const subpath = decodeURIComponent(encoded);
  provide();
  const read = `globalThis[Symbol.for("chela.plugin-sdk")](${JSON.stringify(subpath)})`;
  if (kind === "script") return { format: "commonjs", source: `module.exports = ${read};` };
  const asked = (searchParams.get("names") ?? "").split(",").filter((name) => name !== "");
  const names = [...new Set([...Object.keys(sdkNames(subpath)), ...asked])].filter((name) => name !== "default");
  const lines = names.map(
    (name, at) => `const own_${at} = sdk[${JSON.stringify(name)}]; export { own_${at} as ${name} };`,
  );
  return { format: "module", source: [`const sdk = ${read};`, ...lines, "export default sdk;"].join("\n") };
}

/** The modules are made of text, so what they hold is handed to them by a name. */
function provide(): void {
  const place = globalThis as unknown as Record<symbol, unknown>;
  place[REGISTRY] ??= (subpath: string): unknown => namesWithStubs(subpath);
}

function namesWithStubs(subpath: string): unknown {
  return new Proxy(sdkNames(subpath), {
    get: (names, name) =>
      typeof name === "symbol" || name in names ? Reflect.get(names, name) : stubOf(name, subpath),
  });
}

/** Asked for without being called, such as a promise's `then`, it must not look like what it is not. */
const NEVER_STUBS = new Set(["then", "default", "__esModule", "toJSON", "constructor", "prototype"]);

function stubOf(name: string, subpath: string): unknown {
  if (NEVER_STUBS.has(name)) return undefined;
  const stub = (): never => {
    throw new Error(
      `openclaw/${subpath} has no "${name}" here: this plugin uses a part of OpenClaw's SDK that Chela does not have`,
    );
  };
  return Object.defineProperty(stub, "name", { value: name });
}

function subpathOf(specifier: string): string {
  return (PACKAGES.exec(specifier)?.[1] ?? "").slice(1);
}

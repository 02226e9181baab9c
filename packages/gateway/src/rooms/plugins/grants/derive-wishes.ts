// What a plugin seems to need: what its manifest says, and what can be seen in its own code. Whoever approves it is shown both.
import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { typedHookRow, isTypedHook } from "@chela/sdk";
import type { FoundPlugin, PluginManifest } from "../discover/found.ts";
import { textsOf, MANIFEST } from "../discover/read-manifest.ts";
import type { Wish } from "./grant.ts";

const CODE = new Set([".ts", ".js", ".mts", ".mjs", ".cts", ".cjs", ".tsx", ".jsx"]);
const MOST_FILES = 400;
const MOST_BYTES = 2 * 1024 * 1024;
const MOST_OF_A_KIND = 40;

export async function deriveWishes({
  manifest,
  root,
  file,
}: Pick<FoundPlugin, "manifest" | "root" | "file">): Promise<readonly Wish[]> {
  const said = wishesOf(manifest);
  // Whoever says what it needs is taken at its word; the walls hold it to that.
  if (manifest.permissions) return unique(said);
  const seen: Wish[] = [];
  for (const path of file === undefined ? await ownFiles(root) : [file]) {
    const name = relative(root, path).split(sep).join("/");
    seen.push(...wishesIn(await readFile(path, "utf8").catch(() => ""), name));
  }
  return unique([...said, ...seen]);
}

function wishesOf({ permissions, envNames }: PluginManifest): Wish[] {
  const why = `${MANIFEST} says so`;
  const list = (key: "hosts" | "read" | "write" | "env" | "config") =>
    textsOf(permissions?.[key]).map((value): Wish => ({ key, value, why }));
  const switches = (["exec", "native", "conversation"] as const).filter((key) => permissions?.[key] === true);
  return [
    ...envNames.map((value): Wish => ({ key: "env", value, why: `${MANIFEST} names it for a provider` })),
    ...list("hosts"),
    ...list("read"),
    ...list("write"),
    ...list("env"),
    ...list("config"),
    ...switches.map((key): Wish => ({ key, why })),
  ];
}

const HOST =
  /["'`]https?:\/\/([a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+)(?::(\d{2,5}))?(?=[/"'`?#$])/gi;
const LOCAL = /["'`]https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])/;
const ENV = /process\.env(?:\.([A-Z][A-Z0-9_]{2,80})\b|\[["']([A-Z][A-Z0-9_]{2,80})["']\])/g;
const HOOK = /\.on\(\s*["']([a-z_]{3,40})["']/g;
const EXEC = /["'](?:node:)?child_process["']|\brunCommandWithTimeout\b/;
const NATIVE = /\.node["']\s*\)|["']bindings["']/;
/** Examples, and what stands in licences and schemas. */
const NO_HOSTS =
  /(?:^|\.)(?:example\.(?:com|org|net)|w3\.org|json-schema\.org|schema\.org|opensource\.org|npmjs\.com|github\.com)$/;
/** Everybody looks at these, and most find nothing. */
const USUAL_ENV = new Set(["NODE_ENV", "HOME", "PATH", "DEBUG", "PWD", "USER", "SHELL", "TMPDIR", "CI"]);

/** Of one file, by what is written in it. */
export function wishesIn(text: string, name: string): Wish[] {
  const wishes: Wish[] = [];
  const at = (index: number): string => `${name}:${text.slice(0, index).split("\n").length}`;
  for (const match of text.matchAll(HOST)) {
    const [, host = "", port] = match;
    if (NO_HOSTS.test(host) || /^[\d.]+$/.test(host)) continue;
    const value = port === undefined ? host.toLowerCase() : `${host.toLowerCase()}:${port}`;
    wishes.push({ key: "hosts", value, why: `an address in ${at(match.index)}` });
  }
  const local = LOCAL.exec(text);
  if (local) wishes.push({ key: "hosts", value: "*", why: `a program on this machine is named in ${at(local.index)}` });
  for (const match of text.matchAll(ENV)) {
    const value = match[1] ?? match[2] ?? "";
    if (!USUAL_ENV.has(value)) wishes.push({ key: "env", value, why: `read in ${at(match.index)}` });
  }
  for (const match of text.matchAll(HOOK)) {
    const [, hook = ""] = match;
    if (isTypedHook(hook) && typedHookRow(hook).seesWords)
      wishes.push({ key: "conversation", why: `the hook ${hook} in ${at(match.index)}` });
  }
  const exec = EXEC.exec(text);
  if (exec) wishes.push({ key: "exec", why: `starts programs in ${at(exec.index)}` });
  const native = NATIVE.exec(text);
  if (native) wishes.push({ key: "native", why: `loads a native part in ${at(native.index)}` });
  return wishes;
}

/** The first of each, and not more than anybody would read. */
function unique(wishes: readonly Wish[]): readonly Wish[] {
  const counts = new Map<string, number>();
  const seen = new Set<string>();
  return wishes.filter((wish) => {
    const name = "value" in wish ? `${wish.key} ${wish.value}` : wish.key;
    if (seen.has(name)) return false;
    seen.add(name);
    const count = (counts.get(wish.key) ?? 0) + 1;
    counts.set(wish.key, count);
    return count <= MOST_OF_A_KIND;
  });
}

/** Not those of the libraries it brings. */
async function ownFiles(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  const walk = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      if (found.length >= MOST_FILES || entry.name === "node_modules" || entry.name.startsWith(".")) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await walk(path);
      else if (entry.isFile() && CODE.has(extname(path)) && (await stat(path)).size <= MOST_BYTES) found.push(path);
    }
  };
  await walk(root);
  return found.sort();
}

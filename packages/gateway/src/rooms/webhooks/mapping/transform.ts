// A program of the operator's that looks at a request before its mapping does. It lies in one folder, and nothing outside of it is run.
import { realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Clock } from "@chela/sdk";
import { errnoOf, isInside } from "@chela/sdk/files";
import { waitAtMost } from "@chela/sdk/base";
import { Overrides, readWish } from "../wish.ts";

export interface TransformCall {
  readonly payload: unknown;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly url: URL;
  readonly path: string;
}

export type Transformed =
  | { readonly kind: "overrides"; readonly overrides: Overrides }
  /** The request is of no interest. */
  | { readonly kind: "dropped" }
  /** `why` is for the log; whoever sent the request learns nothing of it. */
  | { readonly kind: "failed"; readonly why: string };

export interface TransformParts {
  readonly clock: Clock;
  readonly configDir: string;
  /** As it is written; the usual folder when absent. */
  readonly transformsDir: string | undefined;
}

const TIMEOUT_MS = 10_000;
const ENDINGS = /\.(?:[cm]?[jt]s)$/;

export async function runTransform(
  { module, exportName }: { readonly module: string; readonly exportName: string | undefined },
  call: TransformCall,
  parts: TransformParts,
): Promise<Transformed> {
  const found = findModule(module, parts);
  if (found.kind === "failed") return found;
  try {
    const transform = await loadTransform(found.href, exportName);
    if (!transform) return failed(`${module} has no ${exportName ?? "default"} export that is a function`);
    const result = await waitAtMost(TIMEOUT_MS, Promise.resolve(transform(call)), parts.clock);
    if (result === "late") return failed(`${module} did not end within ${TIMEOUT_MS / 1000} seconds`);
    return readResult(module, result);
  } catch (error) {
    return failed(`${module} threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
}

const failed = (why: string): Extract<Transformed, { kind: "failed" }> => ({ kind: "failed", why });

function readResult(module: string, result: unknown): Transformed {
  if (result === null) return { kind: "dropped" };
  if (result === undefined) return { kind: "overrides", overrides: {} };
  if (typeof result !== "object") return failed(`${module} gave neither an object nor null`);
  const read = readWish(Overrides, result);
  if (read.kind === "refused") return failed(`${module} gave something that cannot be used: ${read.error}`);
  return { kind: "overrides", overrides: read.wish };
}

type FoundProgram = { readonly kind: "found"; readonly href: string } | Extract<Transformed, { kind: "failed" }>;

/** Links are followed first: what counts is where the file really lies. */
function findModule(module: string, { configDir, transformsDir }: TransformParts): FoundProgram {
  const home = join(configDir, "hooks");
  try {
    const folder = realpathSync(resolve(configDir, transformsDir ?? join("hooks", "transforms")));
    if (!isInside(realpathSync(home), folder)) return failed(`hooks.transformsDir must lie inside ${home}`);
    const file = realpathSync(resolve(folder, module));
    if (!isInside(folder, file)) return failed(`${module} does not lie inside ${folder}`);
    const { mtimeMs, size } = statSync(file);
    if (!ENDINGS.test(file))
      return failed(`${module} is no module: its name must end with .ts, .mts, .js, .mjs or .cjs`);
    // A changed file is another module.
    return { kind: "found", href: `${pathToFileURL(file).href}?version=${mtimeMs}-${size}` };
  } catch (error) {
    return failed(
      `${module} cannot be read from ${transformsDir ?? "hooks/transforms"} (${errnoOf(error) ?? "unknown error"})`,
    );
  }
}

type Transform = (call: TransformCall) => unknown;

async function loadTransform(href: string, exportName: string | undefined): Promise<Transform | undefined> {
  const loaded = (await import(/* @vite-ignore */ href)) as Record<string, unknown>;
  const names = exportName ? [exportName] : ["default", "transform"];
  const found = names.map((name) => (Object.hasOwn(loaded, name) ? loaded[name] : undefined));
  return found.find((value) => typeof value === "function") as Transform | undefined;
}

// Whether files of a plugin lie where only the owner can have put them. Looked at before anything of them is read.
import { lstatSync, realpathSync, statSync, type Stats } from "node:fs";
import { isInside } from "@chela/sdk/files";
import type { PluginOrigin, Trouble } from "./found.ts";

type Blocked = Extract<Trouble, { kind: "blocked" }>;

export interface LookedAt {
  readonly path: string;
  readonly origin: PluginOrigin;
  /** The folder that its real path must not leave; undefined where the owner named the path. */
  readonly within: string | undefined;
}

export type Safety = { readonly kind: "safe"; readonly real: string } | Blocked;

export function checkSafety(looked: LookedAt, uid = process.getuid?.()): Safety {
  const { path, origin, within } = looked;
  let real: string;
  let stats: Stats;
  try {
    lstatSync(path);
    real = realpathSync(path);
    stats = statSync(real);
  } catch {
    return blocked("path_stat_failed", `${path} cannot be looked at`, `Look at it with: ls -l ${path}`);
  }
  if (within !== undefined && !isInside(realOf(within), real)) {
    const why = `${path} is a link that leads out of ${within}, to ${real}`;
    return blocked("source_escapes_root", why, `Name it yourself: chela config set plugins.load.paths '["${real}"]'`);
  }
  return checkOwner(real, stats, origin, uid) ?? { kind: "safe", real };
}

function checkOwner(
  real: string,
  { mode, uid: owner }: Stats,
  origin: PluginOrigin,
  uid: number | undefined,
): Blocked | undefined {
  if (uid === undefined || origin === "bundled") return undefined;
  if ((mode & 0o002) !== 0) {
    return blocked("path_world_writable", `every user of this machine can write to ${real}`, `chmod o-w ${real}`);
  }
  if (owner === uid || owner === 0) return undefined;
  const why = `${real} belongs to another user (${owner}, and the gateway is ${uid})`;
  return blocked("path_suspicious_ownership", why, `chown ${uid} ${real}`);
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function blocked(reason: Blocked["reason"], why: string, fix: string): Blocked {
  return { kind: "blocked", reason, why: `${why}.`, fix };
}

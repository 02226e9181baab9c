// Settings of the sandbox of one agent, with what holds where the configuration says nothing.
import { writtenAgent } from "./defaults.ts";
import { filled, laidOver } from "@chela/sdk/config";
import { sandbox } from "../schema/agent-parts.ts";
import type { ChelaConfig } from "../schema/sections.ts";
import { expandHome, type StatePaths } from "../state/state-paths.ts";

type WrittenSandbox = NonNullable<NonNullable<NonNullable<ChelaConfig["agents"]>["defaults"]>["sandbox"]>;
type WrittenDocker = NonNullable<WrittenSandbox["docker"]>;

export interface SandboxSettings {
  /** Undefined when nothing is said: then it depends on whether this machine can keep a sandbox. */
  readonly mode: "off" | "non-main" | "all" | undefined;
  readonly backend: "auto" | "bubblewrap" | "docker" | "podman" | "host";
  /** Undefined when nothing is said: a sandbox for each chat, and one for what the agent does by itself. */
  readonly scope: "session" | "agent" | "shared" | undefined;
  /** Undefined when nothing is said: then it depends on who speaks in the conversation. */
  readonly workspaceAccess: "none" | "ro" | "rw" | undefined;
  /** Where sandboxes have their own folders. */
  readonly root: string;
  readonly allowHosts: readonly string[];
  readonly limits: NonNullable<WrittenSandbox["limits"]>;
  readonly docker: WrittenDocker;
  readonly prune: { readonly idleHours: number; readonly maxAgeDays: number };
}

export function sandboxSettings(config: ChelaConfig, agentId: string, paths: StatePaths): SandboxSettings {
  const all = config.agents?.defaults?.sandbox ?? {};
  const own = writtenAgent(config, agentId)?.sandbox ?? {};
  const of = filled(sandbox(), laidOver(all, own));
  const scope = of.scope ?? perSession(own, all);
  // A sandbox that all agents share cannot be another one for each of them.
  const dockers = scope === "shared" ? [all.docker] : [all.docker, own.docker];
  return {
    mode: of.mode,
    backend: of.backend,
    scope,
    workspaceAccess: of.workspaceAccess,
    root: expandHome(of.workspaceRoot ?? `${paths.stateDir}/sandboxes`, paths.home),
    allowHosts: of.allowHosts ?? [],
    limits: { ...all.limits, ...own.limits },
    docker: Object.assign({}, ...dockers),
    prune: of.prune,
  };
}

/** The image of containers, where nobody names another. */
export function sandboxImage({ docker }: Pick<SandboxSettings, "docker">): string {
  return filled(sandbox(), { docker }).docker.image;
}

/** The older way to say it. */
function perSession(own: WrittenSandbox, all: WrittenSandbox): "session" | "agent" | undefined {
  const written = own.perSession ?? all.perSession;
  return written === undefined ? undefined : written ? "session" : "agent";
}

// Settings of the sandbox of one agent, from the configuration.
import type { SandboxBackendId, WorkspaceAccess } from "@chela/sdk";

export interface SandboxSettings {
  /** Undefined when nothing is said: then it depends on whether this machine can keep a sandbox. */
  readonly mode: "off" | "non-main" | "all" | undefined;
  readonly backend: SandboxBackendId | "auto" | "host";
  /** Undefined when nothing is said: a sandbox for each chat, and one for what the agent does by itself. */
  readonly scope: "session" | "agent" | "shared" | undefined;
  /** Undefined when nothing is said: then it depends on who speaks in the conversation. */
  readonly workspaceAccess: WorkspaceAccess | undefined;
  /** Where sandboxes have their own folders. */
  readonly root: string;
  readonly allowHosts: readonly string[];
  readonly limits: {
    readonly memoryMb?: number | undefined;
    readonly processes?: number | undefined;
    readonly cpuSeconds?: number | undefined;
    readonly fileMb?: number | undefined;
    readonly openFiles?: number | undefined;
    readonly diskMb?: number | undefined;
    readonly files?: number | undefined;
    readonly keepFreeMb?: number | undefined;
  };
  readonly docker: DockerSettings;
  readonly prune: { readonly idleHours: number; readonly maxAgeDays: number };
}

/** As OpenClaw writes it; some of it means something for every backend. */
interface DockerSettings {
  readonly image?: string | undefined;
  readonly containerPrefix?: string | undefined;
  readonly workdir?: string | undefined;
  readonly readOnlyRoot?: boolean | undefined;
  readonly tmpfs?: readonly string[] | undefined;
  readonly network?: string | undefined;
  readonly user?: string | undefined;
  readonly capDrop?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly setupCommand?: string | undefined;
  readonly pidsLimit?: number | undefined;
  readonly memory?: string | number | undefined;
  readonly memorySwap?: string | number | undefined;
  readonly cpus?: number | undefined;
  readonly ulimits?:
    | Readonly<
        Record<string, string | number | { readonly soft?: number | undefined; readonly hard?: number | undefined }>
      >
    | undefined;
  readonly seccompProfile?: string | undefined;
  readonly apparmorProfile?: string | undefined;
  readonly dns?: readonly string[] | undefined;
  readonly extraHosts?: readonly string[] | undefined;
  readonly binds?: readonly string[] | undefined;
  readonly dangerouslyAllowReservedContainerTargets?: boolean | undefined;
  readonly dangerouslyAllowExternalBindSources?: boolean | undefined;
}

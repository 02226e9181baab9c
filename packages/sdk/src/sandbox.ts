// The seam for sandboxes: a place where commands run and can reach nothing that was not put there.

/** Folders a sandbox sees, beside a read-only system and private temporary folders. */
export interface SandboxMount {
  /** Absolute path on the gateway's machine, links resolved. */
  readonly outside: string;
  /** Absolute path inside. */
  readonly inside: string;
  readonly isWritable: boolean;
}

export interface SandboxLimits {
  readonly memoryBytes: number;
  readonly processes: number;
  /** Processor time of one process. */
  readonly cpuSeconds: number;
  readonly fileBytes: number;
  readonly openFiles: number;
  /** Share of processors, such as 1.5; absent leaves it to the machine. */
  readonly cpus?: number;
}

/** What a sandbox may take of the machine's disk. */
export interface SandboxDisk {
  /** Outside; the folder that is its own alone. Absent where it writes to somebody else's, such as a workspace. */
  readonly folder?: string;
  /** The part of it that is being used. What lies beside it is of earlier lives, and goes when there is no room. */
  readonly inUse?: string;
  /** Of that folder. */
  readonly bytes: number;
  readonly files: number;
  /** Nothing goes on when a disk that it writes to has less than this left; 0 does not look. */
  readonly keepFreeBytes: number;
}

export type SandboxNetwork =
  | { readonly kind: "none" }
  /** Only these hosts, through our own proxy. */
  | { readonly kind: "hosts"; readonly hosts: readonly string[] }
  /** A network of the container engine by its name; "host", the machine's own, only where the operator wrote just that. */
  | { readonly kind: "named"; readonly name: string };

/** What only container engines know. */
export interface ContainerProfile {
  readonly image: string;
  readonly namePrefix: string;
  readonly isRootReadOnly: boolean;
  readonly tmpfs: readonly string[];
  readonly user?: string;
  readonly capDrop: readonly string[];
  readonly setupCommand?: string;
  readonly memorySwapBytes?: number;
  readonly ulimits: Readonly<Record<string, { readonly soft: number; readonly hard: number }>>;
  readonly seccompProfile?: string;
  readonly apparmorProfile?: string;
  readonly dns: readonly string[];
  readonly extraHosts: readonly string[];
}

/**
 * Everything that holds for one sandbox. It is worked out from the configuration alone, once for each scope;
 * nothing a model, a message or a tool argument says is part of it.
 */
export interface SandboxProfile {
  /** Which conversations share it: "session:<key>", "agent:<id>" or "shared". */
  readonly scope: string;
  /** Where commands begin; one of the mounts. */
  readonly workdir: string;
  readonly mounts: readonly SandboxMount[];
  readonly network: SandboxNetwork;
  readonly limits: SandboxLimits;
  /** Absent where nobody counts. */
  readonly disk?: SandboxDisk;
  /** The whole environment inside: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly container: ContainerProfile;
}

export type SandboxBackendId = "bubblewrap" | "docker" | "podman";

export type SandboxCheck =
  | { readonly kind: "ready"; readonly version: string; readonly notes: readonly string[] }
  /**
   * What is missing and what to do about it, in whole sentences. What may pass by itself (no descriptors, no memory, a
   * full disk) says nothing about this machine: it is looked at again with the next sandbox that is asked for.
   */
  | { readonly kind: "unusable"; readonly why: string; readonly fix: string; readonly mayPass?: boolean };

export interface SandboxCommand {
  /** Handed to one shell inside, as it was written. */
  readonly command: string;
  /** Inside. */
  readonly cwd: string;
  /** Added to the profile's environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly takesInput: boolean;
  onText(text: string): void;
}

export interface SandboxExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** A command that runs inside. */
export interface SandboxedProcess {
  /** Known once it has begun; inside numbers differ. */
  readonly pid: number | undefined;
  /** The command itself ended; what it started may still run. */
  readonly exited: Promise<SandboxExit>;
  /** All its output was read. */
  readonly closed: Promise<void>;
  /** False when it takes no input, or no more. */
  write(data: string | Uint8Array): boolean;
  closeInput(): boolean;
  pause(): void;
  resume(): void;
  /** Reaches the command and whatever it started. */
  signal(signal: "SIGTERM" | "SIGKILL" | "SIGINT"): void;
  /** Stops reading output that something out of reach still holds. */
  abandon(): void;
}

/** One sandbox that stands: commands started in it see each other's files and processes. */
export interface SandboxPlace {
  readonly backend: SandboxBackendId;
  readonly profile: SandboxProfile;
  /** Throws SANDBOX_FAILED when the sandbox is gone and could not be set up again; never runs anything outside. */
  start(command: SandboxCommand): Promise<SandboxedProcess>;
  /** How to start a program of a terminal inside: a command line for the gateway's machine. Absent where that cannot be. */
  terminal?(command: Omit<SandboxCommand, "onText" | "takesInput">): {
    readonly file: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  };
  /** Ends everything inside; who runs there is told `why`, one half of a sentence. */
  close(why?: string): Promise<void>;
}

export interface SandboxBackend {
  readonly id: SandboxBackendId;
  /** Quick: whether commands can be kept here at all, tried and not guessed. */
  check(): Promise<SandboxCheck>;
  /** The sandbox of this scope, set up when there is none. Throws SANDBOX_FAILED. */
  open(profile: SandboxProfile): Promise<SandboxPlace>;
  /** What stands, also from an earlier run of the gateway. */
  list(): Promise<readonly StandingSandbox[]>;
  /** Takes a standing one down, so that the next command sets it up anew. */
  remove(name: string): Promise<void>;
  close(): Promise<void>;
}

export interface StandingSandbox {
  readonly backend: SandboxBackendId;
  /** The backend's own name for it. */
  readonly name: string;
  readonly scope: string;
  readonly isRunning: boolean;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  /** Set up from another configuration than today's. */
  readonly isOutdated: boolean;
}

/** What the tools of a sandboxed conversation see of their sandbox. */
export interface SandboxView {
  readonly scope: string;
  readonly backend: SandboxBackendId;
  readonly workdir: string;
  readonly mounts: readonly SandboxMount[];
  /** Why nothing may be written in it now, in a sentence; undefined when it may. */
  whyNoWrites?(): Promise<string | undefined>;
  /** Sets it up when it does not stand. Throws SANDBOX_FAILED. */
  open(): Promise<SandboxPlace>;
}

// Everything the checks look at. It is gathered once; no secret is part of it, only what was found out about secrets.
import type { Settings } from "./settings.ts";
import type { SecretStrength } from "../../base/secret-strength.ts";

export interface FileFact {
  readonly path: string;
  /** `secret`: credentials. `personal`: conversations and logs. */
  readonly kind: "secret" | "personal" | "directory";
  readonly mode: number;
  readonly uid: number;
  /** Where a link leads. */
  readonly leadsTo?: string;
}

/** A directory above the state directory in which every user may rename things. */
export interface LooseParent {
  readonly path: string;
  readonly mode: number;
}

interface PlaintextPlace {
  /** A key of the configuration, or a file. */
  readonly where: string;
  /** Keys and names, never values. */
  readonly names: readonly string[];
  readonly kind: "config" | "profiles" | "env";
}

export interface AllowedProgram {
  readonly agentId: string;
  readonly pattern: string;
  readonly argPattern?: string;
  /** It says which arguments. */
  readonly isNarrow: boolean;
  /** Completes "<name> …", for programs that run others. */
  readonly runsOthers?: string;
}

export interface ApprovalsFacts {
  readonly path: string;
  /** Why it cannot be used. */
  readonly problem?: string;
  readonly rules: ReadonlyArray<{
    /** "defaults" or the id of an agent. */
    readonly of: string;
    readonly security?: string;
    readonly ask?: string;
    readonly askFallback?: string;
  }>;
  readonly programs: readonly AllowedProgram[];
}

interface HookFact {
  readonly name: string;
  readonly source: string;
  readonly state: string;
  readonly path?: string;
}

interface JobFact {
  readonly id: string;
  readonly name: string;
  /** Where its results are posted to. */
  readonly urls: readonly string[];
}

interface SandboxFacts {
  /** The one that is used, or would be. */
  readonly backend: string;
  readonly ok: boolean;
  /** What is missing, in whole sentences. */
  readonly why?: string;
  /** What `mode` means where the configuration says nothing. */
  readonly defaultMode: "off" | "non-main" | "all";
}

/** What a running gateway answered to somebody without a credential. */
export interface ProbeFacts {
  readonly port: number;
  /** Addresses of this machine, other than loopback, under which it answered. */
  readonly reachedAt: readonly string[];
  /** Paths that need a credential and were answered without one. */
  readonly openRoutes: readonly string[];
  /** A wrong credential was taken for a right one. */
  readonly takesWrongCredential: boolean;
}

export interface SecurityFacts {
  readonly platform: string;
  /** Undefined where the system has none. */
  readonly uid: number | undefined;
  readonly nodeVersion: string;
  readonly neededNode: number;
  readonly stateDir: string;
  readonly configPath: string;
  /** What is in force, secrets replaced. */
  readonly config: Settings;
  /** Why the file itself could not be looked at. */
  readonly configProblem?: string;
  readonly auth: {
    readonly mode: string;
    /** Where the credential lies: a key, a file or a variable. */
    readonly where: string;
    /** Absent: there is none. */
    readonly secret?: SecretStrength;
  };
  readonly webhookToken?: { readonly secret: SecretStrength; readonly isGatewaySecret: boolean };
  /** The listener for scripts. */
  readonly secondDoor?: { readonly secret: SecretStrength; readonly isGatewaySecret: boolean };
  /** Credentials may travel unencrypted over a network. */
  readonly allowsPlaintext: boolean;
  readonly files: readonly FileFact[];
  readonly looseParents: readonly LooseParent[];
  readonly plaintext: readonly PlaintextPlace[];
  readonly approvals?: ApprovalsFacts;
  readonly hooks: readonly HookFact[];
  /** Folders with code of others in the state directory. */
  readonly extensions: readonly string[];
  readonly jobs: readonly JobFact[];
  /** Absent: nobody looked. */
  readonly sandbox?: SandboxFacts;
  readonly probe?: ProbeFacts;
}

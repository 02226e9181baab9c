// Checks of the security audit: what a part knows to be weak, what that can lead to, and what to do about it.

export type SecuritySeverity = "critical" | "warning" | "info";

/** What is told together, in this order, among what is equally bad. */
export const SECURITY_TOPICS = [
  "doors",
  "side doors",
  "people",
  "commands",
  "sandbox",
  "files",
  "outside",
  "upkeep",
] as const;
export type SecurityTopic = (typeof SECURITY_TOPICS)[number];

/** One question about what is known. Pure: it looks at nothing but the facts. */
export interface SecurityCheck {
  readonly topic: SecurityTopic;
  look(facts: SecurityFacts): readonly SecurityWeakness[];
}

/** What is weak. Never holds a secret. */
export interface SecurityWeakness {
  /** The check, and the place when a check can find several. Stays the same as long as the weakness does. */
  readonly id: string;
  readonly severity: SecuritySeverity;
  readonly title: string;
  /** What may happen, in one sentence. */
  readonly risk: string;
  /** A place of the configuration, a file, or an environment variable. */
  readonly where: string;
  /** What to do; a command where there is one. */
  readonly fix: string;
  readonly repair?: SecurityRepair;
  /** The repair changes how something behaves that somebody asked for: it is done only when they say so again. */
  readonly asksFirst?: true;
}

/** A change that puts a weakness right. It can neither lock anybody out who is named, nor lose anything. */
export type SecurityRepair =
  | { readonly kind: "modes"; readonly files: ReadonlyArray<{ readonly path: string; readonly mode: number }> }
  /** Without a value the key is taken away, so that its default holds. */
  | { readonly kind: "config"; readonly path: string; readonly value?: unknown };

/** Everything the checks look at: what was gathered, and what the configuration means. */
export interface SecurityFacts extends GatheredFacts, ReadFacts {}

/** A configuration of which nothing is taken for granted. */
export type Settings = Readonly<Record<string, unknown>>;

/** What is read from the configuration for the checks of more than one part. */
export interface ReadFacts {
  /** How others get to the gateway; undefined when only this machine does. */
  readonly exposure: string | undefined;
  /** Where rules for agents are written: first those for all of them. */
  readonly rules: readonly RulePlace[];
  /** What the freest agent may do with commands on this machine. */
  readonly freedom: CommandFreedom;
  readonly isSandboxedSomewhere: boolean;
  /** Where it is written who may speak. */
  readonly channels: readonly ChannelPlace[];
  /** People nobody named may speak somewhere. */
  readonly hasOpenPlaces: boolean;
}

/** Without a person's yes, with one, or not on this machine at all. */
export type CommandFreedom = "free" | "asked" | "none";

/** Where rules are written: once for all agents, and for single ones. */
export interface RulePlace {
  /** "every agent", or which one. */
  readonly who: string;
  readonly toolsAt: string;
  /** As they are written here. */
  readonly tools: Settings;
  readonly sandboxAt: string;
  readonly sandbox: Settings;
}

/** A channel's block, or one of its accounts. */
export interface ChannelPlace {
  readonly at: string;
  /** Only what is written in it. */
  readonly own: Settings;
  /** Undefined when nothing is written here about direct messages. */
  readonly direct: { readonly key: string; readonly policy: string } | undefined;
  /** Who may write directly, and the key under which they are written. */
  readonly people: { readonly key: string; readonly list: readonly string[] };
  /** Strangers may write directly. */
  readonly isOpenToStrangers: boolean;
  /** Whoever is in a group with us may speak there. */
  readonly hasOpenGroups: boolean;
}

/** What was looked up once. No secret is part of it, only what was found out about secrets. */
export interface GatheredFacts {
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
  /** Absent: nobody looked. */
  readonly skills?: readonly SkillFact[];
  /** Folders with code of others in the state directory. */
  readonly extensions: readonly string[];
  readonly jobs: readonly JobFact[];
  /** Absent: nobody looked. */
  readonly sandbox?: SandboxFacts;
  readonly probe?: ProbeFacts;
}

/** How hard a credential is to guess. */
export interface SecretStrength {
  readonly length: number;
  /** Somebody who tries usual words finds it. */
  readonly isGuessable: boolean;
  /** Not guessable, but too short to withstand somebody who tries them all. */
  readonly isShort: boolean;
}

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

/** A skill agents may use that did not come with the gateway. */
export interface SkillFact {
  readonly name: string;
  readonly path: string;
  /** Its files are not those that were installed, or that somebody accepted. */
  readonly isChanged: boolean;
  /** Somebody looked at exactly these files and installed them. */
  readonly isInstalled: boolean;
  /** What malicious skills do, as "file:line, what it is". */
  readonly critical: readonly string[];
}

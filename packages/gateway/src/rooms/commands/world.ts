// What the commands need of the rest of the gateway. A world belongs to one message.
import type { SessionEntry } from "@chela/sdk";
import type { CommandRequester, CommandSettings } from "./authorise.ts";

/** The fields of a session that commands change; null takes a field away. */
export type SessionPatch = {
  readonly [
    Field in
      | "thinkingLevel"
      | "verboseLevel"
      | "reasoningLevel"
      | "elevatedLevel"
      | "execHost"
      | "execSecurity"
      | "execAsk"
      | "execNode"
      | "responseUsage"
      | "providerOverride"
      | "modelOverride"
      | "authProfileOverride"
      | "authProfileOverrideSource"
      | "groupActivation"
      | "groupActivationNeedsSystemIntro"
      | "sendPolicy"
      | "queueMode"
      | "queueDebounceMs"
      | "queueCap"
      | "queueDrop"
  ]?: NonNullable<SessionEntry[Field]> | null;
};

/** What holds where the session says nothing. */
export interface SessionDefaults {
  readonly thinking: string;
  readonly verbose: string;
  readonly reasoning: string;
  readonly elevated: string;
  readonly exec: { readonly host: string; readonly security: string; readonly ask: string };
  readonly queue: string;
  readonly activation: string;
}

export type Refusal = { readonly kind: "refused"; /** One sentence for the person. */ readonly why: string };

export interface ModelChoice {
  readonly provider: string;
  readonly id: string;
  readonly name: string;
  readonly alias?: string;
}

export interface CurrentModel {
  /** `provider/model`, as are all references here. */
  readonly ref: string;
  readonly defaultRef: string;
  /** Where the credential comes from, in a word or two; never the credential. */
  readonly credential?: string;
  readonly thinkingLevels: readonly string[];
}

export interface CommandModels {
  /** All that can be called, in an order that stays: people choose by number. */
  list(): Promise<readonly ModelChoice[]>;
  /** By reference, alias or the bare id of a known model. */
  resolve(ref: string): Promise<{ readonly kind: "found"; readonly model: ModelChoice } | Refusal>;
  /** What this session would call, first choice first. */
  candidates(): Promise<readonly string[]>;
  current(): Promise<CurrentModel>;
  /** The ids of the credentials an agent has for a provider. */
  profiles(provider: string): Promise<readonly string[]>;
}

/** Values come as they were typed: JSON5, or else a string. Unknown paths and bad values are refusals. */
export interface CommandConfig {
  /** Secrets are masked; without a path, the whole. Undefined where nothing is set. */
  get(path?: string): Promise<unknown>;
  set(path: string, value: string): Promise<ConfigChange>;
  unset(path: string): Promise<ConfigChange>;
}

export type ConfigChange = { readonly kind: "changed"; readonly needsRestart: boolean } | Refusal;

/** Overrides of the configuration that live until the gateway stops. */
export interface DebugOverrides {
  /** By path; secrets are masked. */
  show(): Readonly<Record<string, unknown>>;
  set(path: string, value: string): { readonly kind: "changed" } | Refusal;
  unset(path: string): { readonly kind: "changed" } | Refusal;
  reset(): void;
}

export type ApprovalDecision = "allow-once" | "allow-always" | "deny";

export interface PendingApproval {
  readonly id: string;
  readonly command: string;
  readonly expiresAt: number;
}

export interface CommandApprovals {
  /** What waits for an answer this requester may give. */
  list(): Promise<readonly PendingApproval[]>;
  resolve(
    id: string,
    decision: ApprovalDecision,
  ): Promise<{ readonly kind: "resolved"; readonly command: string } | Refusal>;
}

export interface Spending {
  readonly tokens: number;
  /** US dollars; undefined when no price is known. */
  readonly cost?: number;
}

export interface Budget {
  /** What it limits, such as "per day". */
  readonly name: string;
  readonly unit: "usd" | "tokens";
  readonly limit: number;
  readonly used: number;
  readonly resetsAt?: number;
}

export interface ContextPart {
  readonly name: string;
  readonly chars: number;
  readonly isCut?: boolean;
}

export interface ContextReport {
  readonly usedTokens: number;
  readonly windowTokens: number;
  readonly systemChars: number;
  readonly messages: number;
  readonly files: readonly ContextPart[];
  readonly tools: readonly ContextPart[];
  readonly skills: readonly ContextPart[];
}

/** A place in the conversation one can go back to. */
export interface ConversationPoint {
  /** The id of a transcript entry. */
  readonly id: string;
  readonly name?: string;
  readonly at: number;
  /** The beginning of what was said there. */
  readonly preview: string;
}

export interface ConversationBranch extends ConversationPoint {
  readonly isCurrent: boolean;
}

export type ConversationMove = { readonly kind: "moved"; readonly to: ConversationPoint } | Refusal;

/** Nothing is ever deleted: what is left behind stays a branch. */
export interface ConversationTree {
  /** Names the place the conversation has reached. A name that exists moves here. */
  checkpoint(name: string): Promise<ConversationPoint>;
  /** Back along the present branch: by a number of turns, or to a checkpoint or entry. */
  rewind(
    to: { readonly kind: "turns"; readonly count: number } | { readonly kind: "point"; readonly nameOrId: string },
  ): Promise<ConversationMove>;
  /** The ends of all branches and the checkpoints, newest first. */
  branches(): Promise<readonly ConversationBranch[]>;
  /** Goes on from any place of any branch. */
  switchTo(nameOrId: string): Promise<ConversationMove>;
}

/** A sub-agent of the conversation. */
export interface HelperView {
  readonly runId: string;
  readonly sessionKey: string;
  readonly task: string;
  readonly label?: string;
  readonly state: "running" | "announcing" | "ended";
  readonly outcome?: "ok" | "error" | "timeout" | "killed";
  readonly error?: string;
  readonly model?: string;
  readonly createdAt: number;
  readonly tokens?: number;
  readonly result?: string;
}

/** Named by its number in the list, its id, label or session key, or "last"; where several may be meant, "all". */
export interface CommandHelpers {
  /** At work, or done a short while ago; newest first. */
  list(): Promise<readonly HelperView[]>;
  find(target: string): Promise<{ readonly kind: "found"; readonly helper: HelperView } | Refusal>;
  kill(target: string): Promise<{ readonly kind: "killed"; readonly helpers: readonly HelperView[] } | Refusal>;
  /** "said": it heard it while at work. "started": it works again. */
  steer(
    target: string,
    message: string,
  ): Promise<{ readonly kind: "said" | "started"; readonly helper: HelperView } | Refusal>;
  spawn(
    task: string,
    agentId: string | undefined,
  ): Promise<{ readonly kind: "started"; readonly runId: string } | Refusal>;
  /** The last things said in its conversation. */
  log(helper: HelperView): Promise<readonly { readonly role: string; readonly text: string }[]>;
}

/**
 * A command may be run again after a crash, so an effect must not be had twice: `patchSession` is held back and becomes
 * part of the one commit that ends the command, and every other effect is keyed by the message this world belongs to.
 */
export interface CommandWorld {
  readonly version: string;
  /** When the message was admitted, so a second run sees the same time. */
  readonly now: number;
  /** When this process began. */
  readonly startedAt: number;
  readonly timeZone?: string;
  readonly requester: CommandRequester;
  readonly settings: CommandSettings;
  readonly sessionKey: string;
  readonly agentId: string;
  readonly defaults: SessionDefaults;

  /** With what was patched in this world already; the models too go by it. */
  session(): Promise<SessionEntry | undefined>;
  patchSession(fields: SessionPatch): Promise<void>;
  /** Whether this requester may have commands run on the host (`tools.elevated`). */
  elevated(): { readonly kind: "allowed" } | Refusal;

  readonly models: CommandModels;
  readonly config: CommandConfig;
  readonly debug: DebugOverrides;
  readonly approvals: CommandApprovals;
  readonly tree: ConversationTree;
  readonly helpers: CommandHelpers;

  compact(
    instructions: string,
  ): Promise<
    | { readonly kind: "compacted"; readonly before: number; readonly after: number; readonly window: number }
    | { readonly kind: "kept"; readonly why: string }
  >;
  usage(): Promise<{ readonly session: Spending; readonly today: Spending; readonly month: Spending }>;
  budgets(): Promise<readonly Budget[]>;
  contextReport(): Promise<ContextReport>;
  /** Into the agent's workspace; without a path, under a name made of the session's id and `now`. */
  exportSession(path: string | undefined): Promise<{ readonly kind: "written"; readonly path: string } | Refusal>;
  restart(): Promise<{ readonly kind: "restarting" } | Refusal>;
  agents(): readonly { readonly id: string; readonly name?: string }[];
  /** The tools this requester's turns are offered. */
  tools(): Promise<readonly string[]>;
}

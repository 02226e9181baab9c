// Chat commands: words for the gateway instead of a model, as the rooms contribute them.
import { GatewayError } from "../errors.ts";
import type { InboxMessage } from "../ledger.ts";
import type { Requester } from "../requester.ts";
import type { SessionEntry } from "../session.ts";

export const COMMAND_CATEGORIES = ["Session", "Options", "Status", "Management", "Media", "Tools"] as const;
export type CommandCategory = (typeof COMMAND_CATEGORIES)[number];

export type CommandAnswer =
  | { readonly kind: "done"; readonly text: string }
  /** Nothing was changed; the text says why and what is allowed. */
  | { readonly kind: "refused"; readonly text: string }
  | { readonly kind: "stop" }
  | {
      readonly kind: "reset";
      readonly reason: "new" | "reset";
      readonly rest: string;
      /** `provider/model` the new conversation begins with. */
      readonly model?: string;
    };

export const done = (...lines: readonly string[]): CommandAnswer => ({ kind: "done", text: lines.join("\n") });
export const refused = (...lines: readonly string[]): CommandAnswer => ({ kind: "refused", text: lines.join("\n") });

export type Refusal = { readonly kind: "refused"; /** One sentence for the person. */ readonly why: string };

/** What failed and can be put right by the person is an answer. */
export function orRefusal<T>(work: () => T): T | Refusal {
  try {
    return work();
  } catch (error) {
    return refusalOf(error);
  }
}

export async function asyncOrRefusal<T>(work: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await work();
  } catch (error) {
    return refusalOf(error);
  }
}

function refusalOf(error: unknown): Refusal {
  if (!GatewayError.is(error)) throw error;
  return { kind: "refused", why: error.explain() };
}

/** The sender of a message, with what its door found out about it. */
export interface CommandRequester extends Requester {
  /** `operator`: came through the gateway's own door and was judged by its scopes. `sender`: writes in a channel. */
  readonly kind: "operator" | "sender";
  /** The door's own verdict; `commands.allowFrom` overrules it for senders. */
  readonly isAuthorised: boolean;
  /** May answer questions about commands an agent wants to run. */
  readonly canApprove: boolean;
}

type IdList = ReadonlyArray<string | number>;

/** The part of the configuration that decides over commands. */
export interface CommandSettings {
  /** `commands.allowFrom`: lists by channel, or under "*" for all channels. */
  readonly allowFrom?: Readonly<Record<string, IdList | undefined>> | undefined;
  /** `commands.ownerAllowFrom`: ids, also as `channel:id`. */
  readonly ownerAllowFrom?: IdList | undefined;
  readonly config?: boolean | undefined;
  readonly debug?: boolean | undefined;
  readonly restart?: boolean | undefined;
  /** `session.resetTriggers`; /new and /reset are always there. */
  readonly resetTriggers?: readonly string[] | undefined;
  /** Short names of models and what they stand for; each is a command of its own. */
  readonly modelAliases?: Readonly<Record<string, string>> | undefined;
  /** Our name in this chat: commands for another bot are none of ours. Unknown: every name is taken for ours. */
  readonly botName?: string | undefined;
}

export type Who = "everyone" | "authorised" | "approver" | "owner";
export type CommandFlag = "config" | "debug" | "restart";

export interface CommandRule {
  readonly who: Who;
  /** The key under `commands` that switches it on. */
  readonly flag?: CommandFlag;
  /** It changes the conversation itself: what several people share is the owner's to change. */
  readonly changesConversation?: true;
}

/** `start`: nothing but directives stands before it. There people mean a command; inside, only what fits is one. */
export type CommandPlace = "start" | "inside";

export interface KnownNames {
  isModel(ref: string): boolean;
  isCommand(name: string): boolean;
}

/** How many characters of `behind` are arguments; undefined when what stands there cannot be. */
export type TakeArguments = (behind: string, place: CommandPlace, known: KnownNames) => number | undefined;

export interface ChatCommand<House> extends CommandRule {
  readonly name: string;
  readonly aliases: readonly string[];
  /** What may stand behind the name; empty when nothing may. */
  readonly usage: string;
  readonly category: CommandCategory;
  /** A few words, for a list on a small screen. */
  readonly help: string;
  /** Its place in lists; those without one follow by name. */
  readonly listed?: number;
  /** There when the command also works inside a message: what is left of the message goes on to the model. */
  readonly inline?: {
    /** A directive changes the session; a shortcut is answered beside the model's answer. */
    readonly kind: "directive" | "shortcut";
    readonly take: TakeArguments;
  };
  /**
   * It may be run again after a crash, so an effect must not be had twice: what is patched is held back and becomes part of
   * the one commit that ends the command; every other effect is keyed by the message.
   */
  run(args: string, call: ChatCall, house: House): Promise<CommandAnswer>;
}

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
      | "totalTokensFresh"
  ]?: NonNullable<SessionEntry[Field]> | null;
};

/** One message with commands in it: whose, where, and what it changes there. */
export interface ChatCall {
  readonly message: InboxMessage;
  readonly sessionKey: string;
  readonly agentId: string;
  /** When the message was admitted, so a second run sees the same time. */
  readonly now: number;
  readonly requester: CommandRequester;
  readonly settings: CommandSettings;
  /** With what was patched by this message already. */
  session(): Promise<SessionEntry | undefined>;
  patchSession(fields: SessionPatch): Promise<void>;
  /** What `work` does is done in the name of whoever gave the command. */
  inName<T>(work: () => T): T;
  /** The tools this requester's turns are offered. */
  tools(): Promise<readonly string[]>;
  /** Runs one as the requester's turn would, with all that holds for them; tells what it said. */
  runTool(name: string, args: Readonly<Record<string, unknown>>): Promise<string>;
  contextReport(): Promise<ContextReport>;
}

export interface ContextPart {
  readonly name: string;
  readonly chars: number;
  readonly isCut?: boolean;
}

/** What fills a conversation's context. */
export interface ContextReport {
  readonly usedTokens: number;
  readonly windowTokens: number;
  readonly systemChars: number;
  readonly messages: number;
  readonly files: readonly ContextPart[];
  readonly tools: readonly ContextPart[];
  readonly skills: readonly ContextPart[];
}

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

/** The models one session can have. */
export interface SessionModels {
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

// Types of access rules and of the decisions about channel events.
import type { ChannelPolicy, GroupPolicy, KnownPerson } from "@chela/sdk";

/** What the operator wrote, read once: names have become ids that never change. */
export interface AllowLists {
  /** What each entry of a list of people means. An entry that is missing here means nobody. */
  readonly people: ReadonlyMap<string, string>;
  /** `policy.groups` by ids: a chat id, `<guild id>/<chat id>`, `<guild id>/*` or "*". */
  readonly groups: ReadonlyMap<string, GroupPolicy>;
  /** Ids in `commands.ownerAllowFrom` that hold for this channel; absent when that key is not set. */
  readonly owners?: ReadonlySet<string>;
}

export interface MentionRules {
  readonly patterns: readonly RegExp[];
}

export interface AccessRules {
  readonly channel: string;
  readonly account: string;
  readonly policy: ChannelPolicy;
  readonly allowed: AllowLists;
  /** Ids approved by pairing for this channel and account. They count in direct chats and nowhere else. */
  readonly paired: ReadonlySet<string>;
  /** Those of `paired` who were made owner when they were approved. */
  readonly pairedOwners: ReadonlySet<string>;
  readonly mention: MentionRules;
  /** What `/activation` set for the session; overrules `requireMention`. */
  readonly activation?: "mention" | "always" | undefined;
  /** Every id we have on this account. */
  readonly selfIds: ReadonlySet<string>;
  /** Only when `commands.useAccessGroups` is false: whoever may speak may give commands, those for owners excepted. */
  readonly everybodyMayCommand?: boolean;
  /** Who somebody with one of these ids is on this channel and account; absent: nobody is known as a person. */
  personOf?(ids: readonly string[]): KnownPerson | undefined;
}

export interface Standing {
  /** May give commands: is named by id, was approved, or everybody may. */
  readonly isAuthorised: boolean;
  readonly isOwner: boolean;
  readonly person?: KnownPerson;
}

/** Why the event has no effect, as a sentence for `chela explain` and the log. */
export type Refusal =
  /** Somebody unknown wrote directly: they get a pairing code. */
  | { readonly kind: "needs-pairing" }
  /** Not meant for us, or switched off: nobody is told. */
  | { readonly kind: "ignored"; readonly why: string }
  /** This sender may not speak here. */
  | { readonly kind: "denied"; readonly why: string };

export type EventDecision =
  | {
      readonly kind: "allowed";
      readonly sender: Standing;
      readonly wasMentioned: boolean;
      /** What holds in this group: topic over group over "*". Absent in direct chats and groups nothing is said about. */
      readonly group?: GroupPolicy;
    }
  /** Of somebody who may speak here, but not addressed to us: context for the next turn. */
  | { readonly kind: "heard"; readonly why: string }
  | Refusal;

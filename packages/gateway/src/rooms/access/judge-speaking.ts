// Decides who may speak in a chat, whatever it is they do there. Pure; what nothing written allows is refused.
//
// Direct chats, by `dm`:           may speak                                                   others
//   pairing                        named in allowFrom, "*", approved by pairing, or a person   get a pairing code
//   allowlist, open                named in allowFrom, "*" ("open" opens only with it), or     denied
//                                  a person
//   disabled, anything else        nobody                                                      denied
//
// Groups, by `group` (of the topic, else the group, else the account; an account's "disabled" is final):
//   disabled                       nobody
//   allowlist                      in a listed group: the first of these answers that is written
//                                    1. of the topic, else the group, else "*": allowFrom and roles, or the word "open"
//                                    2. groupAllowFrom
//                                    3. allowFrom
//                                  no group is listed at all: answers 2 and 3, where a "*" in allowFrom does not count,
//                                  since it was written about direct chats and nobody vouched for the group
//   open                           answers 1 and 2, and if neither is written everybody
//
// A person is somebody the operator has written down as a member, an approver or an owner. That is a word about direct
// chats; it opens no group. Where they may speak in one, an owner is an owner there, too. A guest may speak where anybody
// may who has their ids, and is nobody's owner and gives no commands, whatever a list says.
//
// An empty list is nobody. Pairing never counts in groups. No key that is missing lets anybody in: access always comes
// from an id, a role, a "*" or the word "open" that somebody wrote. A list that narrows another falls back to that one.
import type { ChannelEvent, ChannelSender, Chat, GroupPolicy, KnownPerson } from "@chela/sdk";
import { findGroup, saysWho } from "./find-group.ts";
import { hasOneOf, holdsRole, idsOf, isForEverybody, names, withoutPlaces } from "./match-ids.ts";
import type { AccessRules, Refusal, Standing } from "./rules.ts";

export type Speaking =
  | {
      readonly kind: "may-speak";
      readonly standing: Standing;
      /** By id or by pairing, and not only because everybody may. */
      readonly isKnown: boolean;
      readonly place: "direct" | "group";
      readonly group?: GroupPolicy;
    }
  | Refusal;

export function judgeSpeaking({ sender, chat }: Pick<ChannelEvent, "sender" | "chat">, rules: AccessRules): Speaking {
  const ids = idsOf(sender);
  return judge(sender, isDirect(chat, ids) ? undefined : chat, rules);
}

/** Whether text of this sender may be shown to a model here: quoted, in a thread's history, as context. */
export function mayQuote(sender: ChannelSender | undefined, { chat, sender: by }: ChannelEvent, rules: AccessRules) {
  if (!sender) return false;
  if (hasOneOf(rules.selfIds, idsOf(sender))) return true;
  return judge(sender, isDirect(chat, idsOf(by)) ? undefined : chat, rules).kind === "may-speak";
}

/** A direct chat is one with the sender and says so itself. Whatever is not clearly that has the rules of a group. */
function isDirect(chat: Chat, ids: readonly string[]): boolean {
  return chat.kind === "direct" && ids.includes(chat.id);
}

function judge(sender: ChannelSender, group: Chat | undefined, rules: AccessRules): Speaking {
  const ids = group ? withoutPlaces(idsOf(sender), group) : idsOf(sender);
  if (ids.length === 0) return ignore("The sender has no id of a person.");
  if (hasOneOf(rules.selfIds, ids)) return ignore("We did this ourselves.");
  if (sender.isBot) return ignore("The sender is a bot.");
  return group ? judgeInGroup(sender, ids, group, rules) : judgeDirect(ids, rules);
}

function judgeDirect(ids: readonly string[], rules: AccessRules): Speaking {
  const { policy, allowed } = rules;
  const person = rules.personOf?.(ids);
  const isListed = names(policy.allowFrom, ids, allowed) || isMember(person);
  const mayByList = isListed || isForEverybody(policy.allowFrom);
  const isPaired = policy.dm !== "allowlist" && hasOneOf(rules.paired, ids);
  const may = (): Speaking => {
    const isOwner = owns(ids, rules) || (isPaired && !allowed.owners && hasOneOf(rules.pairedOwners, ids));
    return { ...speak(isListed || isPaired, isOwner, person, rules), place: "direct" };
  };
  switch (policy.dm) {
    case "pairing":
      return mayByList || isPaired ? may() : { kind: "needs-pairing" };
    case "allowlist":
    case "open":
      return mayByList ? may() : deny(`The sender is not in allowFrom of ${placeOf(rules)}.`);
    case "disabled":
      return deny(`Direct messages are switched off for ${placeOf(rules)}.`);
    default:
      return deny(`The policy for direct messages of ${placeOf(rules)} cannot be understood.`);
  }
}

function judgeInGroup(sender: ChannelSender, ids: readonly string[], chat: Chat, rules: AccessRules): Speaking {
  const { policy, allowed } = rules;
  if (policy.group === "disabled") return ignore(`Groups are switched off for ${placeOf(rules)}.`);
  const found = findGroup(chat, allowed);
  if (found.kind === "closed") return ignore("This group is switched off.");
  const group = found.kind === "listed" ? found.policy : undefined;
  const word = isPolicy(policy.group) ? (group?.group ?? policy.group) : undefined;
  if (word === "disabled") return ignore("This group is switched off.");
  if (!isPolicy(word)) return deny(`The policy for groups of ${placeOf(rules)} cannot be understood.`);
  if (word === "allowlist" && !group && listsGroups(rules))
    return ignore(`This group is not among the groups of ${placeOf(rules)}.`);
  const everyone = policy.groupAllowFrom === undefined ? policy.allowFrom : policy.groupAllowFrom;
  if (!mayInGroup(sender, ids, word, group, rules))
    return deny(`The sender is not among those who may speak in this group of ${placeOf(rules)}.`);
  const isNamed = names(group?.allowFrom, ids, allowed) || names(everyone, ids, allowed);
  const person = rules.personOf?.(ids);
  return { ...speak(isNamed, owns(ids, rules), person, rules), place: "group", ...(group ? { group } : {}) };
}

function mayInGroup(
  sender: ChannelSender,
  ids: readonly string[],
  word: "allowlist" | "open",
  group: GroupPolicy | undefined,
  { policy, allowed }: AccessRules,
): boolean {
  const isOn = (list: unknown): boolean => isForEverybody(list) || names(list, ids, allowed);
  if (group && saysWho(group)) return isOn(group.allowFrom) || holdsRole(group.roles, sender.roles);
  if (group?.group === "open") return true;
  if (policy.groupAllowFrom !== undefined) return isOn(policy.groupAllowFrom);
  if (word === "open") return true;
  return names(policy.allowFrom, ids, allowed) || (group !== undefined && isForEverybody(policy.allowFrom));
}

/** Also groups whose names nobody could look up count: the operator meant some groups and not all. */
function listsGroups({ policy, allowed }: AccessRules): boolean {
  return allowed.groups.size > 0 || Object.keys(policy.groups ?? {}).length > 0;
}

/** Owners are named one by one: `commands.ownerAllowFrom`, else the ids in allowFrom. */
function owns(ids: readonly string[], { policy, allowed }: AccessRules): boolean {
  return allowed.owners ? hasOneOf(allowed.owners, ids) : names(policy.allowFrom, ids, allowed);
}

function speak(
  isKnown: boolean,
  isOwnerByList: boolean,
  person: KnownPerson | undefined,
  { everybodyMayCommand }: AccessRules,
) {
  if (person?.role === "guest") {
    const standing = { isAuthorised: false, isOwner: false, person };
    return { kind: "may-speak", standing, isKnown } as const;
  }
  const isOwner = isOwnerByList || person?.role === "owner";
  const isAuthorised = isKnown || isOwner || everybodyMayCommand === true;
  const standing = { isAuthorised, isOwner, ...(person ? { person } : {}) };
  return { kind: "may-speak", standing, isKnown: isKnown || isOwner } as const;
}

function isMember(person: KnownPerson | undefined): boolean {
  return person?.role === "member" || person?.role === "approver" || person?.role === "owner";
}

function isPolicy(word: unknown): word is "allowlist" | "open" {
  return word === "allowlist" || word === "open";
}

function placeOf({ channel, account }: AccessRules): string {
  return `${channel}, account ${account}`;
}

function ignore(why: string): Refusal {
  return { kind: "ignored", why };
}

function deny(why: string): Refusal {
  return { kind: "denied", why };
}

// Decides who may give which command. Pure; whatever is not allowed here is denied.
import type { CommandFlag, CommandRequester, CommandRule, CommandSettings, Requester, Who } from "@chela/sdk";

type IdList = ReadonlyArray<string | number>;

export type Permission =
  | { readonly kind: "allowed" }
  | { readonly kind: "denied" }
  /** The requester would be allowed, but the operator has not switched the command on. */
  | { readonly kind: "off"; readonly flag: CommandFlag };

export function may(requester: CommandRequester, rule: CommandRule, settings: CommandSettings): Permission {
  if (!meets(requester, rule.who, settings)) return { kind: "denied" };
  return rule.flag && !isOn(rule.flag, settings) ? { kind: "off", flag: rule.flag } : { kind: "allowed" };
}

export function isOwner(requester: CommandRequester, settings: CommandSettings): boolean {
  if (!isAuthorised(requester, settings)) return false;
  if (requester.kind === "operator" || !settings.ownerAllowFrom) return requester.isOwner;
  // The door has decided who has the role; it is an entry of the list that stands elsewhere.
  return names(settings.ownerAllowFrom, requester) || (requester.isOwner && requester.person?.role === "owner");
}

function meets(requester: CommandRequester, who: Who, settings: CommandSettings): boolean {
  switch (who) {
    case "everyone":
      return true;
    case "authorised":
      return isAuthorised(requester, settings);
    case "approver":
      return requester.canApprove && (isAuthorised(requester, settings) || answersByRole(requester, settings));
    case "owner":
      return isOwner(requester, settings);
  }
}

function isAuthorised(requester: CommandRequester, settings: CommandSettings): boolean {
  if (requester.kind === "operator") return requester.isAuthorised;
  if (requester.person?.role === "guest") return false;
  const list = listFor(settings, requester.channel);
  if (!list) return requester.isAuthorised;
  return names(list, requester) || (isKnown(requester) && list.includes("*"));
}

/** Answering is all an approver may do in a group; a list of those who may give commands holds for them as well. */
function answersByRole({ person, channel }: CommandRequester, settings: CommandSettings): boolean {
  return person?.role === "approver" && listFor(settings, channel) === undefined;
}

/** Undefined when nothing is configured for the channel; an empty list names nobody. */
function listFor({ allowFrom }: CommandSettings, channel: string): IdList | undefined {
  if (!allowFrom) return undefined;
  const own = Object.hasOwn(allowFrom, channel) ? allowFrom[channel] : undefined;
  return own ?? (Object.hasOwn(allowFrom, "*") ? allowFrom["*"] : undefined);
}

/** Whether the list has this id itself. */
function names(list: IdList, requester: Requester): boolean {
  if (!isKnown(requester)) return false;
  const id = requester.id.trim();
  return list.some((entry) => {
    // A long number loses its last digits when it is read as one, and may then name somebody else.
    if (typeof entry === "number" && !Number.isSafeInteger(entry)) return false;
    const text = String(entry).trim();
    return text === id || text === `${requester.channel}:${id}`;
  });
}

/** "*" is everybody's name and therefore nobody's. */
function isKnown({ id }: Requester): boolean {
  return id.trim() !== "" && id.trim() !== "*";
}

/** /restart is on unless switched off, the others are off unless switched on. */
function isOn(flag: CommandFlag, settings: CommandSettings): boolean {
  return flag === "restart" ? settings.restart !== false : settings[flag] === true;
}

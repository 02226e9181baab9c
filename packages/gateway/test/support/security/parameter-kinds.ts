// What each text is that a caller can give, by its name: a place, the name of a thing, or words. New names need a line.

/**
 * "place": where something lies; another place than meant is refused.
 * "thing": names something that is there, or is to be found by that name.
 * "words": for people, models or other programs; never part of a path.
 */
type Kind = "place" | "thing" | "words";

/** Texts with such a name could become part of a path; whoever adds one says here what it is. */
const LOOKS_LIKE_A_NAME =
  /(?:ids?|keys?|paths?|files?|names?|dir|urls?|workspace|cwd|sessions?|agents?|accounts?|channels?|nodes?|hooks?|targets?|to|media|images?|avatar|labels?|tools?|by|jobs?|devices?|profiles?|entry|store|home|root|folder|directory|alias|webhook|provider|model|backend|method)$/i;

const KINDS: Readonly<Record<string, Kind>> = {
  ...kind("place", "path", "workdir", "media", "mediaUrl", "mediaUrls", "image", "images", "workspace", "agentDir"),
  ...kind("place", "avatar", "file", "cwd", "resolvedPath", "filename", "fileName"),
  ...kind("thing", "id", "ids", "key", "keys", "sessionKey", "sessionId", "agentId", "accountId", "channel", "account"),
  ...kind("thing", "nodeId", "node", "deviceId", "requestId", "runId", "jobId", "entryId", "instanceId", "traceId"),
  ...kind("thing", "name", "hook", "tool", "label", "target", "targets", "to", "execNode", "spawnedBy", "provider"),
  ...kind("thing", "model", "messageId", "threadId", "groupId", "senderId", "parentId", "guildId", "teamId"),
  ...kind("thing", "idempotencyKey", "replyTo", "replyChannel", "replyAccountId", "groupChannel", "sourceSessionKey"),
  ...kind("thing", "sourceChannel", "sourceTool", "turnSourceChannel", "turnSourceTo", "turnSourceAccountId"),
  ...kind("thing", "turnSourceThreadId", "threadName", "displayName", "deviceFamily", "modelIdentifier"),
  ...kind("thing", "parentSessionKey", "originSessionId", "targetIds", "commandName", "skillKey", "installId"),
  ...kind("place", "spawnedWorkspaceDir"),
  ...kind("words", "url", "baseUrl", "apiKey", "command"),
};

function kind(of: Kind, ...names: readonly string[]): Record<string, Kind> {
  return Object.fromEntries(names.map((name) => [name, of]));
}

/** Undefined for a name that looks like one of a place or a thing and is not in the table. */
export function kindOf(name: string): Kind | undefined {
  if (Object.hasOwn(KINDS, name)) return KINDS[name];
  return LOOKS_LIKE_A_NAME.test(name) ? undefined : "words";
}

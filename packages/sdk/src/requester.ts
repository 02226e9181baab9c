// The requester: for whom a turn is, decided once for each message, and everything that follows from it. Pure.
// Session keys only name conversations: a key can take something away, and never gives anything.
import type { KnownPerson } from "./people.ts";

/** What somebody is to this gateway, from most to least. */
export const STANDINGS = [
  /** Runs this gateway: named as an owner, the first who was approved, or holds its token on this machine. */
  "owner",
  /** Came through the gateway's own door with less than `operator.admin`. */
  "operator",
  /** Written down as a member or an approver. */
  "member",
  /** Approved by pairing or named in a list, and written down as nobody. */
  "approved",
  "guest",
  /** May speak because everybody may. */
  "stranger",
  /** A device that passes on what it hears. */
  "node",
  /** A program that told us something over HTTP. */
  "webhook",
] as const;
export type Standing = (typeof STANDINGS)[number];

/** How something came about that nobody typed. */
export const OWN_WORK_KINDS = ["job", "heartbeat", "webhook", "subagent", "announce", "agent", "chore"] as const;
export type OwnWorkKind = (typeof OWN_WORK_KINDS)[number];

/** The person or program whose message began the turn. Ids are the platform's immutable ones; "" means unknown. */
export interface Requester {
  readonly channel: string;
  readonly account: string;
  readonly id: string;
  readonly name?: string;
  /** An owner asks, in person. Decided at the door, from grants and configuration; never from what a message says. */
  readonly isOwner: boolean;
  /** Of whoever is behind it in the end: own work is never more than the one it is done for. */
  readonly standing: Standing;
  /** Absent when somebody speaks for themselves. */
  readonly work?: OwnWorkKind;
  /** The conversation own work was asked for in, when that is another one. */
  readonly askedIn?: string;
  /** The person behind the id, where somebody wrote down who that is. */
  readonly person?: KnownPerson;
}

export const CONVERSATION_KINDS = [
  "main",
  "direct",
  "group",
  /** A name that somebody chose at our own door. */
  "named",
  "api",
  "job",
  "subagent",
  "heartbeat",
  "webhook",
  "node",
  "other",
] as const;
export type ConversationKind = (typeof CONVERSATION_KINDS)[number];

const BY_FIRST_WORD: Readonly<Record<string, ConversationKind>> = {
  cron: "job",
  subagent: "subagent",
  heartbeat: "heartbeat",
  hook: "webhook",
  openai: "api",
  openresponses: "api",
  acp: "api",
  "acp-bridge": "api",
};

/** What kind of conversation a key names; whatever is not clearly one of them is "other". */
export function conversationKind(sessionKey: string, mainKey = "main"): ConversationKind {
  if (sessionKey === "global") return "main";
  if (sessionKey.startsWith("hook:")) return "webhook";
  if (sessionKey.startsWith("node-")) return "node";
  const [agent, , ...name] = sessionKey.split(":");
  const [first = "", ...rest] = name;
  if (agent !== "agent" || first === "") return "other";
  if (rest.length === 0 && [mainKey.trim().toLowerCase(), "main"].includes(first)) return "main";
  if (first.startsWith("node-")) return "node";
  const chat = name.slice(0, 3).find((word) => ["direct", "dm", "group", "channel"].includes(word));
  const own = rest.length > 0 ? BY_FIRST_WORD[first] : undefined;
  if (own !== undefined) return own;
  if (chat !== undefined) return chat === "direct" || chat === "dm" ? "direct" : "group";
  return rest.length === 0 ? "named" : "other";
}

export type WorkspaceAccess = "none" | "ro" | "rw";

export interface Rights {
  /** Notes about people: MEMORY.md, the folder memory, USER.md, further note paths; by tools, commands and prompts alike. */
  readonly notes: boolean;
  /** What `memory_search` finds: everything, what was said in this conversation and the notes, or nothing. */
  readonly memory: "everything" | "own" | "nothing";
  /** Other conversations: as `tools.sessions` says, or only what was started from here. */
  readonly sessions: "configured" | "own";
  /** Whether tools may run on the machine itself: by preset, only where the sandbox was switched off by hand, or never. */
  readonly host: "preset" | "if-off" | "never";
  /** Of the workspace inside a sandbox where nothing is configured, and at most. */
  readonly workspace: { readonly preset: WorkspaceAccess; readonly most: WorkspaceAccess };
  /** Chats that messages may be sent to, or touched in. */
  readonly reach: "everywhere" | "here";
  /** Chat commands over the conversation itself: its past, its model, its sub-agents. */
  readonly conversation: "change" | "speak";
  /** Tools: all of them; all but those for owners; only what looks something up. */
  readonly tools: "all" | "usual" | "looking-up";
}

type Asking = Pick<Requester, "standing" | "isOwner" | "work" | "askedIn">;

/** Session kinds that get to write the workspace from inside a sandbox. Nothing else does. */
const WORKS_ON_WORKSPACE: ReadonlySet<ConversationKind> = new Set([
  "main",
  "named",
  "api",
  "job",
  "subagent",
  "heartbeat",
]);
/** Who may be asked for something because they are who they are, and not because a door was left open. */
const VOUCHED_FOR: ReadonlySet<Standing> = new Set(["owner", "operator", "member", "approved"]);

/** Everything a requester may see, do and reach in a conversation. The one place where it is decided. */
export function rightsOf(requester: Asking, sessionKey: string, mainKey?: string): Rights {
  const { standing, isOwner, askedIn } = requester;
  const kinds = [sessionKey, ...(askedIn === undefined ? [] : [askedIn])].map((key) => conversationKind(key, mainKey));
  // Where others read along, what is noted about people is not told, whoever asks.
  const isPrivate = !kinds.includes("group");
  const isOwners = standing === "owner";
  const notes = isPrivate && (isOwners || standing === "member");
  const worksHere = (isOwners || standing === "operator") && kinds.every((kind) => WORKS_ON_WORKSPACE.has(kind));
  return {
    notes,
    memory: !notes ? "nothing" : isOwners ? "everything" : "own",
    sessions: isOwners ? "configured" : "own",
    host: isOwners ? "preset" : standing === "member" ? "if-off" : "never",
    workspace: { preset: worksHere ? "rw" : "none", most: VOUCHED_FOR.has(standing) ? "rw" : "ro" },
    reach: isOwner ? "everywhere" : "here",
    conversation: ownsConversation(requester, kinds[0] ?? "other") ? "change" : "speak",
    tools: isOwner ? "all" : standing === "guest" ? "looking-up" : "usual",
  };
}

/** A direct conversation with one person is theirs; what several share is the owner's to change. */
function ownsConversation({ standing }: Asking, kind: ConversationKind): boolean {
  if (standing === "owner" || standing === "operator") return true;
  return kind === "direct";
}

/** Whether somebody may share the owner's main conversation where the configuration says that people share it. */
export function mayShareMain(standing: Standing): boolean {
  return VOUCHED_FOR.has(standing);
}

const STANDING_WORDS: Readonly<Record<Standing, string>> = {
  owner: "an owner",
  operator: "an operator without operator.admin",
  member: "a member",
  approved: "somebody who was approved, but is written down as nobody",
  guest: "a guest",
  stranger: "a stranger",
  node: "a node",
  webhook: "a webhook",
};

/** For sentences: "a member", "a job for an owner". */
export function describeRequester({ standing, work }: Pick<Requester, "standing" | "work">): string {
  const who = STANDING_WORDS[standing];
  return work === undefined || work === "webhook" ? who : `${WORK_WORDS[work]} for ${who}`;
}

const WORK_WORDS: Readonly<Record<Exclude<OwnWorkKind, "webhook">, string>> = {
  job: "a job",
  heartbeat: "a heartbeat",
  subagent: "a sub-agent",
  announce: "the result of a sub-agent",
  agent: "another agent",
  chore: "a chore",
};

/** What follows, in whole sentences for people. */
export function describeRights(rights: Rights): string[] {
  const { notes, memory, sessions, host, workspace, reach, conversation, tools } = rights;
  return [
    notes ? "Knows the notes about people." : "Does not know the notes about people: neither by tools nor by commands.",
    {
      everything: "memory_search finds everything that is remembered.",
      own: "memory_search finds notes and this conversation.",
      nothing: "memory_search finds nothing.",
    }[memory],
    sessions === "configured"
      ? "Sees other conversations as tools.sessions says."
      : "Sees this conversation and what was started from it.",
    {
      preset: "Commands may run on this machine where the sandbox settings say so.",
      "if-off": "Commands run in a sandbox, unless sandboxes are switched off.",
      never: "Commands run in a sandbox or not at all.",
    }[host],
    workspace.preset === "none"
      ? "Has a folder of its own in the sandbox, and not the workspace, unless sandbox.workspaceAccess says otherwise."
      : "Works on the workspace.",
    reach === "everywhere" ? "May have messages sent to any chat." : "May have messages sent in this chat only.",
    conversation === "change"
      ? "May reset, rewind and set up this conversation."
      : "May speak in this conversation, but not reset, rewind or set it up: others are in it.",
    {
      all: "Has every tool that the tool policy allows.",
      usual: "Has no tools for owners.",
      "looking-up": "Has only tools that look something up.",
    }[tools],
  ];
}

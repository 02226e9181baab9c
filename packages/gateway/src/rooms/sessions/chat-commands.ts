// Chat commands /new, /reset, /stop, /checkpoint, /rewind, /fork and /export-session: the conversation as a whole.
import {
  asyncOrRefusal,
  done,
  GatewayError,
  refused,
  type ChatCall,
  type ChatCommand,
  type CommandAnswer,
  type Refusal,
  type SessionEntry,
} from "@chela/sdk";
import { oneLine, relativeTime, splitWords } from "../../base/text/chat-layout.ts";
import type { House } from "../../house/house.ts";
import type { Branches, TreeTarget } from "./branches.ts";

const MOST_BRANCHES = 5;
const LONGEST_NAME = 40;
const MOST_TURNS = 1_000;

/** A place in the conversation one can go back to. */
interface Point {
  /** The id of a transcript entry. */
  readonly id: string;
  readonly name?: string;
  readonly at: number;
  /** The beginning of what was said there. */
  readonly preview: string;
}

type TreeHouse = Pick<House, "branches" | "transcripts" | "lanes">;

const startAnew =
  (reason: "new" | "reset"): ChatCommand<Pick<House, "sessionModels">>["run"] =>
  async (args, call, house) => {
    const hint = await readModelHint(args, call, house);
    return { kind: "reset", reason, rest: hint?.rest ?? args, ...(hint ? { model: hint.model } : {}) };
  };

/**
 * The first word may name a model, the first two a provider and its model. A provider's name alone counts only when
 * nothing follows it: "/new google the weather" is a question.
 */
async function readModelHint(
  args: string,
  call: ChatCall,
  house: Pick<House, "sessionModels">,
): Promise<{ model: string; rest: string } | undefined> {
  const [first = "", second = ""] = splitWords(args);
  if (first === "") return undefined;
  const behind = args.slice(args.indexOf(first) + first.length).trim();
  const known = await house.sessionModels(call);
  const models = await known.list();
  const byName = models.find(({ provider, id, alias }) => isOneOf(first, [alias, id, `${provider}/${id}`]));
  if (byName) return { model: `${byName.provider}/${byName.id}`, rest: behind };
  if (first.includes("/")) {
    const found = await known.resolve(first);
    return found.kind === "found" ? { model: `${found.model.provider}/${found.model.id}`, rest: behind } : undefined;
  }
  const own = models.filter(({ provider }) => isOneOf(first, [provider]));
  const inTwo = own.find(({ id, alias }) => isOneOf(second, [id, alias]));
  if (inTwo) return { model: `${inTwo.provider}/${inTwo.id}`, rest: behind.slice(second.length).trim() };
  const [main] = own;
  return main && behind === "" ? { model: `${main.provider}/${main.id}`, rest: "" } : undefined;
}

const isOneOf = (word: string, names: ReadonlyArray<string | undefined>) =>
  names.some((name) => name?.toLowerCase() === word.toLowerCase());

async function setCheckpoint(args: string, call: ChatCall, { branches }: TreeHouse): Promise<CommandAnswer> {
  const name = args || new Date(call.now).toISOString().slice(0, 19);
  if (/^\d+$/.test(name))
    return refused("⚠️ A number cannot be a name.", "/rewind would take it for a count of turns.");
  if (name.length > LONGEST_NAME || /\s/.test(name)) {
    return refused(`⚠️ A name is one word of up to ${LONGEST_NAME} letters.`);
  }
  const { label } = await branches.checkpoint((await begun(call)).sessionId, name);
  return done(`📍 Checkpoint: ${label}`, `Come back with /rewind ${label}`);
}

async function rewind(args: string, call: ChatCall, house: TreeHouse): Promise<CommandAnswer> {
  const [word = "1"] = splitWords(args);
  // Ids of entries are eight hexadecimal digits and can be all figures.
  if (!/^\d{1,7}$/.test(word)) {
    return describeMove("⏪ Back at", await move({ ref: word }, call, house), call);
  }
  const count = Number(word);
  if (count < 1 || count > MOST_TURNS) return refused(`⚠️ Between 1 and ${MOST_TURNS} turns can be taken back.`);
  return describeMove("⏪ Back at", await move({ turns: count }, call, house), call);
}

async function fork(args: string, call: ChatCall, house: TreeHouse): Promise<CommandAnswer> {
  const [word = ""] = splitWords(args);
  if (word !== "") return describeMove("🌿 Going on from", await move({ ref: word }, call, house), call);
  const branches = await listBranches(house.branches, (await begun(call)).sessionId);
  if (branches.length === 0) return done("🌿 There are no branches yet.", "/checkpoint and /rewind make some.");
  const rows = branches.slice(0, MOST_BRANCHES).flatMap((branch) => {
    return [`${branch.isCurrent ? "→" : "•"} ${describePoint(branch, call)}`, `   ${oneLine(branch.preview, 48)}`];
  });
  return done("🌿 Branches, newest first", ...rows, "Go there: /fork <name or id>");
}

async function begun(call: ChatCall): Promise<SessionEntry> {
  const entry = await call.session();
  if (entry?.sessionId) return entry;
  throw new GatewayError("SESSION_TREE", "this conversation has not begun yet");
}

type Move = { readonly kind: "moved"; readonly to: Point } | Refusal;

/** Nothing is ever deleted: what is left behind stays a branch. */
async function move(target: TreeTarget, call: ChatCall, { branches, transcripts, lanes }: TreeHouse): Promise<Move> {
  if (lanes.runIds(call.sessionKey).length > 0) {
    return { kind: "refused", why: "An answer is being written. Send /stop first." };
  }
  const { sessionId } = await begun(call);
  return asyncOrRefusal(async () => {
    const { entryId, preview } = await branches.moveTo(sessionId, target, call.message.runId);
    transcripts.forget(sessionId);
    // The context is another now than the one whose tokens were counted.
    await call.patchSession({ totalTokensFresh: false });
    return { kind: "moved" as const, to: { id: entryId ?? "", at: call.now, preview } };
  });
}

/** The ends of all branches and the checkpoints, newest first. */
async function listBranches(
  branches: Branches,
  sessionId: string,
): Promise<Array<Point & { readonly isCurrent: boolean }>> {
  const tree = await branches.tree(sessionId);
  const tips = tree.branches.map(({ entryId, timestamp, preview, labels, isActive }) => ({
    id: entryId,
    at: Date.parse(timestamp),
    preview,
    isCurrent: isActive,
    ...(labels[0] ? { name: labels[0] } : {}),
  }));
  const known = new Set(tips.map(({ id }) => id));
  const points = tree.checkpoints
    .filter(({ entryId }) => !known.has(entryId))
    .map(({ entryId, label, timestamp }) => ({
      id: entryId,
      name: label,
      at: Date.parse(timestamp),
      preview: "",
      isCurrent: false,
    }));
  return [...tips, ...points].toSorted((a, b) => b.at - a.at);
}

function describeMove(title: string, move: Move, call: ChatCall): CommandAnswer {
  if (move.kind === "refused") return refused(`⚠️ ${move.why}`, "/fork shows where you can go.");
  return done(
    `${title} ${describePoint(move.to, call)}`,
    ...(move.to.preview ? [`“${oneLine(move.to.preview, 48)}”`] : []),
    "Nothing is lost: /fork shows all branches.",
  );
}

function describePoint({ id, name, at }: Point, { now }: ChatCall): string {
  return `${name ? `${name} (${id})` : id}, ${relativeTime(at, now)}`;
}

async function exportHere(
  args: string,
  call: ChatCall,
  { transcripts, workspaceOf }: Pick<House, "transcripts" | "workspaceOf">,
): Promise<CommandAnswer> {
  const { exportSession } = await import("./export-session.ts");
  const { sessionId } = await begun(call);
  const place = { workspace: workspaceOf(call.agentId), transcripts };
  const outcome = await exportSession(args || undefined, sessionId, call, place);
  return outcome.kind === "written" ? done("📄 Written to", outcome.path) : refused(`⚠️ ${outcome.why}`);
}

export const commands: ReadonlyArray<ChatCommand<House>> = [
  {
    name: "new",
    aliases: [],
    usage: "[model] [message]",
    category: "Session",
    who: "authorised",
    changesConversation: true,
    help: "begin a new conversation",
    listed: 10,
    run: startAnew("new"),
  },
  {
    name: "reset",
    aliases: [],
    usage: "[model] [message]",
    category: "Session",
    who: "authorised",
    changesConversation: true,
    help: "begin anew, like /new",
    listed: 20,
    run: startAnew("reset"),
  },
  {
    name: "stop",
    aliases: [],
    usage: "",
    category: "Session",
    who: "authorised",
    help: "stop what is running",
    listed: 30,
    run: async () => ({ kind: "stop" }),
  },
  {
    name: "checkpoint",
    aliases: [],
    usage: "[name]",
    category: "Session",
    who: "authorised",
    changesConversation: true,
    help: "mark this place",
    listed: 50,
    run: setCheckpoint,
  },
  {
    name: "rewind",
    aliases: [],
    usage: "[turns|name|id]",
    category: "Session",
    who: "authorised",
    changesConversation: true,
    help: "go back, by one turn or more",
    listed: 60,
    run: rewind,
  },
  {
    name: "fork",
    aliases: [],
    usage: "[name|id]",
    category: "Session",
    who: "authorised",
    changesConversation: true,
    help: "list branches, go on from one",
    listed: 70,
    run: fork,
  },
  {
    name: "export-session",
    aliases: ["export"],
    usage: "[path]",
    category: "Session",
    who: "owner",
    help: "write the conversation to a file",
    listed: 80,
    run: exportHere,
  },
];

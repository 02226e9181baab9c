// /new, /reset, /compact, /export-session, /checkpoint, /rewind, /fork: the conversation as a whole.
import { done, refused, type CommandAnswer } from "../command.ts";
import type { CommandWorld, ConversationMove, ConversationPoint } from "../world.ts";
import { oneLine, percent, relativeTime, shortNumber, splitWords } from "./layout.ts";

const MOST_BRANCHES = 5;
const LONGEST_NAME = 40;
const MOST_TURNS = 1_000;

export async function startAnew(reason: "new" | "reset", args: string, world: CommandWorld): Promise<CommandAnswer> {
  const hint = await readModelHint(args, world);
  return { kind: "reset", reason, rest: hint?.rest ?? args, ...(hint ? { model: hint.model } : {}) };
}

/**
 * The first word may name a model, the first two a provider and its model. A provider's name alone counts only when
 * nothing follows it: "/new google the weather" is a question.
 */
async function readModelHint(args: string, world: CommandWorld): Promise<{ model: string; rest: string } | undefined> {
  const [first = "", second = ""] = splitWords(args);
  if (first === "") return undefined;
  const behind = args.slice(args.indexOf(first) + first.length).trim();
  const models = await world.models.list();
  const byName = models.find(({ provider, id, alias }) => isOneOf(first, [alias, id, `${provider}/${id}`]));
  if (byName) return { model: `${byName.provider}/${byName.id}`, rest: behind };
  if (first.includes("/")) {
    const found = await world.models.resolve(first);
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

export async function compactSession(args: string, world: CommandWorld): Promise<CommandAnswer> {
  const outcome = await world.compact(args);
  if (outcome.kind === "kept") return refused("⚙️ Not compacted.", outcome.why);
  const { before, after, window } = outcome;
  return done(
    `⚙️ Compacted (${shortNumber(before)} → ${shortNumber(after)})`,
    `Context ${shortNumber(after)}/${shortNumber(window)} (${percent(after, window)})`,
  );
}

export async function exportSession(args: string, world: CommandWorld): Promise<CommandAnswer> {
  const outcome = await world.exportSession(args || undefined);
  return outcome.kind === "written" ? done("📄 Written to", outcome.path) : refused(`⚠️ ${outcome.why}`);
}

export async function setCheckpoint(args: string, world: CommandWorld): Promise<CommandAnswer> {
  const name = args || new Date(world.now).toISOString().slice(0, 19);
  if (/^\d+$/.test(name))
    return refused("⚠️ A number cannot be a name.", "/rewind would take it for a count of turns.");
  if (name.length > LONGEST_NAME || /\s/.test(name)) {
    return refused(`⚠️ A name is one word of up to ${LONGEST_NAME} letters.`);
  }
  const point = await world.tree.checkpoint(name);
  return done(`📍 Checkpoint: ${point.name ?? name}`, `Come back with /rewind ${point.name ?? name}`);
}

export async function rewind(args: string, world: CommandWorld): Promise<CommandAnswer> {
  const [word = "1"] = splitWords(args);
  // Ids of entries are eight hexadecimal digits and can be all figures.
  if (!/^\d{1,7}$/.test(word)) {
    return describeMove("⏪ Back at", await world.tree.rewind({ kind: "point", nameOrId: word }), world);
  }
  const count = Number(word);
  if (count < 1 || count > MOST_TURNS) return refused(`⚠️ Between 1 and ${MOST_TURNS} turns can be taken back.`);
  return describeMove("⏪ Back at", await world.tree.rewind({ kind: "turns", count }), world);
}

export async function fork(args: string, world: CommandWorld): Promise<CommandAnswer> {
  const [word = ""] = splitWords(args);
  if (word !== "") return describeMove("🌿 Going on from", await world.tree.switchTo(word), world);
  const branches = await world.tree.branches();
  if (branches.length === 0) return done("🌿 There are no branches yet.", "/checkpoint and /rewind make some.");
  const rows = branches.slice(0, MOST_BRANCHES).flatMap((branch) => {
    return [`${branch.isCurrent ? "→" : "•"} ${describePoint(branch, world)}`, `   ${oneLine(branch.preview, 48)}`];
  });
  return done("🌿 Branches, newest first", ...rows, "Go there: /fork <name or id>");
}

function describeMove(title: string, move: ConversationMove, world: CommandWorld): CommandAnswer {
  if (move.kind === "refused") return refused(`⚠️ ${move.why}`, "/fork shows where you can go.");
  return done(
    `${title} ${describePoint(move.to, world)}`,
    ...(move.to.preview ? [`“${oneLine(move.to.preview, 48)}”`] : []),
    "Nothing is lost: /fork shows all branches.",
  );
}

function describePoint({ id, name, at }: ConversationPoint, world: CommandWorld): string {
  return `${name ? `${name} (${id})` : id}, ${relativeTime(at, world.now)}`;
}

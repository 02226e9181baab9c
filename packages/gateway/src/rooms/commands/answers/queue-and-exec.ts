// /queue and /exec: several values of the session at once.
import { isOwner } from "../authorise.ts";
import { done, refused, type CommandAnswer } from "../command.ts";
import { INHERIT_WORDS, readExecWord, readQueueWord } from "../grammar.ts";
import type { CommandWorld, SessionPatch } from "../world.ts";
import { splitWords } from "./layout.ts";

const QUEUE_HELP = [
  "Modes: collect, followup, steer,",
  "steer-backlog, interrupt",
  "Options: debounce:2s cap:20",
  "drop:summarize|old|new",
  "/queue default takes all back.",
];
const EXEC_HELP = [
  "host=sandbox|gateway|node",
  "security=deny|allowlist|full",
  "ask=off|on-miss|always  node=<id>",
  "/exec default takes all back.",
];
const NO_QUEUE: SessionPatch = { queueMode: null, queueDebounceMs: null, queueCap: null, queueDrop: null };
const NO_EXEC: SessionPatch = { execHost: null, execSecurity: null, execAsk: null, execNode: null };

export async function setQueue(args: string, world: CommandWorld): Promise<CommandAnswer> {
  if (args === "") return done(`⚙️ Queue: ${describeQueue(await queueOf(world), world)}`, ...QUEUE_HELP);
  const wanted = readWords(args, readQueueWord, NO_QUEUE);
  if (wanted.kind === "unknown") return refused(`⚠️ /queue does not know "${wanted.word}".`, ...QUEUE_HELP);
  await world.patchSession(wanted.patch);
  return done(`⚙️ Queue: ${describeQueue({ ...(await queueOf(world)), ...wanted.patch }, world)}`);
}

export async function setExec(args: string, world: CommandWorld): Promise<CommandAnswer> {
  if (args === "") return done(`⚙️ Exec: ${describeExec(await execOf(world), world)}`, ...EXEC_HELP);
  const wanted = readWords(args, readExecWord, NO_EXEC);
  if (wanted.kind === "unknown") return refused(`⚠️ /exec does not know "${wanted.word}".`, ...EXEC_HELP);
  if (widens(wanted.patch, world.defaults.exec) && !isOwner(world.requester, world.settings)) {
    return refused("⚠️ Only an owner may give exec more room.", "You may narrow it: host=sandbox, ask=always …");
  }
  await world.patchSession(wanted.patch);
  return done(`⚙️ Exec: ${describeExec({ ...(await execOf(world)), ...wanted.patch }, world)}`);
}

/** From strict to wide. */
const SECURITY = ["deny", "allowlist", "full"];
const ASK = ["always", "on-miss", "off"];
const HOST = ["sandbox", "gateway", "node"];

/** Whether commands could do more than the configuration lets them. */
function widens({ execHost, execSecurity, execAsk, execNode }: SessionPatch, configured: ExecDefaults): boolean {
  const isWider = (order: readonly string[], value: string | null | undefined, usual: string) =>
    typeof value === "string" && order.indexOf(value) > Math.max(0, order.indexOf(usual));
  return (
    isWider(SECURITY, execSecurity, configured.security) ||
    isWider(ASK, execAsk, configured.ask) ||
    isWider(HOST, execHost, configured.host) ||
    typeof execNode === "string"
  );
}

type ExecDefaults = CommandWorld["defaults"]["exec"];

type Words =
  | { readonly kind: "patch"; readonly patch: SessionPatch }
  | { readonly kind: "unknown"; readonly word: string };

function readWords(args: string, read: (word: string) => SessionPatch | undefined, none: SessionPatch): Words {
  let patch: SessionPatch = {};
  for (const word of splitWords(args)) {
    const fields = INHERIT_WORDS.includes(word.toLowerCase()) ? none : read(word);
    if (!fields) return { kind: "unknown", word: word.slice(0, 30) };
    patch = { ...patch, ...fields };
  }
  return { kind: "patch", patch };
}

async function queueOf(world: CommandWorld): Promise<SessionPatch> {
  const { queueMode = null, queueDebounceMs = null, queueCap = null, queueDrop = null } = (await world.session()) ?? {};
  return { queueMode, queueDebounceMs, queueCap, queueDrop };
}

async function execOf(world: CommandWorld): Promise<SessionPatch> {
  const { execHost = null, execSecurity = null, execAsk = null, execNode = null } = (await world.session()) ?? {};
  return { execHost, execSecurity, execAsk, execNode };
}

function describeQueue({ queueMode, queueDebounceMs, queueCap, queueDrop }: SessionPatch, world: CommandWorld): string {
  return [
    queueMode ?? `${world.defaults.queue} (default)`,
    ...(typeof queueDebounceMs === "number" ? [`debounce ${queueDebounceMs} ms`] : []),
    ...(typeof queueCap === "number" ? [`cap ${queueCap}`] : []),
    ...(queueDrop ? [`drop ${queueDrop}`] : []),
  ].join(", ");
}

function describeExec({ execHost, execSecurity, execAsk, execNode }: SessionPatch, world: CommandWorld): string {
  const { exec } = world.defaults;
  const parts = [`host=${execHost ?? exec.host}`, `security=${execSecurity ?? exec.security}`];
  return [...parts, `ask=${execAsk ?? exec.ask}`, ...(execNode ? [`node=${execNode}`] : [])].join(" ");
}

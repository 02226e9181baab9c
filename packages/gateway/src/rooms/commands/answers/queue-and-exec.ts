// Chat commands /queue and /exec: several values of the session at once.
import { isOwner } from "../authorise.ts";
import { done, refused, type ChatCall, type CommandAnswer, type SessionPatch } from "@chela/sdk";
import { splitWords } from "../../../base/text/chat-layout.ts";
import { INHERIT_WORDS } from "../../../base/text/command-words.ts";
import type { House } from "../../../house/house.ts";
import { readExecWord, readQueueWord } from "../grammar.ts";
import type { SessionDefaults } from "../defaults.ts";

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
type DefaultsHouse = Pick<House, "sessionDefaults">;

const NO_QUEUE: SessionPatch = { queueMode: null, queueDebounceMs: null, queueCap: null, queueDrop: null };
const NO_EXEC: SessionPatch = { execHost: null, execSecurity: null, execAsk: null, execNode: null };

export async function setQueue(args: string, call: ChatCall, house: DefaultsHouse): Promise<CommandAnswer> {
  if (args === "") return done(`⚙️ Queue: ${describeQueue(await queueOf(call), house)}`, ...QUEUE_HELP);
  const wanted = readWords(args, readQueueWord, NO_QUEUE);
  if (wanted.kind === "unknown") return refused(`⚠️ /queue does not know "${wanted.word}".`, ...QUEUE_HELP);
  await call.patchSession(wanted.patch);
  return done(`⚙️ Queue: ${describeQueue({ ...(await queueOf(call)), ...wanted.patch }, house)}`);
}

export async function setExec(args: string, call: ChatCall, house: DefaultsHouse): Promise<CommandAnswer> {
  if (args === "") return done(`⚙️ Exec: ${describeExec(await execOf(call), house)}`, ...EXEC_HELP);
  const wanted = readWords(args, readExecWord, NO_EXEC);
  if (wanted.kind === "unknown") return refused(`⚠️ /exec does not know "${wanted.word}".`, ...EXEC_HELP);
  if (widens(wanted.patch, house.sessionDefaults().exec) && !isOwner(call.requester, call.settings)) {
    return refused("⚠️ Only an owner may give exec more room.", "You may narrow it: host=sandbox, ask=always …");
  }
  await call.patchSession(wanted.patch);
  return done(`⚙️ Exec: ${describeExec({ ...(await execOf(call)), ...wanted.patch }, house)}`);
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

type ExecDefaults = SessionDefaults["exec"];

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

async function queueOf(call: ChatCall): Promise<SessionPatch> {
  const { queueMode = null, queueDebounceMs = null, queueCap = null, queueDrop = null } = (await call.session()) ?? {};
  return { queueMode, queueDebounceMs, queueCap, queueDrop };
}

async function execOf(call: ChatCall): Promise<SessionPatch> {
  const { execHost = null, execSecurity = null, execAsk = null, execNode = null } = (await call.session()) ?? {};
  return { execHost, execSecurity, execAsk, execNode };
}

function describeQueue(
  { queueMode, queueDebounceMs, queueCap, queueDrop }: SessionPatch,
  house: DefaultsHouse,
): string {
  return [
    queueMode ?? `${house.sessionDefaults().queue} (default)`,
    ...(typeof queueDebounceMs === "number" ? [`debounce ${queueDebounceMs} ms`] : []),
    ...(typeof queueCap === "number" ? [`cap ${queueCap}`] : []),
    ...(queueDrop ? [`drop ${queueDrop}`] : []),
  ].join(", ");
}

function describeExec({ execHost, execSecurity, execAsk, execNode }: SessionPatch, house: DefaultsHouse): string {
  const { exec } = house.sessionDefaults();
  const parts = [`host=${execHost ?? exec.host}`, `security=${execSecurity ?? exec.security}`];
  return [...parts, `ask=${execAsk ?? exec.ask}`, ...(execNode ? [`node=${execNode}`] : [])].join(" ");
}

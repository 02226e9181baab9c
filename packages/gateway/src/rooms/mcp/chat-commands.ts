// Chat command /mcp: how the servers are, the approval of one, and the answer to what one asks.
import { asyncOrRefusal, done, refused, type ChatCall, type ChatCommand, type CommandAnswer } from "@chela/sdk";
import { splitWords } from "../../base/text/chat-layout.ts";
import type { House } from "../../house/house.ts";
import { nameOf } from "./settings.ts";
import type { ServerStatus } from "./room.ts";

const USAGE = "/mcp, /mcp approve NAME, /mcp answer ID field=value …";

async function mcp(args: string, call: ChatCall, house: House): Promise<CommandAnswer> {
  const [verb, name, ...rest] = splitWords(args);
  if (verb === undefined || verb === "show" || verb === "status") return show(house);
  if (name === undefined || !["approve", "answer"].includes(verb)) return refused(`Usage: ${USAGE}`);
  const by = call.requester.name ?? call.requester.id;
  const { servers, questions } = await house.mcp();
  if (verb === "approve") {
    const standing = await asyncOrRefusal(() => servers.approve(name, by));
    if (standing.kind === "refused") return refused(`⚠️ ${standing.why}`);
    return done(`✅ ${name}: ${standing.kind === "approved" ? standing.offered.length : 0} tools may be used.`);
  }
  const content = Object.fromEntries(fieldsIn(rest.join(" ")));
  const answered = await asyncOrRefusal(async () => {
    await questions.answer(name, content, by);
    return { kind: "answered" as const };
  });
  return answered.kind === "refused" ? refused(`⚠️ ${answered.why}`) : done("✅ Answered.");
}

/** `name=Ada Lovelace age=36`: a value goes on until the next field begins. */
function fieldsIn(text: string): Array<[string, string]> {
  return [...text.matchAll(/([^\s=]+)=([\s\S]*?)(?=\s+[^\s=]+=|$)/g)].map(([, field = "", value = ""]) => [
    field,
    value.trim(),
  ]);
}

async function show(house: House): Promise<CommandAnswer> {
  if (!house.hasMcp()) return done("There are no MCP servers. `chela mcp add` adds one.");
  const all = await (await house.mcp()).servers.list();
  return done(...all.map(lineOf));
}

function lineOf({ read, state, standing }: ServerStatus): string {
  const name = nameOf(read);
  if (read.kind === "broken") return `⚠️ ${name}: ${read.why}`;
  if (!read.settings.isEnabled) return `⏸️ ${name}: switched off`;
  if (state.kind === "resting") return `⚠️ ${name}: ${state.why}`;
  if (standing.kind === "new") return `⏳ ${name}: nobody has approved it (/mcp approve ${name})`;
  const held = standing.held.filter(({ kind }) => kind !== "gone").length;
  const waiting = held > 0 ? `, ${held} wait for a yes (/mcp approve ${name})` : "";
  return `${state.kind === "running" ? "🟢" : "⚪"} ${name}: ${standing.offered.length} tools${waiting}`;
}

export const commands: ReadonlyArray<ChatCommand<House>> = [
  {
    name: "mcp",
    aliases: [],
    usage: "[approve <name> | answer <id> <field=value …>]",
    category: "Management",
    who: "owner",
    help: "MCP servers: how they are, approve one, answer one",
    run: mcp,
  },
];

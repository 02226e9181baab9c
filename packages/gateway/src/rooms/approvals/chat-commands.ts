// Chat command /approve: commands that wait for a person's yes, and the answer to one.
import { done, orRefusal, refused, type ChatCall, type ChatCommand, type CommandAnswer } from "@chela/sdk";
import { asWholeCode, relativeTime, splitWords } from "../../base/text/chat-layout.ts";
import type { House } from "../../house/house.ts";
import type { ApprovalDecision } from "./pending.ts";
import type { Approvals } from "./room.ts";

const DECISIONS: Readonly<Record<string, ApprovalDecision>> = {
  allow: "allow-once",
  once: "allow-once",
  "allow-once": "allow-once",
  always: "allow-always",
  "allow-always": "allow-always",
  deny: "deny",
  reject: "deny",
  block: "deny",
};
const SAYS: Readonly<Record<ApprovalDecision, string>> = {
  "allow-once": "✅ Allowed once:",
  "allow-always": "✅ Always allowed:",
  deny: "⛔ Denied:",
};
const APPROVE_USAGE = "/approve <id> once, always or deny";

const MOST_PENDING = 4;

async function approve(args: string, call: ChatCall, house: Pick<House, "exec">): Promise<CommandAnswer> {
  const { approvals } = await house.exec();
  const words = splitWords(args);
  if (words.length === 0) return showPending(approvals, call.now);
  const said = words.map((word) => decisionOf(word));
  const at = said.findIndex((decision) => decision !== undefined);
  const decision = said[at];
  const id = said[1 - at] === undefined ? words[1 - at] : undefined;
  // Never "the one that waits": it may be another one by the time this is read.
  if (words.length !== 2 || !decision || id === undefined) return refused(`Usage: ${APPROVE_USAGE}`);
  const { requester } = call;
  const command = approvals.list().find((one) => one.id.startsWith(id))?.request.command ?? "";
  const failed = orRefusal(() => {
    call.inName(() => approvals.resolve(id, decision, requester.name ?? requester.id));
  });
  return failed ? refused(`⚠️ ${failed.why}`) : done(SAYS[decision], asWholeCode(command));
}

const decisionOf = (word: string) =>
  Object.hasOwn(DECISIONS, word.toLowerCase()) ? DECISIONS[word.toLowerCase()] : undefined;

function showPending(approvals: Approvals, now: number): CommandAnswer {
  const pending = approvals.list();
  if (pending.length === 0) return done("Nothing waits for approval.");
  const rows = pending
    .slice(0, MOST_PENDING)
    .flatMap(({ id, request, expiresAtMs }) => [
      `⏳ ${id.slice(0, 8)}, ends ${relativeTime(expiresAtMs, now)}`,
      asWholeCode(request.command),
    ]);
  const more = pending.length > MOST_PENDING ? [`… and ${pending.length - MOST_PENDING} more`] : [];
  return done(...rows, ...more, APPROVE_USAGE);
}

export const commands: ReadonlyArray<ChatCommand<House>> = [
  {
    name: "approve",
    aliases: [],
    usage: "<id> <once|always|deny>",
    category: "Management",
    who: "approver",
    help: "allow or deny a command",
    listed: 240,
    run: approve,
  },
];

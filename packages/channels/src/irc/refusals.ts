// Translates the server's refusals of a message into send failures.
import type { SendFailure, SendOutcome } from "@chela/sdk";
import { stripCodes } from "./receive/codes.ts";
import type { ServerFacts } from "./server/server-facts.ts";
import type { Line } from "./server/line.ts";

type Failed = Extract<SendOutcome, { kind: "failed" }>;

/** By numeric; the recipient is the second parameter of these. */
const ABOUT_RECIPIENT: Readonly<Record<string, SendFailure>> = {
  401: "unreachable",
  402: "unreachable",
  403: "unreachable",
  404: "unreachable",
  405: "unreachable",
  406: "unreachable",
  407: "rejected",
  408: "rejected",
  413: "rejected",
  414: "rejected",
  415: "rejected",
  437: "unavailable",
  439: "rate-limited",
  477: "unreachable",
  482: "unreachable",
  486: "unreachable",
  489: "unreachable",
  492: "rejected",
  531: "unreachable",
  707: "rate-limited",
  716: "unreachable",
};

/** These name no recipient: they are about the line that was written last. */
const ABOUT_LINE: Readonly<Record<string, SendFailure>> = {
  263: "rate-limited",
  411: "rejected",
  412: "rejected",
  417: "rejected",
};

const RETRY_MS = 30_000;

export function readRefusal({ command, params }: Line, target: string, facts: ServerFacts): Failed | undefined {
  const said = stripCodes(params.at(-1) ?? "").slice(0, 200);
  const isAboutTarget = facts.fold(params[1] ?? "") === facts.fold(target);
  if (command === "FAIL" && ["PRIVMSG", "BATCH", "TAGMSG"].includes(params[0] ?? "")) return failed("rejected", said);
  const reason = (isAboutTarget ? ABOUT_RECIPIENT[command] : undefined) ?? ABOUT_LINE[command];
  return reason && failed(reason, `${target}: ${said} (${command})`);
}

function failed(reason: SendFailure, why: string): Failed {
  if (reason !== "rate-limited") return { kind: "failed", reason, why };
  const seconds = Number(/(\d{1,4}) sec/.exec(why)?.[1]);
  return { kind: "failed", reason, why, retryAfterMs: seconds ? seconds * 1000 : RETRY_MS, holdsFor: "account" };
}

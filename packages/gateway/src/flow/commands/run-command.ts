// Answers a message that is meant for the gateway alone: what it changes and what it says become true in one commit.
import type { Change, RunOutcome, RunRecord } from "@chela/sdk";
import { redactSecrets } from "@chela/sdk/base";
import type { EntryBody } from "../../rooms/sessions/room.ts";
import { COMMAND_NOTE } from "./command-note.ts";
import { MessageBody } from "../message-body.ts";
import { writeReply } from "../reply/write-reply.ts";
import type { RanCommands, TurnKit } from "../turn/kit.ts";

export async function runCommand(record: RunRecord, kit: TurnKit): Promise<RunOutcome> {
  const { runId, sessionKey, body } = record.message;
  const startedAt = kit.house.clock.now();
  kit.house.bus.emit({ kind: "command-started", runId, sessionKey });
  return answerCommand(record, await kit.runCommands(record, MessageBody().parse(body)), kit, startedAt);
}

/** Ends a run without a model: by what its commands said. */
export async function answerCommand(
  record: RunRecord,
  ran: RanCommands,
  kit: TurnKit,
  startedAt: number,
): Promise<RunOutcome> {
  const { runId, sessionKey, agentId } = record.message;
  const texts = ran.outcome.kind === "reply" && ran.outcome.text ? [ran.outcome.text] : [];
  const endedAt = kit.house.clock.now();
  const outcome: RunOutcome = { status: "ok", texts, stopReason: "stop", meta: { durationMs: endedAt - startedAt } };
  const body = MessageBody().parse(record.message.body);
  const items = await writeReply(kit.house, record, body, { outcome, at: endedAt, directives: [], media: [] });
  const end: Change[] = [{ kind: "turn-end", runId, at: endedAt, outcome }, ...kit.house.outbox.rows(items, endedAt)];
  await kit.house.sessions.alone(sessionKey, async () => {
    // A question about a conversation that has not begun does not begin it.
    if (!ran.hasPatch && !(await kit.house.ledger.session(sessionKey))) return kit.commit(end);
    const { entry, changes } = await kit.house.sessions.open(sessionKey, agentId);
    const put: Change[] = ran.hasPatch ? [{ kind: "session-put", key: sessionKey, entry: ran.patch(entry) }] : [];
    const note = commandNote(record, texts.join("\n\n"));
    const step = { before: changes, after: [...put, ...end], commit: kit.commit };
    await kit.house.transcripts.append(entry.sessionId, [note], step);
  });
  kit.house.bus.emit({ kind: "turn-ended", runId, sessionKey, startedAt, endedAt, outcome, hasReply: !body.origin });
  await kit.house.outbox.sendRows(items);
  return outcome;
}

/** For chat windows: models never see it. Keys that were typed into a command are not kept. */
function commandNote({ message }: RunRecord, reply: string): EntryBody {
  const text = redactSecrets(String(message.body["text"] ?? ""));
  return { type: "custom", customType: COMMAND_NOTE, data: { text, reply: redactSecrets(reply) } };
}

// Puts a text into a conversation as if the agent had said it: in its place among the turns, once, and without a model.
import type { RunOutcome, RunRecord } from "@chela/sdk";
import { MessageBody } from "./message-body.ts";
import { ownWords } from "./own-words.ts";
import type { TurnKit } from "./turn/kit.ts";
import { TurnSteps } from "./turn/steps.ts";

/** Runs an admitted text. Those who watch the conversation are told by its entry. */
export async function sayInSession({ message }: RunRecord, kit: TurnKit): Promise<RunOutcome> {
  const { runId, sessionKey, agentId } = message;
  const { text, chore } = MessageBody().parse(message.body);
  const job = chore?.kind === "say" ? chore.job : undefined;
  const at = kit.house.clock.now();
  const outcome: RunOutcome = { status: "ok", texts: [text] };
  await kit.house.sessions.alone(sessionKey, async () => {
    const { entry, changes } = await kit.house.sessions.open(sessionKey, agentId);
    const steps = new TurnSteps(entry.sessionId, kit);
    await steps.open({
      bodies: [{ type: "message", message: { ...ownWords(text, at, "delivery-mirror"), ...(job ? { job } : {}) } }],
      before: changes,
      after: [
        { kind: "session-put", key: sessionKey, entry: { ...entry, updatedAt: at } },
        { kind: "turn-end", runId, at, outcome },
      ],
    });
    await steps.write([], []);
  });
  return outcome;
}

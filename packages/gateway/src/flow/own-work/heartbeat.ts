// Heartbeats: the conversations they are for, the files of the workspace, and those who watch.
import { textOf, type AgentMessage, type RunRecord } from "@chela/sdk";
import { isOwnWork } from "../message-body.ts";
import { createHeartbeats, type HeartbeatParts, type Heartbeats } from "../../rooms/heartbeat/room.ts";
import type { OwnWorkHouse } from "./wake.ts";
import { findPlace } from "./places.ts";
import type { Transcripts } from "../../rooms/sessions/room.ts";
import { agentFiles, isEmptyHeartbeat } from "../../rooms/workspace/room.ts";

/** What the light part gives. */
export type HeartbeatNeeds = Pick<HeartbeatParts, "settings" | "isSwitchedOn" | "nextAt">;

/** Behind the last answer there may stand notes of other kinds. */
const NEWEST_ENTRIES = 20;

export function openHeartbeats(house: OwnWorkHouse, light: HeartbeatNeeds): Heartbeats {
  const { log, hub, changes, transcripts, config } = house;
  return createHeartbeats(house, {
    ...light,
    async readTasks(agentId) {
      const file = agentFiles(house.agentOf(agentId).workspace).get("HEARTBEAT.md");
      // A link that leads out of the workspace, or a file that is no text: nothing in it is asked for.
      return file.then(
        ({ content }) => content,
        (error: unknown) => void log.warn("HEARTBEAT.md was not read", { agent: agentId, error: String(error) }),
      );
    },
    isEmpty: isEmptyHeartbeat,
    isFromPerson: ({ message }: RunRecord) => !isOwnWork(message.channel),
    findPlace: (written, sessionKey) => findPlace(written, sessionKey, house),
    view(channel, account = "default") {
      const channels = (config.current().channels ?? {}) as Readonly<Record<string, ViewedChannel | undefined>>;
      const own = channels[channel];
      const { showAlerts = true, useIndicator = true }: View = {
        ...channels["defaults"]?.heartbeat,
        ...own?.heartbeat,
        ...own?.accounts?.[account]?.heartbeat,
      };
      return { showAlerts, useIndicator };
    },
    lastAnswer: (sessionId) => lastAnswer(transcripts, sessionId),
    tell(event) {
      hub.broadcast("heartbeat", event, { scope: "operator.read", dropIfSlow: true });
      changes.note("heartbeat");
    },
  });
}

interface View {
  readonly showAlerts?: boolean;
  readonly useIndicator?: boolean;
}

interface ViewedChannel {
  readonly heartbeat?: View;
  readonly accounts?: Readonly<Record<string, { readonly heartbeat?: View } | undefined>>;
}

async function lastAnswer(
  transcripts: Transcripts,
  sessionId: string,
): Promise<{ text: string; thinking: string } | undefined> {
  const entries = await transcripts.path(sessionId, NEWEST_ENTRIES);
  const messages = entries.flatMap((entry) => ("message" in entry ? [entry.message as AgentMessage] : []));
  const answer = messages.findLast(({ role }) => role === "assistant");
  if (!answer || typeof answer.content === "string") return answer && { text: textOf(answer), thinking: "" };
  const thinking = answer.content.flatMap((block) =>
    block.type === "thinking" && "thinking" in block && !("redacted" in block && block["redacted"])
      ? [String(block.thinking)]
      : [],
  );
  return { text: textOf(answer), thinking: thinking.join("\n") };
}

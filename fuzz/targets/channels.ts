// Fuzzes what chat platforms send, from the payload to the event and to the decision about it.
import type { ChannelEvent } from "@chela/sdk";
import { rulesFor } from "../../packages/gateway/src/rooms/access/access.test-support.ts";
import { decideEvent } from "../../packages/gateway/src/rooms/access/room.ts";
import { PLATFORMS } from "../../packages/channels/test/platform-payloads.test-support.ts";
import { promise, type Target } from "../target.ts";
import { parseOr } from "./json-text.ts";

/** Those whose payloads come as JSON and are read by a schema of ours; others come through a library that reads them. */
const READ_BY_US = "telegram discord slack whatsapp-cloud signal matrix webhook mattermost sms".split(" ");

const CLOSED = rulesFor({});
const OTHERS_ONLY = rulesFor({
  dm: "allowlist",
  group: "allowlist",
  allowFrom: ["somebody-else-altogether"],
  groups: {},
});

export const channels: readonly Target[] = READ_BY_US.map((id) => ({
  name: `channel-${id}`,
  promises:
    "A payload becomes events with a time and the ids of a sender and a chat, or nothing; no event of somebody who is in no list is let in.",
  kind: "json",
  async seeds() {
    const payloads = await PLATFORMS[id]?.payloads();
    return Object.entries(payloads ?? {}).map(([name, payload]) => JSON.stringify({ name, payload }));
  },
  words: ["message", "text", "from", "user", "chat", "type", "files", "*", "us"],
  open: () => ({
    async run(input) {
      const { name, payload } = (parseOr(input) ?? {}) as { name?: unknown; payload?: unknown };
      if (typeof payload !== "object" || payload === null) return;
      const events = (await PLATFORMS[id]?.read(id === "sms" ? asForm(payload) : payload, nameOf(name))) ?? [];
      for (const event of events) checkEvent(event);
    },
  }),
}));

const nameOf = (name: unknown): string => (typeof name === "string" ? name : "");

/** Fields of a form are texts. */
function asForm(payload: object): object {
  return Object.fromEntries(
    Object.entries(payload).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  );
}

function checkEvent(event: ChannelEvent): void {
  const { id, at, chat, sender, content } = event;
  // Nobody at all, as in a channel's own post, is written as "", which no list can name.
  for (const [what, value] of Object.entries({ event: id, chat: chat.id, sender: sender.id })) {
    promise(typeof value === "string", `the id of the ${what} is ${JSON.stringify(value)}`);
  }
  promise(Number.isFinite(at), `it happened at ${at}`);
  promise(typeof content.kind === "string", "it is of no kind");
  for (const rules of [CLOSED, OTHERS_ONLY]) {
    const { kind } = decideEvent(event, rules);
    promise(kind !== "allowed" && kind !== "heard", `somebody who is in no list was ${kind}`);
  }
}

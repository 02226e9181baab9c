// Turns what Slack sends into channel events. Pure: what has to be looked up first is handed in.
import { emojiOf } from "../emoji.ts";
import { parseMessage } from "./parse-message.ts";
import {
  drop,
  millisecondsOf,
  person,
  placeOf,
  threadOf,
  type Parsed,
  type MessageContext,
} from "./message-context.ts";
import type { SlackAction, SlackCommand, SlackEvent, SlackJoinEvent, SlackReactionEvent } from "../wire.ts";

/** Which of the gateway's commands Slack's own ones stand for. */
interface CommandNames {
  readonly name: string;
}

export function parseEvent(event: SlackEvent, around: MessageContext): Parsed {
  switch (event.type) {
    case "message":
    case "app_mention":
      return parseMessage(event, around);
    case "reaction_added":
    case "reaction_removed":
      return parseReaction(event, around);
    case "member_joined_channel":
      return parseJoin(event, around);
    default:
      return drop(`nothing is to be done about ${event.type}`);
  }
}

/** `/openclaw status` is the gateway's `/status`; a command of another name stands for itself. */
export function parseCommand(command: SlackCommand, names: CommandNames, around: MessageContext): Parsed {
  const sender = person(command.user_id, around, command.user_name);
  // Not by the channel's name: anybody may call a channel "directmessage".
  const place = placeOf({ channel: command.channel_id, sender }, around);
  return {
    kind: "event",
    event: {
      id: `${command.channel_id}:command:${command.trigger_id ?? `${command.user_id}:${around.now}`}`,
      at: around.now,
      ...place,
      sender,
      content: { kind: "command", text: commandText(command, names) },
    },
  };
}

function commandText(command: SlackCommand, names: CommandNames): string {
  const name = command.command.replace(/^\/+/, "");
  const rest = (command.text ?? "").trim();
  if (name === names.name) return `/${rest.replace(/^\/+/, "") || "help"}`;
  // Slack keeps /status for itself, so apps offer it under another name.
  const ours = name === "agentstatus" ? "status" : name;
  return rest ? `/${ours} ${rest}` : `/${ours}`;
}

export function parseAction(action: SlackAction, around: MessageContext): Parsed {
  const pressed = action.actions.find(({ type, value }) => type === "button" && value !== undefined);
  if (!pressed) return drop("no button with a value was pressed");
  const sender = person(action.user.id, around, action.user.username ?? action.user.name);
  const { ts, thread_ts: thread } = action.message;
  const place = placeOf({ channel: action.channel.id, sender, ...threadOf(ts, thread) }, around);
  return {
    kind: "event",
    event: {
      id: `${action.channel.id}:${ts}:button:${pressed.action_id}:${pressed.action_ts ?? ""}:${sender.id}`,
      messageId: ts,
      at: millisecondsOf(pressed.action_ts ?? ts),
      ...place,
      sender,
      content: { kind: "button", data: pressed.value ?? "", on: ts },
    },
  };
}

function parseReaction(event: SlackReactionEvent, around: MessageContext): Parsed {
  if (event.user === around.self.userId) return drop("it is our own reaction");
  const { channel, ts } = event.item;
  const sender = person(event.user, around);
  const at = event.event_ts ?? ts;
  return {
    kind: "event",
    event: {
      id: `${channel}:${ts}:${event.type}:${event.reaction}:${event.user}:${at}`,
      messageId: ts,
      at: millisecondsOf(at),
      ...placeOf({ channel, sender }, around),
      sender,
      content: {
        kind: "reaction",
        emoji: emojiOf(event.reaction),
        isRemoved: event.type === "reaction_removed",
        on: ts,
        onOurs: event.item_user === around.self.userId,
      },
    },
  };
}

function parseJoin(event: SlackJoinEvent, around: MessageContext): Parsed {
  if (event.user === around.self.userId) return drop("we joined ourselves");
  const sender = person(event.user, around);
  const at = event.event_ts ?? "";
  return {
    kind: "event",
    event: {
      id: `${event.channel}:joined:${event.user}:${at}`,
      at: millisecondsOf(at),
      ...placeOf({ channel: event.channel, sender }, around),
      sender,
      content: { kind: "notice", text: `${sender.name ?? sender.id} joined the channel.` },
    },
  };
}

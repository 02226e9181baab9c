// Slash commands and pressed buttons as events of the gateway, and what Discord wants to hear at once.
import type { Chat, ChannelEvent } from "@chela/sdk";
import type { Interaction } from "./payload.ts";
import { senderOf, type ParsedEvent } from "./parse.ts";
import { replyTargetOf } from "../place.ts";

const COMMAND = 2;
const COMPONENT = 3;
const CHAT_INPUT = 1;

/** Numbers of Discord for the kinds of answer to an interaction. */
const DEFERRED_MESSAGE = 5;
const DEFERRED_UPDATE = 6;
const EPHEMERAL = 1 << 6;

export interface InteractionFacts {
  readonly chat: Chat;
  readonly at: number;
  /** What a button's `custom_id` stands for. */
  readonly data?: string;
}

export function senderIdOf(interaction: Interaction): string | undefined {
  return interaction.member?.user?.id ?? interaction.user?.id;
}

export function parseInteraction(interaction: Interaction, facts: InteractionFacts): ParsedEvent {
  const user = interaction.member?.user ?? interaction.user;
  if (!user) return { kind: "dropped", why: "nobody is named as its sender" };
  const content = contentOf(interaction, facts.data);
  if (!content) return { kind: "dropped", why: "it is of a kind that is not used here" };
  return {
    kind: "event",
    event: {
      id: `interaction:${interaction.id}`,
      ...(interaction.message ? { messageId: interaction.message.id } : {}),
      at: facts.at,
      chat: facts.chat,
      sender: senderOf(user, interaction.member),
      replyTarget: replyTargetOf(facts.chat),
      content,
    },
  };
}

function contentOf(interaction: Interaction, data: string | undefined): ChannelEvent["content"] | undefined {
  const { type, data: asked, message } = interaction;
  if (type === COMMAND && asked?.name !== undefined && (asked.type ?? CHAT_INPUT) === CHAT_INPUT) {
    return { kind: "command", text: [`/${asked.name}`, ...wordsOf(asked.options)].join(" ") };
  }
  if (type === COMPONENT && message && data !== undefined) return { kind: "button", data, on: message.id };
  return undefined;
}

interface Option {
  readonly name: string;
  readonly value?: string | number | boolean | undefined;
  readonly options?: readonly Option[] | undefined;
}

/** Our commands have one option with all the words; groups and sub-commands of others are read in the order written. */
function wordsOf(options: readonly Option[]): string[] {
  return options
    .flatMap(({ name, value, options: inner }) => (inner ? [name, ...wordsOf(inner)] : [String(value ?? "").trim()]))
    .filter(Boolean);
}

/** A press is confirmed silently; a command shows "thinking…" until its answer stands in the chat. */
export function acknowledgementOf(
  interaction: Interaction,
  isEphemeral: boolean,
): { type: number; data?: { flags: number } } {
  if (interaction.type === COMPONENT) return { type: DEFERRED_UPDATE };
  return { type: DEFERRED_MESSAGE, data: { flags: isEphemeral ? EPHEMERAL : 0 } };
}

export function isCommand(interaction: Interaction): boolean {
  return interaction.type === COMMAND;
}

export function isPress(interaction: Interaction): boolean {
  return interaction.type === COMPONENT;
}

const DISCORD_EPOCH = 1_420_070_400_000n;

/** Every id of Discord says when it was given out. */
export function timeOfId(id: string): number {
  return Number((BigInt(id) >> 22n) + DISCORD_EPOCH);
}

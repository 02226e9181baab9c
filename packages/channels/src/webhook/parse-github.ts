// An event of GitHub, or of whoever signs the way GitHub does, as a readable message. Pure.
import { createHash } from "node:crypto";
import * as z from "zod";
import { once, type ChannelSender, type WebhookCall } from "@chela/sdk";
import { writeAddress } from "./address.ts";
import type { Parsed, MessageContext } from "./parse.ts";
import { fillTemplate } from "./template.ts";

const Event = once(() =>
  z.looseObject({
    action: z.string().optional().catch(undefined),
    sender: z
      .object({
        id: z.union([z.int(), z.string().min(1)]),
        login: z.string().optional().catch(undefined),
        type: z.string().optional().catch(undefined),
      })
      .optional()
      .catch(undefined),
    repository: z.object({ full_name: z.string() }).optional().catch(undefined),
  }),
);
type Event = z.output<ReturnType<typeof Event>>;

const LONGEST_EXCERPT = 3000;
/** Addresses and inner ids are half of what GitHub says, and tell nobody anything. */
const NOISE = /(?:^|_)url$|^node_id$|^gravatar_id$/;

export function parseGithub(
  body: unknown,
  call: Pick<WebhookCall, "headers" | "body">,
  template: string | undefined,
  { now, sender: fixed }: MessageContext,
): Parsed {
  const read = Event().safeParse(body);
  if (!read.success) return { kind: "wrong", why: "the body is no JSON object" };
  const name = eventName(call.headers["x-github-event"]);
  if (name === "ping") return { kind: "passed", why: "pong" };
  const sender = readSender(read.data, fixed);
  if (!sender) return { kind: "wrong", why: "the event names no sender.id; set channels.webhook.sender" };
  const text = template === undefined ? describe(name, read.data) : fillTemplate(template, read.data, { event: name });
  if (text.trim() === "") return { kind: "passed", why: "the template leaves nothing of this event" };
  const chat = { kind: "direct" as const, id: sender.id };
  return {
    kind: "event",
    event: {
      // The delivery's own number is not signed, so a copy could have another one. The bytes are.
      id: `sha256:${createHash("sha256").update(call.body).digest("hex")}`,
      at: now,
      chat,
      sender,
      replyTarget: { to: writeAddress(chat) },
      content: { kind: "message", text, mentionsUs: false },
    },
  };
}

/** The header is not signed either: only a plain word is believed. */
function eventName(header: string | undefined): string {
  return header !== undefined && /^[a-z_]{1,60}$/.test(header) ? header : "event";
}

function readSender({ sender }: Event, fixed: string | undefined): ChannelSender | undefined {
  if (!sender) return fixed === undefined ? undefined : { id: fixed };
  const { id, login, type } = sender;
  return {
    id: String(id),
    ...(login ? { name: login, username: login } : {}),
    ...(type === "Bot" ? { isBot: true } : {}),
  };
}

function describe(name: string, event: Event): string {
  const { action, repository, sender } = event;
  const words = [
    name,
    action,
    ...(repository ? ["in", repository.full_name] : []),
    ...(sender?.login ? ["by", sender.login] : []),
  ];
  const { sender: _sender, repository: _repository, ...rest } = event;
  const excerpt = JSON.stringify(rest, (key, value: unknown) => (NOISE.test(key) ? undefined : value), 1);
  const cut = excerpt.length > LONGEST_EXCERPT ? `${excerpt.slice(0, LONGEST_EXCERPT).toWellFormed()} …` : excerpt;
  return `${words.filter(Boolean).join(" ")}\n\n${cut}`;
}

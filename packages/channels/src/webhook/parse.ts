// A request in our own format as an event. Pure; whoever sent something wrong is told what.
import { defined } from "@chela/sdk/base";
import * as z from "zod";
import { once, type ChannelEvent, type Chat, type Parsed as Output } from "@chela/sdk";
import { writeAddress } from "./address.ts";
import { TEXT_LIMIT } from "./format.ts";

export interface MessageContext {
  readonly now: number;
  /** The sender of requests that name none. */
  readonly sender: string | undefined;
  /** Whether we sent a message of this id. */
  isOurs(messageId: string): boolean;
}

export type Parsed =
  | { readonly kind: "event"; readonly event: ChannelEvent }
  /** Of no interest; all is well. */
  | { readonly kind: "passed"; readonly why: string }
  | { readonly kind: "wrong"; readonly why: string };

const Id = () => z.string().trim().min(1).max(200);

const Request = once(() =>
  z.object({
    id: Id(),
    at: z.int().positive().optional(),
    from: z
      .object({ id: Id(), name: z.string().max(200).optional(), isBot: z.boolean().optional() })
      .refine(({ id }) => id !== "*", { path: ["id"], message: '"*" is nobody\'s id' })
      .optional(),
    chat: z
      .object({
        id: Id(),
        kind: z.enum(["direct", "group", "channel"]),
        title: z.string().max(200).optional(),
        threadId: Id().optional(),
      })
      .optional(),
    text: z.string().max(TEXT_LIMIT),
    mentionsUs: z.boolean().optional(),
    replyTo: Id().optional(),
  }),
);
type Request = Output<typeof Request>;

export function parseRequest(body: unknown, surroundings: MessageContext): Parsed {
  const read = Request().safeParse(body);
  if (!read.success) return wrong(explain(read.error));
  const request = read.data;
  const senderId = request.from?.id ?? surroundings.sender;
  if (senderId === undefined) return wrong("from.id is missing: say who writes, or set channels.webhook.sender");
  if (request.chat?.kind === "direct" && request.chat.id !== senderId) {
    return wrong("chat.id of a direct chat must be from.id; leave chat out, or use the kind group");
  }
  if (request.text.trim() === "") return wrong("text is empty");
  return { kind: "event", event: toEvent(request, senderId, surroundings) };
}

const wrong = (why: string): Parsed => ({ kind: "wrong", why });

function explain(error: z.core.$ZodError): string {
  const said = error.issues.slice(0, 3).map(({ path, message }) => `${path.join(".") || "the body"}: ${message}`);
  return `${said.join("; ")}. Wanted is {id, from: {id}, text} and optionally at, chat, mentionsUs, replyTo`;
}

function toEvent(request: Request, senderId: string, { now, isOurs }: MessageContext): ChannelEvent {
  const { id, at, from, chat: place, text, mentionsUs, replyTo } = request;
  const { threadId, title } = place ?? {};
  const chat: Chat = {
    kind: place?.kind ?? "direct",
    id: place?.id ?? senderId,
    ...defined({ threadId, title }),
  };
  return {
    id,
    messageId: id,
    at: at ?? now,
    chat,
    sender: { id: senderId, ...(from?.name ? { name: from.name } : {}), ...(from?.isBot ? { isBot: true } : {}) },
    replyTarget: { to: writeAddress(chat), ...defined({ threadId }) },
    content: {
      kind: "message",
      text,
      mentionsUs: mentionsUs === true,
      ...(replyTo === undefined ? {} : { replyTo: { id: replyTo, isOurs: isOurs(replyTo) } }),
    },
  };
}

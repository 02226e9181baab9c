// The content of the events we send: texts with HTML, relations to other events, mentions, polls.
import type { Poll, Target } from "@chela/sdk";
import type { TableMode } from "@chela/sdk/markdown";
import { isUserId } from "./address.ts";
import { write } from "./format.ts";

export interface Relations {
  readonly replyTo?: string | undefined;
  readonly threadId?: Target["threadId"] | undefined;
}

export function textContent(markdown: string, msgtype: "m.text" | "m.notice", tables: TableMode | undefined): object {
  const { body, html } = write(markdown, tables);
  return {
    msgtype,
    body,
    ...(html ? { format: "org.matrix.custom.html", formatted_body: html } : {}),
    "m.mentions": mentionsIn(`${body}\n${html ?? ""}`),
  };
}

const MAX_MENTIONS = 20;

/** Nobody's telephone rings but those whose full id was written. */
function mentionsIn(text: string): { user_ids?: string[] } {
  const written = text.matchAll(/(?<![\w/@.])@[a-z0-9._=+-]{1,100}:[A-Za-z0-9.-]{1,100}(?::\d{1,5})?/g);
  const linked = text.matchAll(/matrix\.to\/#\/(@[^"?\s<)]{1,200})/g);
  const ids = [
    ...[...written].map(([id]) => id.replace(/[.:-]+$/, "")),
    ...[...linked].map(([, id]) => decoded(id ?? "")),
  ];
  const unique = [...new Set(ids)].filter(isUserId).slice(0, MAX_MENTIONS);
  return unique.length > 0 ? { user_ids: unique } : {};
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** In a thread, clients that know no threads see an answer to the last message. */
export function relationsOf({ replyTo, threadId }: Relations): object {
  const answer = replyTo ? { "m.in_reply_to": { event_id: replyTo } } : {};
  if (!threadId) return replyTo ? { "m.relates_to": answer } : {};
  return {
    "m.relates_to": {
      rel_type: "m.thread",
      event_id: threadId,
      ...(replyTo
        ? { is_falling_back: false, ...answer }
        : { is_falling_back: true, "m.in_reply_to": { event_id: threadId } }),
    },
  };
}

const FALLBACK_CHARACTERS = 200;

/** The new text is sent once; those who do not know edits see how it begins. */
export function editContent(messageId: string, markdown: string, tables: TableMode | undefined): object {
  const replacement = textContent(markdown, "m.text", tables) as { body: string };
  const beginning = replacement.body.slice(0, FALLBACK_CHARACTERS).toWellFormed();
  return {
    msgtype: "m.text",
    body: `* ${beginning}${beginning.length < replacement.body.length ? "…" : ""}`,
    // Whoever was named in the first version has been told already.
    "m.mentions": {},
    "m.new_content": replacement,
    "m.relates_to": { rel_type: "m.replace", event_id: messageId },
  };
}

/** In the form most clients know, which is the one from before polls were part of the standard. */
export const POLL_TYPE = "org.matrix.msc3381.poll.start";

export function pollContent({ question, options, maxSelections, isAnonymous }: Poll): object {
  const text = [question, ...options.map((option, index) => `${index + 1}. ${option}`)].join("\n");
  return {
    "org.matrix.msc3381.poll.start": {
      question: { "org.matrix.msc1767.text": question, body: question, msgtype: "m.text" },
      kind: isAnonymous ? "org.matrix.msc3381.poll.undisclosed" : "org.matrix.msc3381.poll.disclosed",
      max_selections: Math.max(1, maxSelections ?? 1),
      answers: options.map((option, index) => ({ id: `answer-${index + 1}`, "org.matrix.msc1767.text": option })),
    },
    "org.matrix.msc1767.text": text,
  };
}

// Writes a mail as it goes over the wire.
import { readFile } from "node:fs/promises";
import MailComposer from "nodemailer/lib/mail-composer";
import type { OutboundMedia } from "@chela/sdk";
import { toHtml, toText } from "./format.ts";

export interface Letter {
  readonly from: { readonly address: string; readonly name: string };
  readonly to: string;
  readonly subject: string;
  readonly messageId: string;
  readonly inReplyTo?: string;
  readonly references: readonly string[];
  readonly at: number;
  readonly markdown: string;
  readonly file?: OutboundMedia;
}

export async function composeMail(letter: Letter): Promise<Buffer> {
  const { from, to, subject, messageId, inReplyTo, references, at, markdown, file } = letter;
  const bracket = (id: string): string => `<${id}>`;
  const composer = new MailComposer({
    from,
    to,
    subject,
    messageId: bracket(messageId),
    ...(inReplyTo === undefined ? {} : { inReplyTo: bracket(inReplyTo) }),
    ...(references.length === 0 ? {} : { references: references.map(bracket) }),
    date: new Date(at),
    headers: {
      // So that no other machine answers this one.
      "Auto-Submitted": inReplyTo === undefined ? "auto-generated" : "auto-replied",
      "X-Auto-Response-Suppress": "All",
    },
    text: toText(markdown),
    html: toHtml(markdown),
    ...(file ? { attachments: [await attach(file)] } : {}),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

async function attach({ path, name, mimeType }: OutboundMedia) {
  return { filename: name, contentType: mimeType, content: await readFile(path) };
}

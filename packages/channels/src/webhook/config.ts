// Reads an account's settings for this channel.
import { createHash } from "node:crypto";
import { Secret, type Configured } from "@chela/sdk";
import { readSettings } from "@chela/sdk/config";
import { webhookSection } from "./section.ts";

export interface WebhookAccount {
  readonly secret: Secret;
  /** Secrets do not show when an account is compared with what it was; this does. */
  readonly secretDigest: string;
  /** Absent: one made from the account's name. */
  readonly path: string | undefined;
  /** Absent: messages can only come in. */
  readonly outboundUrl: string | undefined;
  readonly format: "chela" | "github";
  /** What a GitHub event becomes; absent: a sentence and what the event says. */
  readonly template: string | undefined;
  /** The sender of requests that name none. */
  readonly sender: string | undefined;
  readonly maxMediaBytes: number;
}

const SHORTEST_SECRET = 16;
const MOST_MEDIA_MEGABYTES = 5;

export function configure(settings: unknown): Configured<WebhookAccount> {
  const read = readSettings(webhookSection, settings);
  if (read.kind === "unusable") return incomplete(`${read.where || "the block"} cannot be read`);
  const { secret = "", outboundUrl, format, template, sender, mediaMaxMb } = read.settings;
  const { path } = read.written;
  if (secret.length < SHORTEST_SECRET) {
    const what = secret === "" ? "a secret is missing" : "the secret is too short";
    return incomplete(
      `${what}: set secret to at least ${SHORTEST_SECRET} characters, such as from openssl rand -hex 32`,
    );
  }
  if (path !== undefined && !isPath(path)) return incomplete("path must look like /hooks/my-program");
  if (outboundUrl && !isWebAddress(outboundUrl)) return incomplete("outboundUrl must be an address with http or https");
  return {
    kind: "configured",
    account: {
      secret: new Secret(secret),
      secretDigest: createHash("sha256").update(secret).digest("hex"),
      path,
      outboundUrl: outboundUrl || undefined,
      format,
      template: template || undefined,
      sender: sender === undefined ? undefined : String(sender).trim() || undefined,
      maxMediaBytes: Math.min(mediaMaxMb, MOST_MEDIA_MEGABYTES) * 1024 * 1024,
    },
  };
}

const incomplete = (why: string): Configured<WebhookAccount> => ({
  kind: "incomplete",
  why: `channels.webhook: ${why}.`,
});

function isPath(path: string): boolean {
  return /^(?:\/[\w.~-]+)+$/.test(path) && !/\/\.{1,2}(?:\/|$)/.test(path);
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && ["http:", "https:"].includes(url.protocol);
}

// Ids of our own mails: made of the delivery's key, so that a mail that is sent again is the same mail.
import { createHash } from "node:crypto";
import { domainOf } from "./address.ts";

const PREFIX = "chela.";

/** Without brackets. */
export function messageIdFor(key: string, ourAddress: string): string {
  const print = createHash("sha256")
    .update(JSON.stringify([ourAddress, key]))
    .digest("hex");
  return `${PREFIX}${print.slice(0, 40)}@${domainOf(ourAddress)}`;
}

export function isOurMessageId(id: string, ourAddress: string): boolean {
  return id.startsWith(PREFIX) && id.endsWith(`@${domainOf(ourAddress)}`) && /^\w+\.[0-9a-f]{40}@/.test(id);
}

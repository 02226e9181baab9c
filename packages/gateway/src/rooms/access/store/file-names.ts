// Names of files for channels and accounts, whatever these are called: no name leaves the directory or is another's.
import { createHash } from "node:crypto";

const DEFAULT_ACCOUNT = "default";
const MAX_LENGTH = 64;

/** `telegram-pairing.json` */
export function channelFile(channel: string, what: string): string {
  return `${safe(channel)}-${what}.json`;
}

/** `telegram-allowFrom.json` for the default account, `telegram-work-allowFrom.json` for others. */
export function accountFile(channel: string, account: string, what: string): string {
  const name = canonicalAccount(account);
  // Else what belongs to the channel `whatsapp-cloud` would be found by the account `cloud` of `whatsapp`.
  const own = channel.includes("-") ? marked(channel) : safe(channel);
  return name === DEFAULT_ACCOUNT ? `${own}-${what}.json` : `${own}-${safe(name)}-${what}.json`;
}

/** The other name of the default account's file: other OpenClaw programs name every account. */
export function otherAccountFile(channel: string, account: string, what: string): string | undefined {
  if (canonicalAccount(account) !== DEFAULT_ACCOUNT || channel.includes("-")) return undefined;
  return `${safe(channel)}-${DEFAULT_ACCOUNT}-${what}.json`;
}

export function canonicalAccount(account: string | undefined): string {
  return account?.trim().toLowerCase() || DEFAULT_ACCOUNT;
}

/** What had to be changed gets a mark made of the whole name, so that two names never share a file. */
function safe(name: string): string {
  const lower = name.trim().toLowerCase();
  return plainOf(lower) === lower && lower !== "" ? lower : marked(name);
}

function marked(name: string): string {
  const lower = name.trim().toLowerCase();
  return `${plainOf(lower)}~${createHash("sha256").update(lower).digest("hex").slice(0, 12)}`;
}

function plainOf(lower: string): string {
  return lower.replace(/[^a-z0-9_-]/g, "_").slice(0, MAX_LENGTH);
}

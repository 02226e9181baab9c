// A mapping for a known sender, as it is written into the configuration.
import { listOf, recordOf, type HooksConfig } from "./change-webhooks.ts";

/** "ours": the secret is chosen here and given to the sender. "sender": the sender gives it. "token": there is none. */
export const SENDERS = {
  github: { name: "GitHub", secret: "ours" },
  stripe: { name: "Stripe", secret: "sender" },
  sentry: { name: "Sentry", secret: "sender" },
  gmail: { name: "Gmail", secret: "token" },
  generic: { name: "", secret: "ours" },
} as const;
export type Sender = keyof typeof SENDERS;

export interface MappingWish {
  readonly sender: Sender;
  readonly secret: string;
  /** What the agent shall do with it. */
  readonly instructions: string;
  /** "" is the default agent. */
  readonly agentId: string;
}

/** Under a name and an address that no other mapping has. */
export function newMapping({ sender, secret, instructions, agentId }: MappingWish, hooks: HooksConfig): HooksConfig {
  const path = freePath(sender, hooks);
  return {
    id: path,
    preset: sender,
    ...(path === sender ? {} : { match: { path } }),
    ...(agentId ? { agentId } : {}),
    ...(instructions.trim() ? { instructions: instructions.trim() } : {}),
    ...(SENDERS[sender].secret === "token" ? {} : { signature: { secret: secret.trim() } }),
  };
}

export function freePath(sender: Sender, hooks: HooksConfig): string {
  const written = listOf(hooks["mappings"]).map(recordOf);
  const taken = new Set(written.flatMap(({ id, preset, match }) => [id, recordOf(match)["path"] ?? preset]));
  for (let count = 1; ; count++) {
    const path = count === 1 ? sender : `${sender}-${count}`;
    if (!taken.has(path)) return path;
  }
}

// Services a credential may be for: providers of models and channels that this gateway knows.
import type { MethodAnswer } from "@chela/sdk/protocol";

/** Stands for one that is not in the list. */
export const OTHER = "?";

export interface ServiceChoice {
  readonly id: string;
  readonly label: string;
  readonly group?: "models" | "channels";
  /** Where a key can be made. */
  readonly keyUrl?: string;
}

export function serviceChoices(
  setup: MethodAnswer<"setup.status"> | undefined,
  channels: MethodAnswer<"channels.capabilities"> | undefined,
): ServiceChoice[] {
  const providers = (setup?.providers ?? [])
    // Models on this machine need no key, as a rule.
    .filter(({ kind, configured }) => kind === "hosted" || configured)
    .map(({ id, label, keyUrl }) => ({
      id,
      label,
      group: "models" as const,
      ...(keyUrl && keyUrl.startsWith("https:") ? { keyUrl } : {}),
    }));
  const others = (channels?.channels ?? []).map(({ id, label }) => ({ id, label, group: "channels" as const }));
  return [...providers, ...others];
}

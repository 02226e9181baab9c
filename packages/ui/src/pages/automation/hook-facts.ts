// Facts about hooks between their lines: where they belong, what they hear of, what they need.
import type { MethodAnswer } from "@chela/sdk/protocol";
import { entryOf } from "../../state/entry-of.ts";
import type { AutomationWords } from "./beat-words.ts";

export type Hook = MethodAnswer<"hooks.list">["hooks"][number];

export const HOOK_GROUPS = ["bundled", "own", "workspace"] as const;
type HookGroup = (typeof HOOK_GROUPS)[number];

export function groupOf({ source }: Pick<Hook, "source">): HookGroup {
  return source === "managed" || source === "extra" ? "own" : source;
}

/** Events in words; of one this page does not know, its name. */
export function eventWords(events: readonly string[], words: AutomationWords): string[] {
  const texts = words as unknown as Readonly<Record<string, string>>;
  return events.map((name) => entryOf(texts, `event_${name}`) ?? name);
}

/** Programs, variables, settings and systems, by name. */
export function needsOf({ requires }: Pick<Hook, "requires">): string[] {
  return Object.entries(requires).flatMap(([kind, names]) =>
    kind === "anyBins" ? [names.join(" | ")] : names.map((name) => (kind === "env" ? `$${name}` : name)),
  );
}

/** Only such an address is made a link. */
export function safeLink(url: string | undefined): string | undefined {
  return url && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) ? url : undefined;
}

/** Whether the switch can do anything: what is not used or cannot run stays off, and can only be forgotten. */
export function canSwitch({ state, enabled }: Pick<Hook, "state" | "enabled">): boolean {
  return state === "on" || state === "off" || state === "changed" || (enabled && state !== "shadowed");
}

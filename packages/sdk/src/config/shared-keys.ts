// Parts of the configuration that stand in several places: which tools are allowed, and how streamed text is gathered.
import { block, count, item, key, positive, texts } from "./keys.ts";

/** A shape that stands in several places, and what it is for in each. */
export type Says<Name extends string> = Readonly<Record<Name, string>>;

export const toolPolicyShape = (says: Says<"allow" | "alsoAllow" | "deny">) => ({
  allow: key(texts(), says.allow),
  alsoAllow: key(texts(), says.alsoAllow),
  deny: key(texts(), says.deny),
});
export const toolPolicy = (says: Says<"allow" | "alsoAllow" | "deny">) => block(() => toolPolicyShape(says));
export const toolPolicyItem = (says: Says<"allow" | "alsoAllow" | "deny">) => item(() => toolPolicyShape(says));

/** How streamed text is gathered before it is sent. */
export const coalesce = (says: Says<"minChars" | "maxChars" | "idleMs">) =>
  block(() => ({
    minChars: key(positive(), says.minChars),
    maxChars: key(positive(), says.maxChars),
    idleMs: key(count(), says.idleMs, { preset: 1000 }),
  }));

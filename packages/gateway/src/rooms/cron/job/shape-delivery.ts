// Reads where the result of a job goes from whatever somebody wrote, in the job or, as it once was, in its payload.
import { asLoose, pickNamed, pick, type Loose } from "./loose.ts";

/** The old names, in a payload or in the job itself. */
export const OLD_DELIVERY_NAMES = ["deliver", "channel", "to", "bestEffortDeliver"];
const PLACE_NAMES = ["channel", "to", "accountId", "threadId"];

/** With canonical names; `null` is kept, since it clears. `mode` is absent where only the place was named. */
export function shapeDelivery(value: unknown): Loose | null | undefined {
  if (value === null) return null;
  if (typeof value === "string") return { mode: value };
  const loose = asLoose(value);
  if (!loose) return undefined;
  const mode = loose["mode"] === "deliver" ? "announce" : loose["mode"];
  const failure = loose["failureDestination"];
  return {
    mode,
    ...shapePlace(loose),
    bestEffort: pick(loose, "bestEffort", "bestEffortDeliver"),
    failureDestination: asLoose(failure)
      ? { ...pickNamed(failure as Loose, ["mode"]), ...shapePlace(failure as Loose) }
      : failure,
  };
}

/** Ids are texts, also where a platform's are numbers. */
function shapePlace(loose: Loose): Loose {
  const place: Record<string, unknown> = pickNamed({ accountId: loose["account"], ...loose }, PLACE_NAMES);
  for (const [name, value] of Object.entries(place)) if (typeof value === "number") place[name] = String(value);
  return place;
}

/** `undefined` when none of the old names is there. */
export function oldDelivery(from: Loose): Loose | undefined {
  const old = pickNamed(from, OLD_DELIVERY_NAMES);
  if (Object.keys(old).length === 0) return undefined;
  if (old["deliver"] === false) return { mode: "none" };
  return shapeDelivery({ ...old, mode: "announce" }) ?? undefined;
}

/** A place without a mode: an address on the web is posted to, any other is a chat. */
export function likelyMode(delivery: Loose): string {
  const { to, channel } = delivery;
  return channel === undefined && typeof to === "string" && /^https?:\/\//i.test(to) ? "webhook" : "announce";
}

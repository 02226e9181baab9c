// Wishes of a request, a mapping or a transform, as they were written.
import * as z from "zod";
import { once, THINKING_LEVELS, type Parsed } from "@chela/sdk";

const LONGEST_TIMEOUT_SECONDS = 24 * 60 * 60;
const LONGEST_FIELD = 512;
const text = () => z.string().optional();
const mode = () => z.enum(["now", "next-heartbeat"]).optional();

const fields = () => ({
  name: text(),
  agentId: text(),
  wakeMode: mode(),
  sessionKey: text(),
  deliver: z.boolean().optional(),
  channel: text(),
  to: z.union([z.string().max(LONGEST_FIELD), z.number().transform(String)]).optional(),
  model: z.string().max(LONGEST_FIELD).optional(),
  thinking: z.enum(THINKING_LEVELS).optional(),
  timeoutSeconds: z.number().positive().max(LONGEST_TIMEOUT_SECONDS).optional(),
});

export const AgentWish = once(() => z.object({ message: z.string(), ...fields() }));
export type AgentWish = Parsed<typeof AgentWish>;

export const WakeWish = once(() => z.object({ text: z.string(), mode: mode() }));
export type WakeWish = Parsed<typeof WakeWish>;

/** What a transform may say instead of its mapping. */
export const Overrides = once(() =>
  z.object({
    kind: z.enum(["agent", "wake"]).optional(),
    action: z.enum(["agent", "wake"]).optional(),
    message: text(),
    text: text(),
    mode: mode(),
    allowUnsafeExternalContent: z.boolean().optional(),
    ...fields(),
  }),
);
export type Overrides = Parsed<typeof Overrides>;

export type ReadWish<T> =
  | { readonly kind: "read"; readonly wish: T }
  | { readonly kind: "refused"; readonly error: string };

/** Fields that are null are not there. Of what is wrong, the first is told. */
export function readWish<S extends z.ZodType>(schema: () => S, raw: unknown): ReadWish<z.output<S>> {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    return { kind: "refused", error: "the body must be a JSON object" };
  }
  const given = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null));
  const read = schema().safeParse(given);
  if (read.success) return { kind: "read", wish: read.data };
  const [issue] = read.error.issues;
  const field = String(issue?.path[0] ?? "the body");
  return { kind: "refused", error: sentenceOf(field, given) };
}

const ALLOWED: Readonly<Record<string, string>> = {
  mode: "now or next-heartbeat",
  wakeMode: "now or next-heartbeat",
  thinking: THINKING_LEVELS.join("|"),
  deliver: "true or false",
  to: `a text of at most ${LONGEST_FIELD} characters`,
  model: `a text of at most ${LONGEST_FIELD} characters`,
  allowUnsafeExternalContent: "true or false",
  timeoutSeconds: `a number of seconds, up to ${LONGEST_TIMEOUT_SECONDS}`,
  kind: "agent or wake",
  action: "agent or wake",
};

function sentenceOf(field: string, given: object): string {
  if (!Object.hasOwn(given, field)) return `${field} required`;
  return `${field} must be ${ALLOWED[field] ?? "a text"}`;
}

// The `changed` event: what a client was told earlier may be old. It names topics and carries no data.
import * as z from "zod";
import { once, type Parsed } from "../schema.ts";

export const TOPICS = [
  "sessions",
  "runs",
  "channels",
  "pairing",
  "deliveries",
  "agents",
  "config",
  "usage",
  "devices",
  "approvals",
  "models",
  "commands",
  "jobs",
  "errands",
  "hooks",
  "skills",
  "heartbeat",
  "audit",
  "credentials",
  "security",
  "sandboxes",
  "people",
  "memory",
] as const;
export type Topic = (typeof TOPICS)[number];

export const ChangedEvent = once(() => z.looseObject({ topics: z.array(z.enum(TOPICS)) }));
export type ChangedEvent = Parsed<typeof ChangedEvent>;

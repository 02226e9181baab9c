// The `log` event: new lines of the log, for those who follow it.
import * as z from "zod";
import { once, type Parsed } from "../schema.ts";

/** `skipped`: how many lines before these were too many to tell. */
export const LogEvent = once(() => z.looseObject({ lines: z.array(z.string()), skipped: z.int().optional() }));
export type LogEvent = Parsed<typeof LogEvent>;

// Records of a transcript file (JSONL): a header line, then a tree of entries linked by parentId.
import * as z from "zod";
import { once, type Parsed } from "./schema.ts";

export const TRANSCRIPT_VERSION = 3;

export const TranscriptHeader = once(() =>
  z.looseObject({
    type: z.literal("session"),
    version: z.number(),
    id: z.string(),
    timestamp: z.string(),
    cwd: z.string().optional(),
    parentSession: z.string().optional(),
  }),
);

/** Any entry. Types we do not know are kept as they are, so nothing here narrows `type` or the extra fields. */
export const TranscriptEntry = once(() =>
  z.looseObject({ type: z.string(), id: z.string(), parentId: z.string().nullable(), timestamp: z.string() }),
);

export type TranscriptHeader = Parsed<typeof TranscriptHeader>;
export type TranscriptEntry = Parsed<typeof TranscriptEntry>;

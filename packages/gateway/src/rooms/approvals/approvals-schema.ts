// The shape of exec-approvals.json. Fields we do not know are kept; values we do not know are read as the strictest.
import { once, type Parsed } from "@chela/sdk";
import * as z from "zod";
import { readArgumentPattern } from "./plan/argument-pattern.ts";

const SECURITY = ["deny", "allowlist", "full"] as const;
const ASK = ["off", "on-miss", "always"] as const;

const planSchema = once(() =>
  z.object({
    /** Only in this directory. */
    cwd: z.string().optional(),
    steps: z
      .array(
        z.object({
          when: z.enum(["always", "success", "failure"]),
          pipeline: z
            .array(
              z.object({
                file: z.string(),
                /** The name it is called by first. */
                argv: z.array(z.string()).min(1),
                /** Only while the program's file has this digest. */
                sha256: z.string().optional(),
              }),
            )
            .min(1),
        }),
      )
      .min(1),
    /** Only while these files, as the arguments name them, have these digests; and no other argument names one. */
    files: z.record(z.string(), z.string()).optional(),
  }),
);
/** A command that was allowed for good: every program, argument and joint, in this order. */
export type AllowedPlan = Parsed<typeof planSchema>;

/**
 * One allowed program, or one allowed plan. A program without `argv` and `argPattern` is meant with any arguments.
 * A plan stands beside a `pattern` that is no path, so that whoever knows of programs only allows nothing by it.
 */
export const allowEntrySchema = once(() =>
  z.looseObject({
    id: z.string().optional(),
    plan: planSchema().optional(),
    pattern: z.string().min(1).max(4096),
    /** A regular expression for all arguments, joined by one space. */
    argPattern: z.string().max(4096).superRefine(refuseSlowPattern).optional(),
    /** Exactly these arguments. */
    argv: z.array(z.string()).optional(),
    /** The name the program must be called by, where it is not that of its file. */
    name: z.string().optional(),
    /** Only in this directory. */
    cwd: z.string().optional(),
    /** Only while the program's file has this digest. */
    sha256: z.string().optional(),
    /** Only while the files named in the arguments have these digests. */
    files: z.record(z.string(), z.string()).optional(),
    lastUsedAt: z.number().optional(),
    lastUsedCommand: z.string().optional(),
    lastResolvedPath: z.string().optional(),
  }),
);
export type AllowEntry = Parsed<typeof allowEntrySchema>;

function refuseSlowPattern(written: string, check: z.RefinementCtx): void {
  const read = readArgumentPattern(written);
  if (read.kind === "refused") check.addIssue(`the pattern for arguments cannot be used: ${read.why}`);
}

const rules = () => ({
  security: z.enum(SECURITY).optional(),
  ask: z.enum(ASK).optional(),
  askFallback: z.enum(SECURITY).optional(),
  autoAllowSkills: z.boolean().optional(),
});

/** What may be written. */
export const approvalsToWriteSchema = once(() =>
  z.looseObject({
    version: z.literal(1),
    socket: z.looseObject({ path: z.string().optional(), token: z.string().optional() }).optional(),
    defaults: z.looseObject(rules()).optional(),
    agents: z
      .record(z.string().min(1), z.looseObject({ ...rules(), allowlist: z.array(allowEntrySchema()).optional() }))
      .optional(),
  }),
);

const looseRules = () => ({
  security: z.enum(SECURITY).optional().catch("deny"),
  ask: z.enum(ASK).optional().catch("always"),
  askFallback: z.enum(SECURITY).optional().catch("deny"),
});

/** What is read: a wrong value narrows, a wrong entry is no entry, a wrong shape is a broken file. */
export const approvalsToReadSchema = once(() =>
  z.looseObject({
    version: z.literal(1).optional(),
    socket: z.looseObject({}).optional(),
    defaults: z.looseObject(looseRules()).optional(),
    agents: z
      .record(z.string(), z.looseObject({ ...looseRules(), allowlist: z.array(z.unknown()).optional() }))
      .optional(),
  }),
);
export type ApprovalsDocument = Parsed<typeof approvalsToReadSchema>;

// Type of a method's declaration, and the words all declarations are written in.
import * as z from "zod";
import { once, type Lazy } from "../../schema.ts";
import type { Scope } from "../connect.ts";
import { NonEmpty } from "../frames.ts";

export type Role = "operator" | "node";

/**
 * What a method needs of the ledger where no gateway runs: it only looks, and there may be none; it reads one that must be
 * there; it changes files, which is noted in the audit trail afterwards; or it writes, and holds the ledger alone meanwhile.
 */
export type OfflineUse = "look" | "read" | "note" | "write";

export interface MethodSpec {
  readonly role: Role | "any";
  /** The grant a caller needs; "none" is open to everybody who is connected. */
  readonly scope: Scope | "none";
  readonly params: Lazy<z.ZodType>;
  readonly result: Lazy<z.ZodType>;
  /** One line for the reference. */
  readonly says: string;
  /** Changes how the gateway runs: a caller has a small budget per minute. */
  readonly controlPlane?: true;
  /** It can also be answered from the files of this machine while no gateway runs. */
  readonly offline?: OfflineUse;
  /** Left out of hello-ok's list. */
  readonly unlisted?: true;
}

export const empty = once(() => z.strictObject({}));
export const okResult = once(() => z.looseObject({ ok: z.literal(true) }));
export const text = () => z.string().optional();
export const flag = () => z.boolean().optional();
export const count = () => z.int().min(0).optional();
export const nullable = <S extends z.ZodType>(schema: S) => schema.nullable().optional();
export const SessionKeyParam = () => NonEmpty().max(512);
export const UsageTotals = () =>
  z.looseObject({
    input: z.number(),
    output: z.number(),
    cacheRead: z.number(),
    cacheWrite: z.number(),
    totalTokens: z.number(),
    totalCost: z.number(),
    inputCost: z.number().optional(),
    outputCost: z.number().optional(),
    cacheReadCost: z.number().optional(),
    cacheWriteCost: z.number().optional(),
    missingCostEntries: z.number(),
  });

/** Which days are meant, and where they begin: at midnight in UTC, at the gateway, or with a given offset. */
export const usageDays = () => ({
  startDate: text(),
  endDate: text(),
  days: z.int().min(1).max(3660).optional(),
  mode: z.enum(["utc", "gateway", "specific"]).optional(),
  utcOffset: text(),
});

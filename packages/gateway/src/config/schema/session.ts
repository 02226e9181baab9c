// `session`: which messages share a conversation, and when it starts anew.
import * as z from "zod";
import { once } from "@chela/sdk";
import {
  block,
  bool,
  choice,
  count,
  item,
  mapOf,
  numberFrom0,
  positive,
  text,
  textOrNumber,
  texts,
  wholeNumber,
} from "./leaf.ts";
import { scopeRules, typingMode } from "./shared.ts";

const resetShape = () => ({ mode: choice("daily", "idle"), atHour: wholeNumber(0, 23), idleMinutes: positive() });
const resetRule = once(() => block(resetShape));

export const sessionSection = once(() =>
  block(() => ({
    scope: choice("per-sender", "global"),
    dmScope: choice("main", "per-peer", "per-channel-peer", "per-account-channel-peer"),
    identityLinks: mapOf(z.array(z.string())),
    resetTriggers: texts(),
    idleMinutes: positive(),
    reset: resetRule(),
    resetByType: block(() => ({ direct: resetRule(), dm: resetRule(), group: resetRule(), thread: resetRule() })),
    resetByChannel: mapOf(item(resetShape)),
    store: text(),
    typingIntervalSeconds: positive(),
    typingMode: typingMode(),
    parentForkMaxTokens: count(),
    mainKey: text(),
    sendPolicy: scopeRules(),
    agentToAgent: block(() => ({ maxPingPongTurns: wholeNumber(0, 5) })),
    threadBindings: block(() => ({ enabled: bool(), ttlHours: numberFrom0() })),
    maintenance: block(() => ({
      mode: choice("enforce", "warn"),
      pruneAfter: textOrNumber(),
      pruneDays: positive(),
      maxEntries: positive(),
      rotateBytes: textOrNumber(),
      resetArchiveRetention: z.union([z.string(), z.number(), z.literal(false)]).optional(),
      maxDiskBytes: textOrNumber(),
      highWaterBytes: textOrNumber(),
    })),
  })),
);

// `secrets` and `auth`: where credentials are kept and in which order they are tried.
import * as z from "zod";
import { once } from "@chela/sdk";
import { block, bool, choice, item, mapOf, numberAbove0, secretMap, text, texts } from "./leaf.ts";

const MAX_TIMEOUT_MS = 120_000;
const MAX_BYTES = 20_971_520;
const upTo = (max: number) => z.int().positive().max(max).optional();

export const secretsSection = once(() =>
  block(() => ({
    providers: mapOf(z.lazy(() => z.union([fromEnvironment(), fromFile(), fromCommand()]))),
    defaults: block(() => ({ env: text(), file: text(), exec: text() })),
    resolution: block(() => ({
      maxProviderConcurrency: upTo(16),
      maxRefsPerProvider: upTo(4096),
      maxBatchBytes: upTo(5_242_880),
    })),
  })),
);

const fromEnvironment = () => z.strictObject({ source: z.literal("env"), allowlist: texts() });

const fromFile = () =>
  z.strictObject({
    source: z.literal("file"),
    path: z.string().min(1),
    mode: choice("singleValue", "json"),
    timeoutMs: upTo(MAX_TIMEOUT_MS),
    maxBytes: upTo(MAX_BYTES),
  });

const fromCommand = () =>
  z.strictObject({
    source: z.literal("exec"),
    command: z.string().min(1),
    args: z.array(z.string().max(1024)).optional(),
    timeoutMs: upTo(MAX_TIMEOUT_MS),
    noOutputTimeoutMs: upTo(MAX_TIMEOUT_MS),
    maxOutputBytes: upTo(MAX_BYTES),
    jsonOnly: bool(),
    env: secretMap(),
    passEnv: texts(),
    trustedDirs: z.array(z.string().min(1)).optional(),
    allowInsecurePath: bool(),
    allowSymlinkCommand: bool(),
  });

export const authSection = once(() =>
  block(() => ({
    profiles: mapOf(item(() => ({ provider: text(), mode: choice("api_key", "oauth", "token"), email: text() }))),
    order: mapOf(z.array(z.string())),
    cooldowns: block(() => ({
      billingBackoffHours: numberAbove0(),
      billingBackoffHoursByProvider: mapOf(z.number().positive()),
      billingMaxHours: numberAbove0(),
      failureWindowHours: numberAbove0(),
    })),
  })),
);

// What the channels have in common: who may speak, how texts are cut and streamed, what groups may do.
import * as z from "zod";
import { once } from "@chela/sdk";
import { block, bool, boolOrAuto, choice, count, idList, item, mapOf, positive, share, text, texts } from "../leaf.ts";
import { wholeNumber } from "../leaf.ts";
import { coalesce, groupTools } from "../shared.ts";

export const dmPolicy = once(() => choice("pairing", "allowlist", "open", "disabled"));
export const groupPolicy = once(() => choice("open", "disabled", "allowlist"));
export const replyToMode = once(() => choice("off", "first", "all"));
export const reactionNotifications = once(() => choice("off", "own", "all", "allowlist"));
export const reactionLevel = once(() => choice("off", "ack", "minimal", "extensive"));
export const draftStreaming = once(() =>
  z.union([z.boolean(), z.enum(["off", "partial", "block", "progress"])]).optional(),
);
export const finalStreamMode = once(() => choice("replace", "status_final", "append"));
export const draftStreamMode = once(() => choice("partial", "block", "off"));
/** Size limits of some channels are whole megabytes, those of others are not. */
export const wholeMegabytes = positive;
export const megabytes = once(() => z.number().positive().optional());
export const heartbeatView = once(() => block(() => ({ showOk: bool(), showAlerts: bool(), useIndicator: bool() })));
export const nativeCommands = once(() => block(() => ({ native: boolOrAuto(), nativeSkills: boolOrAuto() })));
export const retryPolicy = once(() =>
  block(() => ({ attempts: wholeNumber(1), minDelayMs: count(), maxDelayMs: count(), jitter: share() })),
);

/** Every channel: on or off, history, and how long texts are cut. */
export const baseShape = () => ({
  enabled: bool(),
  configWrites: bool(),
  historyLimit: count(),
  dmHistoryLimit: count(),
  dms: mapOf(item(() => ({ historyLimit: count() }))),
  textChunkLimit: positive(),
  chunkMode: choice("length", "newline"),
  blockStreamingCoalesce: coalesce(),
  responsePrefix: text(),
  groupPolicy: groupPolicy(),
});

/** Most channels: a name per account, and whether finished paragraphs are sent early. */
export const namedShape = () => ({ ...baseShape(), name: text(), blockStreaming: bool() });

/** Channels that render tables and show heartbeats. */
export const viewShape = () => ({
  markdown: block(() => ({ tables: choice("off", "bullets", "code") })),
  heartbeat: heartbeatView(),
});

/** Direct messages and groups guarded by lists of ids. */
export const accessShape = () => ({ dmPolicy: dmPolicy(), allowFrom: idList(), groupAllowFrom: idList() });
/** The same on platforms where ids are always texts. */
export const textAccessShape = () => ({ dmPolicy: dmPolicy(), allowFrom: texts(), groupAllowFrom: texts() });

/** Groups that only say whether the bot must be mentioned, and which tools it has there. */
export const simpleGroups = once(() => mapOf(item(() => ({ requireMention: bool(), ...groupTools() }))));

interface DirectAccess {
  readonly dmPolicy?: string | undefined;
  readonly policy?: string | undefined;
  readonly allowFrom?: ReadonlyArray<string | number> | undefined;
}

/** "open" must be said twice, so that nobody opens a bot to the world by one word; a list that lets nobody in is a mistake. */
export function checkDirectAccess(value: unknown, context: z.core.$RefinementCtx): void {
  const access = value as DirectAccess;
  const policy = access.dmPolicy ?? access.policy;
  const listed = access.allowFrom ?? [];
  if (policy === "open" && !listed.some((id) => String(id).trim() === "*")) {
    context.addIssue({ code: "custom", path: ["allowFrom"], message: `must contain "*" when the policy is "open"` });
  }
  if (policy === "allowlist" && listed.length === 0) {
    context.addIssue({
      code: "custom",
      path: ["allowFrom"],
      message: `must name somebody when the policy is "allowlist"`,
    });
  }
}

/** What accounts keep on disk is kept under their names, and not every disk tells these apart. */
export function checkAccountNames(value: unknown, context: z.core.$RefinementCtx): void {
  const { accounts = {} } = value as { readonly accounts?: Readonly<Record<string, unknown>> | undefined };
  const seen = new Map<string, string>();
  for (const name of Object.keys(accounts)) {
    const onDisk = name.toLowerCase().replace(/[^a-z0-9_.@+-]/g, "_");
    const other = seen.get(onDisk);
    seen.set(onDisk, name);
    if (other === undefined) continue;
    const message = `"${name}" and "${other}" would share what is kept for an account; give one of them another name`;
    context.addIssue({ code: "custom", path: ["accounts", name], message });
  }
}

/** A channel block whose direct-message policy and list must fit together, and whose accounts are told apart. */
export function channelBlock<Shape extends z.core.$ZodShape>(build: () => Shape) {
  return z.lazy(() =>
    z
      .strictObject({ defaultAccount: text(), ...build() })
      .superRefine(checkDirectAccess)
      .superRefine(checkAccountNames)
      .optional(),
  );
}

// The tool `message` as it is offered: all that an agent can do in chats besides answering.
import * as z from "zod";
import { once, type Ids, type Tool, type ToolContext } from "@chela/sdk";

const LOOKS = ["reactions", "read", "list-pins", "thread-list", "channel-list", "member-info"] as const;
const DEEDS = [
  "send",
  "reply",
  "broadcast",
  "poll",
  "react",
  "edit",
  "unsend",
  "pin",
  "unpin",
  "thread-create",
  "thread-reply",
] as const;

/** Other names for the same; models know them from elsewhere. */
const ACTION_NAMES: Readonly<Record<string, string>> = {
  delete: "unsend",
  sendAttachment: "send",
  "topic-create": "thread-create",
};
const FIELD_NAMES: Readonly<Record<string, string>> = {
  to: "target",
  text: "message",
  caption: "message",
  path: "media",
  filePath: "media",
  mimeType: "contentType",
};

const Parameters = once(() =>
  z.preprocess(
    readNames,
    // Loose: a few rare fields are taken that no model has to be told of.
    z.looseObject({
      action: z.enum([...DEEDS, ...LOOKS]),
      channel: z.string().optional().describe("Default: this chat's"),
      target: z.string().optional().describe("Address, id or @name; default: this chat"),
      targets: z.array(z.string()).optional().describe("For broadcast"),
      message: z.string().optional().describe("Markdown"),
      media: z.string().optional().describe("Workspace file, http(s) URL or media handle"),
      replyTo: z.string().optional().describe("Message id"),
      threadId: z.string().optional(),
      messageId: z.string().optional().describe("Default: the message you answer"),
      emoji: z.string().optional(),
      remove: z.boolean().optional(),
      pollQuestion: z.string().optional(),
      pollOption: z.array(z.string()).optional(),
      pollMulti: z.boolean().optional(),
      pollDurationHours: z.number().positive().optional(),
      buttons: z.array(z.array(z.object({ text: z.string(), callback_data: z.string() }))).optional(),
      limit: z.number().int().min(1).optional(),
      before: z.string().optional(),
      after: z.string().optional(),
      silent: z.boolean().optional(),
      asVoice: z.boolean().optional(),
      threadName: z.string().optional(),
    }),
  ),
);
type Arguments = z.output<ReturnType<typeof Parameters>>;

const RareFields = once(() =>
  z.object({
    accountId: z.string().optional(),
    dryRun: z.boolean().optional(),
    bestEffort: z.boolean().optional(),
    buffer: z.string().optional(),
    filename: z.string().optional(),
    contentType: z.string().optional(),
    query: z.string().optional(),
    pollDurationSeconds: z.number().positive().optional(),
  }),
);
export type MessageArguments = Arguments & z.output<ReturnType<typeof RareFields>>;

export type MessageToolResult =
  | {
      readonly kind: "sent";
      readonly deliveries: ReadonlyArray<{ readonly state: string; readonly [field: string]: unknown }>;
    }
  /** `from` names the chat whose people's words are in `found`. */
  | { readonly kind: "done"; readonly from: string; readonly found: Readonly<Record<string, unknown>> };

export interface MessageHouse {
  readonly ids: Pick<Ids, "secretHex">;
  /** Without one the tool is not offered. */
  hasChannels(): boolean;
  messages(): Promise<{ act(args: MessageArguments, context: ToolContext): Promise<MessageToolResult> }>;
}

export function messageTool(house: MessageHouse): Tool<ReturnType<typeof Parameters>> {
  return {
    name: "message",
    label: "Message",
    description:
      "Sends messages and acts in chats (reactions, edits, polls, threads, pins). For a plain answer just reply; after saying it all with this tool, reply NO_REPLY.",
    family: "messaging",
    profiles: ["messaging"],
    inSandbox: "allowed",
    told: 160,
    effects: ["read", "network", "send"],
    keepsToSandbox: true,
    effectsOf: ({ action }) =>
      (LOOKS as readonly unknown[]).includes(action) ? ["read"] : ["read", "network", "send"],
    parameters: Parameters,
    unavailable: () => (house.hasChannels() ? undefined : "no channel is configured"),
    async run(args, context) {
      const { tellResult } = await import("./tell-result.ts");
      const rare = RareFields().parse(args);
      const result = await (await house.messages()).act({ ...args, ...rare }, context);
      return tellResult(result, rare.bestEffort ?? false, house.ids);
    },
  };
}

function readNames(args: unknown): unknown {
  if (typeof args !== "object" || args === null) return args;
  const named: Record<string, unknown> = { ...args };
  for (const [alias, name] of Object.entries(FIELD_NAMES)) {
    if (named[name] === undefined && named[alias] !== undefined) named[name] = named[alias];
  }
  const action = named["action"];
  if (typeof action === "string") named["action"] = ACTION_NAMES[action] ?? action;
  // Some models write null for what they leave out.
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== null));
}

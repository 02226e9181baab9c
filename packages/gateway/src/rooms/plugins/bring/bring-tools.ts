// Tools of a plugin, as the toolbox knows tools. What comes back is looked at before it becomes part of a conversation.
import * as z from "zod";
import { GatewayError, once, type Tool, type ToolContext, type ToolOutput } from "@chela/sdk";
import type { Catalogue } from "@chela/plugin-host";
import { readArguments } from "../json-schema.ts";
import type { BroughtPlugin } from "./brought-plugin.ts";

type ToldTool = Catalogue["tools"][number];

/** Every byte is paid for with every message. */
const MOST_DESCRIPTION = 2_000;
/** Written to be seen by nobody but a model. */
const INVISIBLE = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]|[\u{E0000}-\u{E007F}]|<!--[^]*?-->/gu;

export function bringTools(plugin: BroughtPlugin): Tool[] {
  return plugin.catalogue.tools.map((told) => bringTool(told, plugin));
}

function bringTool(told: ToldTool, plugin: BroughtPlugin): Tool {
  const { name, label, parameters, optional, ownerOnly } = told;
  return {
    name,
    label: visible(label ?? name).slice(0, 200),
    description: visible(told.description).slice(0, MOST_DESCRIPTION),
    family: "plugins",
    // What it does is known to nobody here: it changes something, until its author says otherwise.
    effects: ["network", "send"],
    plugin: { id: plugin.id, isOptional: optional === true },
    ...(ownerOnly ? { ownerOnly } : {}),
    parameters: once(() => readArguments(parameters)),
    ...(parameters ? { schema: withoutHiddenText(parameters) } : {}),
    run: (args, context) => runTool(name, args, context, plugin),
  };
}

async function runTool(
  name: string,
  params: unknown,
  context: ToolContext,
  plugin: BroughtPlugin,
): Promise<ToolOutput> {
  const gave = await plugin.call(
    "tool",
    { name, toolCallId: context.toolCallId, params, context: contextOf(context) },
    {
      signal: context.signal,
      progress(data) {
        const partial = Output().safeParse(data);
        if (partial.success) context.update(textIn(partial.data), partial.data.details);
      },
    },
  );
  const output = Output().safeParse(gave);
  if (!output.success) throw new GatewayError("PLUGIN_FAILED", `${name} gave back something that cannot be read`);
  const { content, details, isError } = output.data;
  return { content, ...(details === undefined ? {} : { details }), ...(isError ? { isError } : {}) };
}

const Output = once(() =>
  z.looseObject({
    content: z.array(
      z.discriminatedUnion("type", [
        z.object({ type: z.literal("text"), text: z.string() }),
        z.object({ type: z.literal("image"), data: z.string(), mimeType: z.string() }),
      ]),
    ),
    details: z.unknown().optional(),
    isError: z.boolean().optional(),
  }),
);

function textIn({ content }: z.infer<ReturnType<typeof Output>>): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

/** What factories of tools are told of a conversation. */
function contextOf({ agentId, sessionKey, workspace, requester, sandbox }: ToolContext): object {
  return {
    workspaceDir: workspace,
    agentId,
    sessionKey,
    messageChannel: requester.channel,
    agentAccountId: requester.account,
    requesterSenderId: requester.id,
    senderIsOwner: requester.isOwner,
    sandboxed: sandbox !== undefined,
  };
}

function visible(text: string): string {
  return text.replaceAll(INVISIBLE, "").trim();
}

function withoutHiddenText<T>(value: T): T {
  if (typeof value === "string") return value.replaceAll(INVISIBLE, "") as T;
  if (Array.isArray(value)) return value.map(withoutHiddenText) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutHiddenText(inner)])) as T;
}

// The tools of one server as the gateway's own: named, described and run like any other.
import * as z from "zod";
import { once, type Tool, type ToolContext, type ToolOutput } from "@chela/sdk";
import type { McpClient, CallOptions } from "../client/client.ts";
import type { ToolDefinition } from "../client/protocol.ts";
import type { ServerSettings } from "../settings.ts";
import { cleanSchema, cleanText } from "../trust/definitions.ts";
import type { Approved } from "../trust/pins.ts";
import { listOutput, promptOutput, readOutput, toolOutput, type ResultOrigin } from "./results.ts";
import { passesFilter, toolName } from "./tool-names.ts";

/** Calls a server on behalf of a turn: starts it when it does not run, and asks people first where that is wanted. */
export type UseServer = (
  call: {
    readonly settings: ServerSettings;
    readonly tool?: ToolDefinition;
    readonly args: object;
    readonly context: ToolContext;
  },
  work: (client: McpClient, options: CallOptions) => Promise<ToolOutput>,
) => Promise<ToolOutput>;

const Anything = once(() => z.record(z.string(), z.unknown()));
const Nothing = once(() => z.object({}));
const Uri = once(() => z.object({ uri: z.string().min(1) }));
const PromptCall = once(() =>
  z.object({ name: z.string().min(1), arguments: z.record(z.string(), z.string()).optional() }),
);

export interface OfferParts {
  readonly settings: ServerSettings;
  readonly offered: readonly ToolDefinition[];
  readonly approved: Pick<Approved, "resources" | "prompts">;
  readonly origin: ResultOrigin;
  readonly use: UseServer;
}

export function serverTools(parts: OfferParts): Tool[] {
  const { settings, offered, approved } = parts;
  const own = offered
    .filter(({ name }) => passesFilter(name, settings.filter))
    .flatMap((tool) => serverTool(tool, parts));
  return [...own, ...(approved.resources ? resourceTools(parts) : []), ...(approved.prompts ? promptTools(parts) : [])];
}

type Traits = Pick<Tool, "family" | "effects" | "effectsOf" | "unavailable" | "notForGuests">;

/** What a tool of somebody else does is not known, whatever it says of itself: it acts, and it reaches outside. */
function traitsOf({ agents, isParallel, name }: ServerSettings): Traits {
  return {
    family: "mcp",
    effects: ["network", "send"],
    notForGuests: true,
    ...(isParallel ? { effectsOf: () => ["network"] as const } : {}),
    ...(agents
      ? {
          unavailable: ({ agentId }) =>
            agents.includes(agentId) ? undefined : `the server ${name} is for other agents`,
        }
      : {}),
  };
}

/** None for one whose schema no provider would take. */
function serverTool(tool: ToolDefinition, { settings, origin, use }: OfferParts): Tool<ReturnType<typeof Anything>>[] {
  const inputSchema = cleanSchema(tool.inputSchema);
  if (!inputSchema) return [];
  const label = cleanText(tool.title ?? tool.name, 80);
  return [
    {
      ...traitsOf(settings),
      name: toolName(settings.name, tool.name),
      label,
      description: cleanText(tool.description ?? label),
      parameters: Anything,
      inputSchema,
      run: (args, context) =>
        use({ settings, tool, args, context }, async (client, options) =>
          toolOutput(await client.callTool(tool.name, args, options), origin),
        ),
    },
  ];
}

function resourceTools({ settings, origin, use }: OfferParts): Tool[] {
  const list: Tool<ReturnType<typeof Nothing>> = {
    ...traitsOf(settings),
    name: toolName(settings.name, "resources_list"),
    label: `Resources of ${settings.name}`,
    description: `Lists what the server ${settings.name} lets one read.`,
    parameters: Nothing,
    run: (args, context) =>
      use({ settings, args, context }, async (client, options) => {
        const [resources, templates] = await Promise.all([
          client.listResources(options),
          client.listTemplates(options).catch(() => []),
        ]);
        return listOutput([...resources, ...templates], origin);
      }),
  };
  const read: Tool<ReturnType<typeof Uri>> = {
    ...traitsOf(settings),
    name: toolName(settings.name, "resources_read"),
    label: `Read from ${settings.name}`,
    description: `Reads something of the server ${settings.name} by its address.`,
    parameters: Uri,
    run: (args, context) =>
      use({ settings, args, context }, async (client, options) =>
        readOutput(await client.readResource(args.uri, options), origin),
      ),
  };
  return [list, read];
}

function promptTools({ settings, origin, use }: OfferParts): Tool[] {
  const list: Tool<ReturnType<typeof Nothing>> = {
    ...traitsOf(settings),
    name: toolName(settings.name, "prompts_list"),
    label: `Prompts of ${settings.name}`,
    description: `Lists the prompts of the server ${settings.name}.`,
    parameters: Nothing,
    run: (args, context) =>
      use({ settings, args, context }, async (client, options) =>
        listOutput(await client.listPrompts(options), origin),
      ),
  };
  const get: Tool<ReturnType<typeof PromptCall>> = {
    ...traitsOf(settings),
    name: toolName(settings.name, "prompts_get"),
    label: `Prompt of ${settings.name}`,
    description: `Gets one prompt of the server ${settings.name}, filled in.`,
    parameters: PromptCall,
    run: (args, context) =>
      use({ settings, args, context }, async (client, options) =>
        promptOutput(await client.getPrompt(args.name, args.arguments ?? {}, options), origin),
      ),
  };
  return [list, get];
}

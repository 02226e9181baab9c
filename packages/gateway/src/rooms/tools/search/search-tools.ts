// The tools `tool_search`, `tool_describe` and `tool_call`: how a model finds and uses tools it is not told of at once.
import * as z from "zod";
import { once, type ModelTool, type Tool, type ToolOutput } from "@chela/sdk";
import { nearNames } from "../gate/near-names.ts";
import { CALL_TOOL, CallArguments } from "./meant-tool.ts";
import { createWordIndex, type WordIndex } from "./word-index.ts";

const USUAL_LIMIT = 8;
const MOST_LIMIT = 20;
const MOST_DESCRIBED = 8;
const MOST_CHARS = 12_000;
const SHORT = 160;

const Search = once(() =>
  z.object({
    query: z.string().min(1).max(500).describe("What the tool should do, in a few words"),
    limit: z.int().min(1).max(MOST_LIMIT).optional(),
  }),
);
const Describe = once(() => z.object({ names: z.array(z.string()).min(1).max(MOST_DESCRIBED) }));

/** `hidden` are the tools that this turn may use and is not told of. */
export function searchTools(hidden: readonly ModelTool[]): readonly Tool[] {
  const byName = new Map(hidden.map((tool) => [tool.name, tool]));
  let index: WordIndex | undefined;
  const find = (query: string, limit: number): readonly ModelTool[] => {
    const exact = byName.get(query.trim());
    if (exact) return [exact];
    index ??= createWordIndex(
      hidden.map(({ name, description, parameters }) => ({ name, description, arguments: argumentsOf(parameters) })),
    );
    return index.find(query, limit).flatMap((at) => hidden[at] ?? []);
  };
  const search: Tool<ReturnType<typeof Search>> = {
    ...traits("tool_search", "Find tools"),
    description: `Finds further tools by what they do; there are ${hidden.length} more than you are told of. Search before you say that something cannot be done.`,
    parameters: Search,
    async run({ query, limit = USUAL_LIMIT }) {
      const found = find(query, limit);
      if (found.length === 0) return text("No tool fits these words. Try others, in English too.");
      const lines = found.map((tool) => `- ${shapeOf(tool)}: ${shortened(tool.description)}`);
      return text([...lines, `Use one with ${CALL_TOOL}; tool_describe tells all about its arguments.`].join("\n"));
    },
  };
  const describe: Tool<ReturnType<typeof Describe>> = {
    ...traits("tool_describe", "Describe tools"),
    description: "Tells all about tools that were found: what they do, and which arguments they take.",
    parameters: Describe,
    async run({ names }) {
      const parts = names.map((name) => describeOne(name, byName));
      return text(parts.join("\n\n").slice(0, MOST_CHARS));
    },
  };
  const call: Tool<ReturnType<typeof CallArguments>> = {
    ...traits(CALL_TOOL, "Call a tool"),
    description: "Uses a tool that was found, by its name and with its arguments.",
    parameters: CallArguments,
    // Whoever carries out a call looks through this one; it is here to be told of, and to have its arguments checked.
    run: async ({ name }) => text(`There is no tool ${name}.`, true),
  };
  return [search, describe, call];
}

function traits(name: string, label: string): Pick<Tool, "name" | "label" | "family" | "effects"> {
  return { name, label, family: "agents", effects: ["read"] };
}

function text(words: string, isError = false): ToolOutput {
  return { content: [{ type: "text", text: words }], ...(isError ? { isError } : {}) };
}

function describeOne(name: string, byName: ReadonlyMap<string, ModelTool>): string {
  const tool = byName.get(name);
  if (tool) return JSON.stringify({ name, description: tool.description, parameters: tool.parameters });
  const near = nearNames(name, [...byName.keys()]).slice(0, 5);
  return `There is no tool ${name}.${near.length > 0 ? ` Perhaps you mean ${near.join(" or ")}.` : ""}`;
}

function argumentsOf(parameters: ModelTool["parameters"]): string[] {
  const properties = parameters["properties"];
  return typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
}

/** `read_file(path, limit?)` */
function shapeOf({ name, parameters }: ModelTool): string {
  const required = Array.isArray(parameters["required"]) ? parameters["required"] : [];
  return `${name}(${argumentsOf(parameters)
    .map((key) => (required.includes(key) ? key : `${key}?`))
    .join(", ")})`;
}

function shortened(description: string): string {
  const line = description.replace(/\s+/g, " ").trim();
  return line.length > SHORT ? `${line.slice(0, SHORT).replace(/[\uD800-\uDBFF]$/, "")}…` : line;
}

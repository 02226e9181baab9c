// The tools `memory_search` and `memory_get`: what an agent remembers, for those whose notes these are.
import { defined } from "@chela/sdk/base";
import * as z from "zod";
import { once, rightsOf, toGatewayError, type Tool, type ToolContext, type ToolOutput } from "@chela/sdk";
import { neutralizeExternal } from "../../base/text/external-content.ts";
import type { FoundChunk } from "@chela/memory";
import type { House } from "../../house/house.ts";

type MemoryHouse = Pick<House, "memory" | "hasMemory" | "config">;

const SearchParameters = once(() =>
  z.object({
    query: z.string().min(1).max(2_000).describe("A question or words, in any language"),
    maxResults: z.int().min(1).max(50).optional(),
    minScore: z.number().min(0).max(1).optional(),
  }),
);

const GetParameters = once(() =>
  z.object({
    path: z.string().min(1).max(1_024).describe("As memory_search names it"),
    from: z.int().min(1).optional().describe("First line"),
    lines: z.int().min(1).max(5_000).optional(),
  }),
);

const OFF = "memory is switched off (memorySearch.enabled)";
const NOT_HERE = "What is remembered is not searched here: others take part in this conversation, or it is not theirs.";

export function memorySearchTool(house: MemoryHouse): Tool {
  return {
    name: "memory_search",
    label: "Memory search",
    description:
      "Finds what you noted or were told: people, dates, decisions, preferences, earlier work. Use it before you say that you do not know.",
    family: "memory",
    profiles: ["coding"],
    inSandbox: "allowed",
    notForSubagents: "all",
    effects: ["read"],
    keepsToSandbox: true,
    parameters: SearchParameters,
    unavailable: ({ agentId }) => (house.hasMemory(agentId) ? undefined : OFF),
    run: async (args, context) => search(SearchParameters().parse(args), context, house),
  };
}

export function memoryGetTool(house: MemoryHouse): Tool {
  return {
    name: "memory_get",
    label: "Memory get",
    description: "Reads a note that memory_search found, or some lines of it.",
    family: "memory",
    profiles: ["coding"],
    inSandbox: "allowed",
    notForSubagents: "all",
    effects: ["read"],
    keepsToSandbox: true,
    parameters: GetParameters,
    unavailable: ({ agentId }) => (house.hasMemory(agentId) ? undefined : OFF),
    run: async (args, context) => {
      const { path, from = 1, lines } = GetParameters().parse(args);
      if (!mayRemember(context)) return tell({ path, text: "", disabled: true, error: NOT_HERE });
      const memory = await house.memory();
      return tell({ path, text: memory.notes(context.agentId).lines(path, from, lines) });
    },
  };
}

async function search(
  { query, ...limits }: z.output<ReturnType<typeof SearchParameters>>,
  context: ToolContext,
  house: MemoryHouse,
): Promise<ToolOutput> {
  if (!mayRemember(context)) {
    return tell({ results: [], disabled: true, unavailable: true, error: NOT_HERE, warning: NOT_HERE });
  }
  try {
    const memory = await house.memory();
    const { agentId, sessionKey, requester } = context;
    // What was said to others is the owner's to know, and nobody else's.
    const visible = rightsOf(requester, sessionKey).memory === "everything" ? {} : { sessionKeys: [sessionKey] };
    const wish = { query, ...pickSet(limits), ...visible };
    const answer = await memory.search(agentId, wish);
    const { citations = "auto" } = house.config.current().memory ?? {};
    // Told where nobody else reads along, unless it is to be otherwise.
    const isCited = citations === "on" || (citations === "auto" && !isShared(sessionKey));
    return tell({
      results: answer.results.map((found) => toResult(found, isCited)),
      provider: answer.provider,
      model: answer.model,
      mode: answer.mode,
      citations,
      ...(answer.notice ? { fallback: answer.notice } : {}),
      ...(answer.indexing ? { indexing: `${answer.indexing.done} of ${answer.indexing.of}` } : {}),
    });
  } catch (thrown) {
    const { message } = toGatewayError(thrown, "MEMORY_UNAVAILABLE");
    const action = "Read MEMORY.md and the files in the folder memory instead, and tell the owner.";
    return tell({ results: [], disabled: true, unavailable: true, error: message, warning: message, action });
  }
}

function toResult({ snippet, ...found }: FoundChunk, isCited: boolean) {
  const { path, startLine, endLine } = found;
  const citation = found.source === "memory" ? `${path}#L${startLine}-L${endLine}` : `${path}#${found.entryId ?? ""}`;
  // What somebody said once is no instruction now.
  const safe = found.source === "sessions" ? neutralizeExternal(snippet) : snippet;
  return {
    ...found,
    score: round(found.score),
    ...(found.textScore === undefined ? {} : { textScore: round(found.textScore) }),
    ...(found.vectorScore === undefined ? {} : { vectorScore: round(found.vectorScore) }),
    snippet: isCited ? `${safe}\n\nSource: ${citation}` : safe,
    ...(isCited ? { citation } : {}),
  };
}

function round(score: number): number {
  return Math.round(score * 1_000) / 1_000;
}

/** Where others read along nothing is searched, whoever asks; guests search nothing anywhere. */
function mayRemember({ requester, sessionKey }: ToolContext): boolean {
  return rightsOf(requester, sessionKey).memory !== "nothing";
}

function isShared(sessionKey: string): boolean {
  return /:(?:group|channel):/.test(sessionKey);
}

function pickSet({ maxResults, minScore }: { maxResults?: number | undefined; minScore?: number | undefined }) {
  return {
    ...defined({ maxResults, minScore }),
  };
}

function tell(result: Record<string, unknown>): ToolOutput {
  return { content: [{ type: "text", text: JSON.stringify(result) }], details: result };
}

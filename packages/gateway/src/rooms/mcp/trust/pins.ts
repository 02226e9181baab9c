// Pins: what of a server was approved, tool by tool, and what stands against it now. Nothing that changed passes by itself.
import * as z from "zod";
import { once, type Change, type Ledger, type Parsed } from "@chela/sdk";
import { parseJson } from "@chela/sdk/base";
import { ServerCapabilities, ServerInfo, ToolDefinition } from "../client/protocol.ts";
import { canonical, hashOf } from "./definitions.ts";

/** What was approved, and as which server. */
const Approved = once(() =>
  z.object({
    identity: z.string(),
    tools: z.record(z.string(), z.object({ hash: z.string(), definition: ToolDefinition() })),
    /** Whether its resources and prompts may be asked for. */
    resources: z.boolean(),
    prompts: z.boolean(),
    at: z.number(),
    by: z.string(),
  }),
);
export type Approved = Parsed<typeof Approved>;

/** What it said of itself when somebody last connected. */
const Seen = once(() =>
  z.object({
    identity: z.string(),
    at: z.number(),
    era: z.enum(["legacy", "modern"]),
    version: z.string(),
    serverInfo: ServerInfo(),
    capabilities: ServerCapabilities(),
    tools: z.array(ToolDefinition()),
  }),
);
export type Seen = Parsed<typeof Seen>;

export interface Known {
  readonly approved: Approved | undefined;
  readonly seen: Seen | undefined;
}

const approvedKey = (id: string) => `mcp:approved:${id}`;
const seenKey = (id: string) => `mcp:seen:${id}`;

export async function readKnown(ledger: Pick<Ledger, "value">, id: string): Promise<Known> {
  const [approved, seen] = await Promise.all([ledger.value(approvedKey(id)), ledger.value(seenKey(id))]);
  return {
    approved: approved ? Approved().safeParse(parseJson(approved)).data : undefined,
    seen: seen ? Seen().safeParse(parseJson(seen)).data : undefined,
  };
}

export const keepApproved = (id: string, approved: Approved | undefined): Change => ({
  kind: "value-put",
  key: approvedKey(id),
  value: approved ? JSON.stringify(approved) : "",
});
export const keepSeen = (id: string, seen: Seen | undefined): Change => ({
  kind: "value-put",
  key: seenKey(id),
  value: seen ? JSON.stringify(seen) : "",
});

export interface HeldTool {
  readonly name: string;
  readonly kind: "new" | "changed" | "gone";
  /** Field by field, before and after; for people. */
  readonly diff: ReadonlyArray<{ readonly field: string; readonly before?: string; readonly after?: string }>;
}

export type Standing =
  /** Nobody has approved it, or it is another server than the one that was. */
  | { readonly kind: "new"; readonly held: readonly HeldTool[] }
  | { readonly kind: "approved"; readonly offered: readonly ToolDefinition[]; readonly held: readonly HeldTool[] };

/** What of a server may be used, and what waits for somebody's yes. */
export function standingOf(identity: string, { approved, seen }: Known): Standing {
  const now = seen?.identity === identity ? seen.tools : undefined;
  if (approved?.identity !== identity) return { kind: "new", held: (now ?? []).map((tool) => held(undefined, tool)) };
  const pins = approved.tools;
  // As long as nobody connected since, what was approved is what there is.
  const tools = now ?? Object.values(pins).map(({ definition }) => definition);
  const isPinned = (tool: ToolDefinition) => Object.hasOwn(pins, tool.name) && pins[tool.name]?.hash === hashOf(tool);
  const names = new Set(tools.map(({ name }) => name));
  const gone = Object.values(pins).flatMap(({ definition }) =>
    names.has(definition.name) ? [] : [held(definition, undefined)],
  );
  const waiting = tools
    .filter((tool) => !isPinned(tool))
    .map((tool) => {
      const before = Object.hasOwn(pins, tool.name) ? pins[tool.name]?.definition : undefined;
      return held(before, tool);
    });
  return { kind: "approved", offered: tools.filter(isPinned), held: [...waiting, ...gone] };
}

const FIELDS = ["title", "description", "inputSchema", "outputSchema", "annotations"] as const;

function held(before: ToolDefinition | undefined, after: ToolDefinition | undefined): HeldTool {
  const diff = FIELDS.flatMap((field) => {
    const [old, now] = [textOf(before?.[field]), textOf(after?.[field])];
    if (old === now) return [];
    return [{ field, ...(old === undefined ? {} : { before: old }), ...(now === undefined ? {} : { after: now }) }];
  });
  const kind = before === undefined ? "new" : after === undefined ? "gone" : "changed";
  return { name: (after ?? before)?.name ?? "", kind, diff };
}

function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === "string" ? value : canonical(value);
}

/** Everything that was seen, or of it what is named, beside what was approved before. */
export function approve(
  identity: string,
  { approved, seen }: Known,
  choice: { readonly tools: readonly string[] | undefined; readonly at: number; readonly by: string },
): Approved {
  const tools = seen?.identity === identity ? seen.tools : [];
  const chosen = tools.filter(({ name }) => choice.tools === undefined || choice.tools.includes(name));
  const before = approved?.identity === identity && choice.tools !== undefined ? approved.tools : {};
  const pins = chosen.map((definition) => [definition.name, { hash: hashOf(definition), definition }] as const);
  return {
    identity,
    tools: { ...before, ...Object.fromEntries(pins) },
    resources: seen?.capabilities.resources !== undefined,
    prompts: seen?.capabilities.prompts !== undefined,
    at: choice.at,
    by: choice.by,
  };
}

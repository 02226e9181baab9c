// Decides which tools a model is told of at once, and which it finds by searching: few enough, and never in another order.
import type { ModelInfo, ModelTool } from "@chela/sdk";

export interface SearchSettings {
  readonly enabled?: boolean | undefined;
  readonly direct?: number | undefined;
  readonly share?: number | undefined;
}

/** A tool with what a model would be told of it. */
export interface ToldTool {
  readonly described: ModelTool;
  /** Comes with the gateway. */
  readonly isBuiltIn: boolean;
}

export interface Choice {
  readonly direct: readonly ModelTool[];
  /** Found by searching; empty when all are told of. */
  readonly hidden: readonly ModelTool[];
}

export const DIRECT = 24;
export const SHARE = 0.1;
const CHARS_PER_TOKEN = 4;
/** Tools that were used stay; a conversation that used more has forgotten the first. */
export const MOST_USED = 48;

/**
 * Tools that come along with the gateway are few and used all the time: they are hidden only where there are too many of
 * them, not by their size. `used` are names, in the order of their first use: they come last, so that what stands before
 * them stays the same, byte for byte.
 */
export function chooseDirect(
  tools: readonly ToldTool[],
  used: readonly string[],
  model: Pick<ModelInfo, "contextWindow">,
  { enabled = true, direct: most = DIRECT, share = SHARE }: SearchSettings = {},
): Choice {
  const all = tools.map(({ described }) => described);
  const room = share * model.contextWindow * CHARS_PER_TOKEN;
  const total = all.reduce((sum, tool) => sum + sizeOf(tool), 0);
  const isTooLarge = total > room && tools.some(({ isBuiltIn }) => !isBuiltIn);
  if (!enabled || (all.length <= most && !isTooLarge)) return { direct: all, hidden: [] };
  let count = 0;
  let size = 0;
  const isDirect = ({ described, isBuiltIn }: ToldTool): boolean => {
    const fits = count < most && (isBuiltIn || size + sizeOf(described) <= room);
    if (fits) [count, size] = [count + 1, size + sizeOf(described)];
    return fits;
  };
  const first = new Set(tools.filter(isDirect).map(({ described }) => described));
  const byName = new Map(all.map((tool) => [tool.name, tool]));
  const stayed = used.flatMap((name) => {
    const tool = byName.get(name);
    return tool && !first.has(tool) ? [tool] : [];
  });
  return {
    direct: [...all.filter((tool) => first.has(tool)), ...stayed],
    hidden: all.filter((tool) => !first.has(tool)),
  };
}

const sizes = new WeakMap<ModelTool, number>();

function sizeOf(tool: ModelTool): number {
  const known = sizes.get(tool) ?? JSON.stringify(tool).length;
  sizes.set(tool, known);
  return known;
}

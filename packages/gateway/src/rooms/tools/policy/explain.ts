// Explains to people why a tool may be used or not: which layer decided, and what every other layer says.
import type { Tool } from "@chela/sdk";
import type { ToolLists } from "./catalogue.ts";
import type { ToolsConfigView } from "./config-view.ts";
import { policyName } from "./entries.ts";
import { judgeTool, removalOf, type PolicyLayer, type PolicyStep } from "./judge.ts";
import { layersFor } from "./layers.ts";
import type { ToolSubject } from "./subject.ts";

export interface ToolExplanation {
  readonly tool: string;
  readonly allowed: boolean;
  /** The first layer that removed it. */
  readonly decidedBy?: PolicyLayer;
  readonly steps: readonly PolicyStep[];
}

export function explainTool(
  name: string,
  subject: ToolSubject,
  parts: { readonly tools: readonly Tool[]; readonly config: ToolsConfigView; readonly lists: ToolLists },
): ToolExplanation {
  const tool = parts.tools.find((one) => policyName(one.name) === policyName(name));
  const steps: readonly PolicyStep[] = tool
    ? judgeTool(tool, layersFor(parts.config, subject, parts.lists), subject, parts.lists)
    : [{ layer: "exists", verdict: "removed", why: "there is no tool of that name" }];
  const removal = removalOf(steps);
  return {
    tool: tool?.name ?? name,
    allowed: !removal,
    ...(removal ? { decidedBy: removal.layer } : {}),
    steps,
  };
}

const SIGNS: Readonly<Record<PolicyStep["verdict"], string>> = { passed: "+", removed: "-", absent: " " };

/** One line for the outcome, then one for each layer: `+` let it pass, `-` removed it, nothing means it has no say. */
/** Takes what a client was told, too. */
type ExplainedTool = Pick<ToolExplanation, "tool" | "allowed"> & {
  readonly decidedBy?: string | undefined;
  readonly steps: ReadonlyArray<Pick<PolicyStep, "verdict" | "why"> & { readonly layer: string }>;
};

export function renderExplanation({ tool, allowed, decidedBy, steps }: ExplainedTool): string {
  const head = allowed ? `${tool} may be used.` : `${tool} may not be used: the layer "${decidedBy}" removed it.`;
  const width = Math.max(...steps.map(({ layer }) => layer.length));
  return [head, ...steps.map(({ layer, verdict, why }) => `  ${SIGNS[verdict]} ${layer.padEnd(width)}  ${why}`)].join(
    "\n",
  );
}

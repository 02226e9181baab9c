// Sums of tokens and cost, in the form clients know.
import type { UsageSum } from "@chela/sdk";

export function totalsOf(sums: readonly UsageSum[]) {
  const sum = (field: keyof UsageSum): number => sums.reduce((total, one) => total + one[field], 0);
  const [input, output, cacheRead, cacheWrite] = [sum("input"), sum("output"), sum("cacheRead"), sum("cacheWrite")];
  const costs = {
    inputCost: sum("inputCost"),
    outputCost: sum("outputCost"),
    cacheReadCost: sum("cacheReadCost"),
    cacheWriteCost: sum("cacheWriteCost"),
  };
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    totalTokens: input + output + cacheRead + cacheWrite,
    totalCost: costs.inputCost + costs.outputCost + costs.cacheReadCost + costs.cacheWriteCost,
    ...costs,
    missingCostEntries: sum("missingCostEntries"),
  };
}

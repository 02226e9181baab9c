// Usage of a call, in tokens and in dollars.
import { noUsage, type ModelInfo, type Usage } from "@chela/sdk";

export interface TokenCounts {
  /** Input tokens that came neither from a cache nor went into one. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export function toUsage(tokens: TokenCounts, model: ModelInfo): Usage {
  const { input, output, cacheRead, cacheWrite } = tokens;
  const totalTokens = input + output + cacheRead + cacheWrite;
  const { price } = model;
  if (!price) return { ...noUsage(), ...tokens, totalTokens };
  const cost = {
    input: (input * price.input) / 1e6,
    output: (output * price.output) / 1e6,
    cacheRead: (cacheRead * price.cacheRead) / 1e6,
    cacheWrite: (cacheWrite * price.cacheWrite) / 1e6,
  };
  return {
    ...tokens,
    totalTokens,
    cost: { ...cost, total: cost.input + cost.output + cost.cacheRead + cost.cacheWrite },
  };
}

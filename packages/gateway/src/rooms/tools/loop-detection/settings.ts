// Settings of how patient a turn is with a model that repeats itself.
import type { LoopDetectionView } from "../policy/config-view.ts";

export interface LoopSettings {
  /** Holds with the detectors off as well. */
  readonly maxCalls: number;
  readonly enabled: boolean;
  /** How many calls are remembered. */
  readonly historySize: number;
  readonly warnAt: number;
  readonly blockAt: number;
  readonly breakAt: number;
  readonly detectors: { readonly genericRepeat: boolean; readonly polling: boolean; readonly pingPong: boolean };
}

/** What an agent says goes before what is said for all. On unless switched off. */
export function loopSettings(
  views: { readonly all?: LoopDetectionView | undefined; readonly agent?: LoopDetectionView | undefined },
  maxCalls: number,
): LoopSettings {
  const { all, agent } = views;
  const warnAt = numberOr(10, agent?.warningThreshold, all?.warningThreshold);
  // A block must not come before its warning, and the breaker must see as far back as it counts.
  const blockAt = Math.max(numberOr(20, agent?.criticalThreshold, all?.criticalThreshold), warnAt + 1);
  const breaker = numberOr(30, agent?.globalCircuitBreakerThreshold, all?.globalCircuitBreakerThreshold);
  const breakAt = Math.max(breaker, blockAt + 1);
  return {
    maxCalls,
    enabled: agent?.enabled ?? all?.enabled ?? true,
    historySize: Math.max(numberOr(30, agent?.historySize, all?.historySize), breakAt),
    warnAt,
    blockAt,
    breakAt,
    detectors: {
      genericRepeat: agent?.detectors?.genericRepeat ?? all?.detectors?.genericRepeat ?? true,
      polling: agent?.detectors?.knownPollNoProgress ?? all?.detectors?.knownPollNoProgress ?? true,
      pingPong: agent?.detectors?.pingPong ?? all?.detectors?.pingPong ?? true,
    },
  };
}

function numberOr(usual: number, ...candidates: readonly (number | undefined)[]): number {
  return candidates.find((one) => one !== undefined && Number.isInteger(one) && one > 0) ?? usual;
}

// The few numbers that describe a list of measurements.

export interface Summary {
  readonly median: number;
  readonly p95: number;
  readonly spread: number;
}

export function summarize(samples: readonly number[]): Summary {
  return {
    median: median(samples),
    p95: percentile(samples, 0.95),
    spread: Math.max(...samples) - Math.min(...samples),
  };
}

export function median(samples: readonly number[]): number {
  const sorted = ascending(samples);
  const upper = Math.floor(sorted.length / 2);
  const lower = sorted.length % 2 === 0 ? upper - 1 : upper;
  return (at(sorted, lower) + at(sorted, upper)) / 2;
}

/** Nearest rank: always a value that was measured. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = ascending(samples);
  return at(sorted, Math.max(0, Math.ceil(sorted.length * share) - 1));
}

/** Least squares: how much `y` grows when `x` grows by one. */
export function slope(points: ReadonlyArray<readonly [x: number, y: number]>): number {
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length;
  const along = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const together = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return along === 0 ? Number.NaN : together / along;
}

function ascending(samples: readonly number[]): number[] {
  if (samples.length === 0) throw new RangeError("Nothing was measured");
  return samples.toSorted((a, b) => a - b);
}

function at(sorted: readonly number[], index: number): number {
  return sorted[index] ?? Number.NaN;
}

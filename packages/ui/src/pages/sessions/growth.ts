// Outline of an area that shows how something grew.

export interface GrowthPoint {
  readonly at: number;
  readonly value: number;
}

interface Outline {
  /** Of the line on top. */
  readonly line: string;
  /** The line and what lies under it. */
  readonly area: string;
}

/** Steps, not slopes: between two answers nothing is used. Undefined with nothing to show. */
export function outlineOf(points: readonly GrowthPoint[], width: number, height: number): Outline | undefined {
  const [first, last] = [points.at(0), points.at(-1)];
  if (!first || !last || points.length < 2) return undefined;
  const most = Math.max(...points.map(({ value }) => value));
  const span = last.at - first.at;
  if (most <= 0 || span <= 0) return undefined;
  const x = ({ at }: GrowthPoint): string => round(((at - first.at) / span) * width);
  const y = ({ value }: GrowthPoint): string => round(height - (value / most) * height);
  const steps = points.slice(1).map((point) => `H${x(point)}V${y(point)}`);
  const line = `M0 ${y(first)}${steps.join("")}`;
  return { line, area: `${line}V${height}H0Z` };
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}

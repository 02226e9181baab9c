// Lays out how often each way of searching found the right note.
import type { Note } from "./note-files.ts";
import { medianMs, scoreOf, type Answered } from "./ranks.ts";
import { WAYS, type Comparison } from "./ways.ts";

const LABEL_WIDTH = 18;
const CELL_WIDTH = 16;

export interface Lines {
  /** A line for each, and one for everything in them. */
  readonly groups: readonly string[];
  /** A line for each: all groups that begin with it. */
  readonly sums?: readonly string[];
  /** Unseen questions have lines of their own and are no part of everything. */
  readonly apart?: readonly string[];
}

export function describeScores({ ways }: Comparison, { groups, sums = [], apart = [] }: Lines): string {
  const used = WAYS.filter((way) => ways.has(way));
  const line = (label: string, belongs: (group: string) => boolean): string => {
    const chosen = used.map((way) => (ways.get(way) ?? []).filter(({ question }) => belongs(question.group)));
    return [label.padEnd(LABEL_WIDTH), String(chosen[0]?.length ?? 0).padStart(4), ...chosen.map(formatScore)].join(
      "  ",
    );
  };
  const lines = [
    ["R@1  R@5  MRR".padEnd(LABEL_WIDTH), "   n", ...used.map((way) => way.padEnd(CELL_WIDTH))].join("  ").trimEnd(),
    ...groups.map((group) => line(group, (one) => one === group)),
    ...sums.map((sum) => line(`${sum}, all`, (one) => one.startsWith(sum))),
    ...(groups.length > 1 ? [line("everything", (one) => groups.includes(one))] : []),
    ...apart.map((group) => line(group, (one) => one === group)),
    ...(apart.length > 0 ? [line("unseen, all", (one) => apart.includes(one))] : []),
    [
      "ms per question".padEnd(LABEL_WIDTH),
      "    ",
      ...used.map((way) =>
        medianMs(ways.get(way) ?? [])
          .toFixed(1)
          .padEnd(CELL_WIDTH),
      ),
    ].join("  "),
  ];
  return lines.map((one) => one.trimEnd()).join("\n");
}

export function describeMisses({ ways }: Comparison, notes: readonly Note[]): string {
  const known = new Map(notes.map((note) => [note.id, note]));
  const lines = (ways.get("fused local") ?? [])
    .filter(({ rank }) => rank === undefined || rank > 5)
    .map(
      ({ question, rank }) =>
        `${question.id}, place ${rank ?? "none"}: ${question.text} → ${known.get(question.id)?.text}`,
    );
  return ["Not among the first five of both together:", ...lines].join("\n");
}

function formatScore(answered: readonly Answered[]): string {
  const { first, five, reciprocal } = scoreOf(answered);
  return [first, five, reciprocal].map(shorten).join(" ").padEnd(CELL_WIDTH);
}

/** ".75", "1.0": room for many in a line. */
function shorten(share: number): string {
  if (Number.isNaN(share)) return " – ";
  return share > 0.995 ? "1.0" : share.toFixed(2).slice(1).padStart(3);
}

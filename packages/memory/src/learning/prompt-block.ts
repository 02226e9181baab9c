// The block of a prompt that says what the owner told about themselves. The same facts give the same bytes, on any day.
import { writeDay, type DayOfTime } from "./rules/days.ts";
import type { FactRow, FactTable } from "./tables/fact-table.ts";

export interface ChosenFact {
  readonly row: FactRow;
  readonly group: Group;
  readonly line: string;
}

type Group = "about" | "preferences" | "decisions" | "dates";

const TITLES: Readonly<Record<Group, string>> = {
  about: "About the owner:",
  preferences: "Preferences:",
  decisions: "Decisions:",
  dates: "Dates:",
};
/** So that one kind does not push out the others. */
const MOST_LINES: Readonly<Record<Group, number>> = { about: 24, preferences: 24, decisions: 16, dates: 12 };
const ABOUT: ReadonlySet<string> = new Set(["name", "home", "origin", "work", "occupation", "relation", "birthday"]);
const CONTACTS: ReadonlySet<string> = new Set(["email", "phone"]);
const LEAST_CONFIDENCE = 0.6;

/**
 * The newest of what is told of the same thing. A person has several traits and appointments, and only one name.
 * Where one sentence gave the same to both, the rules have it.
 */
const NEWEST = `SELECT *, max((seq * 1000 + position) * 2 + (drawn_by = 'rules')) FROM facets
  WHERE is_owner = 1 AND role = 'user' AND facet_type <> 'topic' AND confidence >= ${LEAST_CONFIDENCE}
  GROUP BY slot, CASE WHEN is_about_speaker THEN '' ELSE subject_key END,
    CASE WHEN slot IN ('trait', 'day') THEN value ELSE '' END`;

/** In the order of the block. */
export function chooseFacts(facts: FactTable, dayOfTime: DayOfTime, mostChars: number): ChosenFact[] {
  const newest = facts.select(NEWEST);
  const ranked = withoutOutdated(newest, dayOfTime)
    .flatMap((row) => toChosen(row, dayOfTime))
    .toSorted(
      (a, b) => b.row.confidence - a.row.confidence || b.row.seq - a.row.seq || a.row.position - b.row.position,
    );
  const chosen: ChosenFact[] = [];
  const lines = new Map<Group, number>();
  const texts = new Set<string>();
  let chars = 0;
  for (const one of ranked) {
    const inGroup = lines.get(one.group) ?? 0;
    const cost = one.line.length + 1 + (inGroup === 0 ? TITLES[one.group].length + 2 : 0);
    if (inGroup >= MOST_LINES[one.group] || chars + cost > mostChars || texts.has(one.row.text)) continue;
    chosen.push(one);
    lines.set(one.group, inGroup + 1);
    texts.add(one.row.text);
    chars += cost;
  }
  return chosen;
}

export function writeBlock(chosen: readonly ChosenFact[]): string {
  return (Object.keys(TITLES) as Group[])
    .flatMap((group) => {
      const lines = chosen.filter((one) => one.group === group).map(({ line }) => line);
      return lines.length > 0 ? [[TITLES[group], ...lines].join("\n")] : [];
    })
    .join("\n\n");
}

/** Days before the newest thing the owner said, and appointments that were moved since. */
function withoutOutdated(rows: readonly FactRow[], dayOfTime: DayOfTime): FactRow[] {
  const newest = writeDay(dayOfTime(rows.reduce((most, { at }) => Math.max(most, at), 0)));
  const moved = new Map(rows.filter(({ slot }) => slot === "moved").map(({ subjectKey, seq }) => [subjectKey, seq]));
  return rows.filter(({ kind, slot, day = "", subjectKey, seq }) => {
    if (kind !== "date" || slot === "birthday") return true;
    return day >= newest && !(slot === "day" && seq < (moved.get(subjectKey) ?? 0));
  });
}

function toChosen(row: FactRow, dayOfTime: DayOfTime): ChosenFact[] {
  const group = groupOf(row);
  if (!group) return [];
  const said = `"${asData(row.text)}" (${writeDay(dayOfTime(row.at))})`;
  return [{ row, group, line: group === "dates" ? `- ${row.day}: ${said}` : `- ${said}` }];
}

function groupOf({ kind, slot, isAboutSpeaker }: FactRow): Group | undefined {
  if (ABOUT.has(slot) || (CONTACTS.has(slot) && isAboutSpeaker)) return "about";
  if (kind === "preference") return "preferences";
  if (kind === "decision") return "decisions";
  return kind === "date" ? "dates" : undefined;
}

const REPLACED: Readonly<Record<string, string>> = { "<": "‹", ">": "›", "[": "(", "]": ")", "{": "(", "}": ")" };

/** One line between quotes, in which nothing opens, closes or heads anything. */
function asData(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]+/gu, " ")
    .replace(/[<>[\]{}]/g, (mark) => REPLACED[mark] ?? "")
    .replace(/["“”„«»`]/g, "'")
    .replace(/[*|~\\]+|#{2,}|^#|_{2,}|-{3,}|={3,}/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

// Draws facts out of what somebody said, without a model: what is asked, supposed, denied or quoted tells nothing.
import { createAppointmentReader, type AppointmentReader } from "./appointments.ts";
import type { DayNumber } from "./days.ts";
import type { About, DrawnFact } from "./drawn-fact.ts";
import { LANGUAGES } from "./languages/known-languages.ts";
import { findAll, type Language, type Pattern } from "./pattern.ts";
import { cutClause, cutName, cutPhrase } from "./phrases.ts";
import { findThings } from "./things.ts";

interface Reader {
  readonly language: Language;
  readonly appointments: AppointmentReader;
}

export interface Utterance {
  readonly role: "user" | "assistant";
  readonly saidOn: DayNumber;
}

const READERS: readonly Reader[] = LANGUAGES.map((language) => ({
  language,
  appointments: createAppointmentReader(language),
}));
/** In whatever language: a sentence may have a word of another. */
const CLAUSE_ENDS = new RegExp(`[,;:–—]|\\s(?:${LANGUAGES.map(({ clauseEnds }) => clauseEnds).join("|")})\\s`, "giu");

/** An agent repeats, guesses and makes up: its words count for less, and of tastes it has none. */
const ASSISTANT_TRUST = 0.6;
const ASSISTANT_KINDS: ReadonlySet<string> = new Set(["entity", "date", "decision"]);
const ASSISTANT_PATTERNS: ReadonlySet<string> = new Set(["decision"]);
const WORDS = /[\p{L}']+/gu;

export function drawFacts(plain: string, said: Utterance): DrawnFact[] {
  const drawn = readersFor(plain).flatMap((reader) => readIn(reader, plain, said));
  drawn.push(...findThings(plain));
  return distinct(said.role === "user" ? drawn : drawn.flatMap(trustLess));
}

/** The first day a sentence speaks of. */
export function dayIn(plain: string, saidOn: DayNumber): string | undefined {
  for (const { appointments } of readersFor(plain)) {
    const day = appointments.dayIn(plain, saidOn);
    if (day !== undefined) return day;
  }
  return undefined;
}

/** The languages a sentence may be in: all of them when nothing tells. */
function readersFor(plain: string): readonly Reader[] {
  const scores = READERS.map(() => 0);
  for (const [word] of plain.toLowerCase().matchAll(WORDS)) {
    READERS.forEach(({ language }, place) => {
      if (language.smallWords.has(word)) scores[place] = (scores[place] ?? 0) + 1;
    });
  }
  const best = Math.max(...scores);
  return READERS.filter((_reader, place) => (scores[place] ?? 0) * 2 >= best);
}

function readIn({ language, appointments }: Reader, plain: string, { role, saidOn }: Utterance): DrawnFact[] {
  const isQuestion = /[?¿]/.test(plain) || language.asks.test(plain);
  const facts: DrawnFact[] = [];
  for (const pattern of language.patterns) {
    if (isQuestion && !pattern.isPresupposed) continue;
    if (role === "assistant" && !ASSISTANT_PATTERNS.has(pattern.kind)) continue;
    for (const match of findAll(plain, pattern.find)) {
      if (!isTold(pattern, plain.slice(0, match.index), language)) continue;
      const fact = toFact(pattern, match.groups ?? {}, language);
      if (fact?.kind !== "date") {
        if (fact) facts.push(fact);
        continue;
      }
      const day = appointments.dayIn(plain, saidOn);
      if (day !== undefined) facts.push({ ...fact, value: day, day });
    }
  }
  const isUnsure = isQuestion || language.unasserted.test(plain) || facts.some(({ kind }) => kind === "date");
  return isUnsure ? facts : [...facts, ...appointments.find(plain, saidOn)];
}

/** Whether what stands before it leaves it a statement. */
function isTold(pattern: Pattern, before: string, language: Language): boolean {
  if (!pattern.isAnywhere && !beginsClause(before, language)) return false;
  if (pattern.isPresupposed) return true;
  return !language.unasserted.test(before) && !language.negates.test(lastClause(before));
}

function beginsClause(before: string, { clauseStarts }: Language): boolean {
  const trimmed = before.trimEnd();
  if (trimmed === "" || /[,;:.!)–—-]$/.test(trimmed)) return true;
  const last = /[\p{L}']+$/u.exec(trimmed)?.[0].toLowerCase();
  return last !== undefined && clauseStarts.has(last);
}

function lastClause(before: string): string {
  let start = 0;
  for (const { 0: end, index } of before.matchAll(CLAUSE_ENDS)) start = index + end.length;
  return before.slice(start);
}

function toFact(
  pattern: Pattern,
  groups: Readonly<Record<string, string | undefined>>,
  language: Language,
): DrawnFact | undefined {
  const { kind, slot, means, confidence } = pattern;
  const about = aboutOf(pattern, groups["subject"], language);
  const value = means ?? valueOf(pattern, groups["value"], language);
  return about && value !== undefined ? { kind, slot, value, about, confidence } : undefined;
}

const NAMED: ReadonlySet<string> = new Set(["name", "home", "origin", "work"]);
const NAMES: ReadonlySet<string> = new Set(["relation", "organisation", "place", "told"]);
const CLAUSES: ReadonlySet<string> = new Set(["decision", "rule", "wish", "habit"]);

function aboutOf({ slot }: Pattern, subject: string | undefined, language: Language): About | undefined {
  if (subject === undefined) return { kind: "speaker" };
  // A sentence may begin with any word: only what is no word of the language is somebody's name.
  if (slot === "told" && (language.smallWords.has(subject.toLowerCase()) || language.unasserted.test(subject))) {
    return undefined;
  }
  const cut = NAMES.has(slot)
    ? cutName(subject, language)
    : CLAUSES.has(slot)
      ? cutClause(subject, language)
      : cutPhrase(subject, language);
  return cut === undefined ? undefined : { kind: "thing", subject: cut };
}

function valueOf({ slot }: Pattern, value: string | undefined, language: Language): string | undefined {
  if (value === undefined || slot === "amount") return value;
  if (slot === "relation" || slot === "wish") return value.toLowerCase();
  return NAMED.has(slot) ? cutName(value, language) : cutPhrase(value, language);
}

function trustLess(fact: DrawnFact): DrawnFact[] {
  if (!ASSISTANT_KINDS.has(fact.kind) || fact.about.kind === "speaker") return [];
  return [{ ...fact, confidence: Math.round(fact.confidence * ASSISTANT_TRUST * 100) / 100 }];
}

/** Two patterns may read the same. The surer one stays; and who is known by the sentence anyway is not told of once more. */
function distinct(facts: readonly DrawnFact[]): DrawnFact[] {
  const best = new Map<string, DrawnFact>();
  for (const fact of facts) {
    const key = [fact.kind, fact.slot, subjectOf(fact), fact.day].join("\n");
    const known = best.get(key);
    if (!known || known.confidence < fact.confidence) best.set(key, fact);
  }
  const kept = [...best.values()];
  const subjects = new Set(kept.filter(({ slot }) => slot !== "told").map(subjectOf));
  return kept.filter((fact) => fact.slot !== "told" || !subjects.has(subjectOf(fact)));
}

function subjectOf({ about }: DrawnFact): string {
  return about.kind === "thing" ? about.subject.toLowerCase() : "";
}

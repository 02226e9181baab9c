// Cuts a long source at blank lines into sections that can be read one by one.
import { scanLines } from "./lines.ts";

/** Some of reading costs more than in proportion to the length. */
const SECTION_LENGTH = 16_000;

/** Joined with "\n" they are the source. Fences and lists stay whole, however long they are. */
export function sectionsOf(source: string): string[] {
  if (source.length <= SECTION_LENGTH) return [source];
  const sections: string[] = [];
  let start = 0;
  let isAfterBlank = false;
  for (const line of scanLines(source)) {
    const startsAnew = isAfterBlank && !line.isInFence && /^[^\s]/.test(line.text);
    if (startsAnew && line.start - start >= SECTION_LENGTH) {
      sections.push(source.slice(start, line.start - 1));
      start = line.start;
    }
    isAfterBlank = line.text.trim() === "";
  }
  sections.push(source.slice(start));
  return sections;
}

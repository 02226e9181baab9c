// What axe finds on a page: whatever those who listen, or see little, could not use.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

interface Violation {
  readonly id: string;
  readonly nodes: ReadonlyArray<{ readonly html: string; readonly failureSummary?: string }>;
}

/** What other colours can change. */
export const COLOURS = ["color-contrast", "link-in-text-block"];

/** By all rules, or only by some. */
export async function findViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Evaluated by the browser's own tools, which the page's policy does not bind. It stays until the page is loaded anew.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const only = rules ? { type: "rule", values: [...rules] } : { type: "tag", values: TAGS };
  const violations = await page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as {
      axe: { run(root: Document, options: object): Promise<{ violations: Violation[] }> };
    };
    const found = await axe.run(document, { runOnly, resultTypes: ["violations"] });
    return found.violations;
  }, only);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

/** In both themes. By night nothing but the colours is different. */
export async function findDayAndNight(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const violations = await findViolations(page, colorScheme === "dark" ? COLOURS : undefined);
    found.push(...violations.map((violation) => `${colorScheme}: ${violation}`));
  }
  return found;
}

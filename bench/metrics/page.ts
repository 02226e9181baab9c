// Load time of the control page in a real browser: until it shows something, until one can write, until an answer is seen.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { hasChromium, openChromium } from "../../packages/ui/test/support/chromium.ts";
import { atMost, type Figure } from "../figure.ts";
import { waitUntilQuiet, type State } from "../gateway-process.ts";
import { withGateway, type TurnRunner } from "../workbench.ts";

/** What the probe in the page offers. */
interface Probe {
  opened(): Promise<Opened>;
  answered(mark: string, answer: string): Promise<number>;
}

interface Opened {
  readonly paintMs: number;
  readonly usableMs: number;
  readonly kilobytes: number;
}

type Browser = Awaited<ReturnType<typeof openChromium>>;
type Page = Awaited<ReturnType<Browser["newPage"]>>;

const PROBE = join(import.meta.dirname, "..", "page-probe.cjs");
const ANSWER = "All is well here.";
const ANSWERS = 20;
const WARM_UP_ANSWERS = 3;
const QUIET_MS = 5_000;

export async function measurePage(bench: TurnRunner): Promise<Figure[]> {
  // A peer's page has other parts.
  if (bench.command.effort < 1) return [];
  if (!hasChromium()) {
    return [
      { metric: "control page", unit: "", samples: [], note: "there is no chromium; install it to measure the page" },
    ];
  }
  const browser = await openChromium();
  try {
    return await withGateway(bench, async ({ pid }, state) => {
      const first: Opened[] = [];
      const again: Opened[] = [];
      const answers: number[] = [];
      // The browser's own start is not the page's.
      await visit(browser, bench, state);
      for (let round = 0; round < bench.amount.startRounds; round++) {
        await waitUntilQuiet(pid, { atMostMs: QUIET_MS });
        const { page, opened } = await visit(browser, bench, state);
        first.push(opened);
        await page.reload();
        again.push(await probe(page));
        if (answers.length === 0) answers.push(...(await timeAnswers(page)));
        await page.context().close();
      }
      return toFigures(first, again, answers);
    });
  } finally {
    await browser.close();
  }
}

/** With nothing in its cache and no key of its own: the code of the link lets it in. */
async function visit(browser: Browser, bench: TurnRunner, state: State): Promise<{ page: Page; opened: Opened }> {
  const [program, ...first] = bench.command.argv;
  const { stdout } = spawnSync(program, [...first, "dashboard", "--no-open", "--json"], {
    env: state.env,
    encoding: "utf8",
  });
  const { url } = JSON.parse(stdout) as { url: string };
  const page = await (await browser.newContext()).newPage();
  await page.addInitScript({ path: PROBE });
  await page.goto(url);
  return { page, opened: await probe(page) };
}

function probe(page: Page): Promise<Opened> {
  return page.evaluate(() => (globalThis as unknown as { pageProbe: Probe }).pageProbe.opened());
}

async function timeAnswers(page: Page): Promise<number[]> {
  const samples: number[] = [];
  const composer = page.locator("chela-composer textarea");
  for (let turn = 0; turn < WARM_UP_ANSWERS + ANSWERS; turn++) {
    const mark = `#${turn}#`;
    await composer.fill(`How is it going? ${mark}`);
    const answered = page.evaluate(
      ([asked, answer]) => (globalThis as unknown as { pageProbe: Probe }).pageProbe.answered(asked, answer),
      [mark, ANSWER] as const,
    );
    await composer.press("Enter");
    samples.push(await answered);
  }
  return samples.slice(WARM_UP_ANSWERS);
}

function toFigures(first: readonly Opened[], again: readonly Opened[], answers: readonly number[]): Figure[] {
  const ms = (metric: string, samples: readonly number[], most: number): Figure => ({
    metric,
    unit: "ms",
    samples,
    limits: [atMost(most)],
  });
  return [
    ms(
      "page, first paint, first visit",
      first.map(({ paintMs }) => paintMs),
      300,
    ),
    ms(
      "page, first paint, again",
      again.map(({ paintMs }) => paintMs),
      300,
    ),
    ms(
      "page, composer usable, first visit",
      first.map(({ usableMs }) => usableMs),
      500,
    ),
    ms(
      "page, composer usable, again",
      again.map(({ usableMs }) => usableMs),
      500,
    ),
    ms("page, Enter to answer seen", answers, 60),
    { metric: "page, transferred on first visit", unit: "KB", samples: first.map(({ kilobytes }) => kilobytes) },
  ];
}

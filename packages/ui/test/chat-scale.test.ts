// The chat when there is much of it: a hundred thousand entries, and an answer that comes in hundreds of parts a second.
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { gate, log, say, visit } from "./support/chat.ts";
import { HAS_BROWSER, Stage } from "./support/stage.ts";
import { saidAt, writeTranscripts } from "./support/transcripts.ts";

const LONG = "agent:main:long";
const ENTRIES = 100_000;
const MOST_ROWS = 200;
/** Enough to see more entries than a page keeps. */
const STEPS = 80;
/** What a walk through the whole conversation may leave in memory: less than all that was seen on the way. */
const MOST_GROWTH_BYTES = 10e6;
const QUICK_TURNS = 30;
const PARTS = 600;
const PART_MS = 5;
const LEAST_SHARE_OF_FRAMES = 0.8;

describe.skipIf(!HAS_BROWSER)("much in the chat", () => {
  let stage: Stage;
  let page: Page;
  beforeAll(async () => {
    stage = await Stage.open({}, (stateDir) => writeTranscripts(stateDir, { [LONG]: ENTRIES }));
    const [client, opened] = await Promise.all([stage.client(), stage.page()]);
    page = opened;
    const isThere = async (): Promise<void> => {
      const { total } = await client.call("chat.page", { sessionKey: LONG, from: 0, limit: 1 });
      if (total !== ENTRIES) throw new Error(`${total} entries were taken over`);
    };
    await vi.waitFor(isThere, { timeout: 50_000, interval: 100 });
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());

  const scrollTo = (share: number): Promise<void> =>
    log(page).evaluate(
      (element, at) => void (element.scrollTop = (element.scrollHeight - element.clientHeight) * at),
      share,
    );
  const rows = (): Promise<number> => log(page).locator("[data-index]").count();
  /** Positions of the rows that are on the screen and show what was said. */
  const seen = (): Promise<number[]> =>
    log(page).evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return [...element.querySelectorAll<HTMLElement>("[data-index]")]
        .filter((row) => row.getBoundingClientRect().bottom > top && row.getBoundingClientRect().top < bottom)
        .filter((row) => row.innerText.includes(`This is message ${row.dataset["index"]} of`))
        .map((row) => Number(row.dataset["index"]));
    });
  const heap = async (): Promise<number> => {
    const session = await page.context().newCDPSession(page);
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    await session.detach();
    return usedSize;
  };

  test("shows the end, the beginning and the middle of a hundred thousand entries", async () => {
    await visit(page, LONG);
    await log(page)
      .getByText(saidAt(ENTRIES - 1))
      .waitFor();
    await expect.poll(async () => (await seen()).at(-1)).toBe(ENTRIES - 1);
    await log(page).focus();
    await page.keyboard.press("Home");
    await log(page).getByText(saidAt(0), { exact: true }).waitFor();
    await expect.poll(async () => (await seen())[0]).toBe(0);
    await scrollTo(0.5);
    await expect
      .poll(async () => (await seen()).filter((at) => Math.abs(at - ENTRIES / 2) < 500).length)
      .toBeGreaterThan(2);
    expect(await rows()).toBeLessThan(MOST_ROWS);
    await page.getByRole("button", { name: "To the newest" }).click();
    await expect.poll(async () => (await seen()).at(-1)).toBe(ENTRIES - 1);
    expect(await rows()).toBeLessThan(MOST_ROWS);
  });

  test("a walk through all of it keeps the page small", async () => {
    await visit(page, LONG);
    const before = await heap();
    const mostRows = await log(page).evaluate(walk, STEPS);
    expect(mostRows).toBeLessThan(MOST_ROWS);
    expect((await heap()) - before).toBeLessThan(MOST_GROWTH_BYTES);
  });

  // What else the machine does for a moment is not the page's fault.
  let attempt = 0;
  test("stays fluid while an answer comes in 200 parts a second, and loses none", { retry: 3 }, async () => {
    stage.model.script.length = 0;
    await visit(page, `agent:main:stream-${++attempt}`);
    const words = Array.from({ length: PARTS }, (_, at) => `w${at} `);
    stage.model.script.push("Ready.", async (speech) => {
      const began = performance.now();
      for (const [at, word] of words.entries()) {
        speech.say(word);
        const early = began + at * PART_MS - performance.now();
        if (early > 1) await pause(early);
      }
    });
    await say(page, "Hello");
    await log(page).getByText("Ready.").waitFor();
    const idle = await framesPerSecond(page, () => page.waitForTimeout(1500));
    await say(page, "Go");
    await log(page).getByText("w0").waitFor();
    const busy = await framesPerSecond(page, () =>
      log(page)
        .getByText(`w${PARTS - 1}`)
        .waitFor(),
    );
    expect(busy / idle).toBeGreaterThanOrEqual(LEAST_SHARE_OF_FRAMES);
    await page.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "hidden" });
    const shown = await log(page).locator(".message.assistant").last().locator(".prose").innerText();
    expect(shown.trim()).toBe(words.join("").trim());
  });

  test("keeps the newest in view through many quick turns, unless somebody reads further up", async () => {
    await visit(page, "agent:main:quick");
    for (let turn = 0; turn < QUICK_TURNS; turn++) {
      stage.model.script.push(`Answer ${turn}.`);
      await say(page, `Question ${turn}`);
      await log(page).getByText(`Answer ${turn}.`, { exact: true }).waitFor();
    }
    const newest = page.getByRole("button", { name: "To the newest" });
    await log(page).hover();
    await page.mouse.wheel(0, -1200);
    await newest.waitFor();
    const more = gate();
    stage.model.script.push(async (speech) => {
      await more.opened;
      speech.say("Said meanwhile.");
    });
    const client = await stage.client();
    const top = await log(page).evaluate((element) => element.scrollTop);
    const ended = client.chat("From elsewhere", { sessionKey: "agent:main:quick" });
    more.open();
    await ended;
    expect(await log(page).evaluate((element) => element.scrollTop)).toBe(top);
    stage.model.script.push("That was the last.");
    await say(page, "And now");
    await log(page).getByText("That was the last.").waitFor();
    await newest.waitFor({ state: "hidden" });
  });

  test("gave browsers nothing to complain about", () => {
    expect(stage.complaints).toEqual([]);
  });
});

/** In the page: goes on when what is on the screen shows what was said. Gives the most rows there ever were. */
async function walk(element: HTMLElement, steps: number): Promise<number> {
  let most = 0;
  for (let step = 0; step <= steps; step++) {
    element.scrollTop = ((element.scrollHeight - element.clientHeight) * step) / steps;
    for (let shown = 0; shown < 3;) {
      await new Promise(requestAnimationFrame);
      const { top, bottom } = element.getBoundingClientRect();
      const rows = [...element.querySelectorAll<HTMLElement>("[data-index]")];
      most = Math.max(most, rows.length);
      shown = rows.filter((row) => {
        const place = row.getBoundingClientRect();
        const isOnScreen = place.bottom > top && place.top < bottom;
        return isOnScreen && row.innerText.includes(`This is message ${row.dataset["index"]} of`);
      }).length;
    }
  }
  return most;
}

/** How often the page draws a second while something is done. */
async function framesPerSecond(page: Page, work: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const count = { frames: 0, began: performance.now(), isOver: false };
    Object.assign(window, { count });
    const draw = (): void => {
      count.frames += 1;
      if (!count.isOver) requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);
  });
  await work();
  return page.evaluate(() => {
    const { count } = window as unknown as { count: { frames: number; began: number; isOver: boolean } };
    count.isOver = true;
    return (count.frames / (performance.now() - count.began)) * 1000;
  });
}

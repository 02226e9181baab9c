// What the page weighs before one can write, and that it asks nobody but its gateway.
import { gzipSync } from "node:zlib";
import type { Page, Response } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { composer, log, say } from "./support/chat.ts";
import { HAS_BROWSER, Stage } from "./support/stage.ts";

const MOST_SCRIPT_BYTES = 120 * 1024;
/** Chunks that are only worth their weight to whoever needs them: editor, charts, colours of code. */
const HEAVY = ["editor-view", "chart-plot", "highlight"] as const;

describe.skipIf(!HAS_BROWSER)("the page's budget", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open();
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());

  test("is kept until one can write, and what is heavy comes when it is needed", async () => {
    const page = await (await stage.browser()).newPage();
    const seen: Response[] = [];
    const asked: string[] = [];
    page.context().on("request", (request) => void asked.push(request.url()));
    page.on("websocket", (socket) => void asked.push(socket.url()));
    page.on("response", (response) => void seen.push(response));
    const { stdout } = await stage.household.chela("dashboard", "--no-open", "--json");
    await page.goto((JSON.parse(stdout) as { url: string }).url);
    await composer(page).waitFor();
    const scripts = seen.filter((response) => response.request().resourceType() === "script");
    expect(scripts.length).toBeGreaterThan(3);
    const weights = await Promise.all(scripts.map(weigh));
    const sum = (pick: (weight: Weight) => number): number => weights.reduce((all, one) => all + pick(one), 0);
    expect(sum(({ gzip }) => gzip)).toBeLessThanOrEqual(MOST_SCRIPT_BYTES);
    expect(sum(({ transferred }) => transferred)).toBeLessThanOrEqual(MOST_SCRIPT_BYTES);
    expect(loaded(seen)).toEqual([]);

    stage.model.script.push("```js\nconst a = 1;\n```");
    await say(page, "Code, please");
    await log(page).locator("pre").waitFor();
    await expect.poll(() => loaded(seen)).toEqual(["highlight"]);
    await goTo(page, "#/config");
    await page.getByRole("link", { name: "Raw", exact: true }).click();
    await expect.poll(() => loaded(seen)).toEqual(["editor-view", "highlight"]);
    await goTo(page, "#/usage");
    await expect.poll(() => loaded(seen)).toEqual(HEAVY);

    const origin = stage.url.replace(/^http:/, "");
    const elsewhere = asked.filter((url) => !url.replace(/^(?:blob:)?(?:http|ws):/, "").startsWith(origin));
    expect(elsewhere).toEqual([]);
    expect(stage.complaints).toEqual([]);
  });
});

interface Weight {
  readonly gzip: number;
  readonly transferred: number;
}

async function weigh(response: Response): Promise<Weight> {
  const [body, { responseBodySize }] = await Promise.all([response.body(), response.request().sizes()]);
  return { gzip: gzipSync(body, { level: 9 }).length, transferred: responseBodySize };
}

function loaded(seen: readonly Response[]): string[] {
  const names = seen.map((response) => new URL(response.url()).pathname.split("/").at(-1) ?? "");
  return HEAVY.filter((heavy) => names.some((name) => name.startsWith(`${heavy}-`) && name.endsWith(".js")));
}

function goTo(page: Page, fragment: string): Promise<void> {
  return page.evaluate((to) => void (location.hash = to), fragment);
}

// The page of what happened, in a real browser: rows as things happen, filters, one event, the file, and the check of the chain.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { event } from "../../gateway/test/support/durability/trail-on-disk.ts";
import { loadAuditCheck, type AuditSource } from "../../gateway/src/rooms/audit/room.ts";
import { openDatabase, SqliteLedger } from "../../gateway/src/rooms/ledger/room.ts";
import { HAS_BROWSER, Stage } from "./support/stage.ts";
import { findDayAndNight } from "./support/violations.ts";

/** More than one page of the list. */
const OLD_EVENTS = 260;

async function writePast(stateDir: string): Promise<void> {
  const ledger = new SqliteLedger(openDatabase(join(stateDir, "ledger.sqlite")));
  const events = Array.from({ length: OLD_EVENTS }, (_, at) => event(`old-${at + 1}`));
  await ledger.commit(events);
  await ledger.close();
}

/** The trail as the gateway tells it. */
async function trailOf(stage: Stage): Promise<AuditSource> {
  const client = await stage.client();
  const ask = (params: object) => client.call("audit.list", { ...params });
  return {
    audit: async ({ afterSeq, beforeSeq, ...query }) =>
      (await ask({ ...query, after: afterSeq, before: beforeSeq })).records,
    auditBase: async () => (await ask({ limit: 1 })).base,
  };
}

const rows = (page: Page): Locator => page.locator(".audit-row");
const row = (page: Page, text: string | RegExp): Locator => rows(page).filter({ hasText: text });
const list = (page: Page): Locator => page.locator(".audit-scroll");
const count = (page: Page): Locator => page.locator(".audit-count");

async function expectUsable(page: Page): Promise<void> {
  expect(await findDayAndNight(page)).toEqual([]);
}

async function pick(page: Page, label: string, choice: string): Promise<void> {
  await page.getByRole("button", { name: new RegExp(`^${label}: `) }).click();
  await page.getByRole("option", { name: new RegExp(`^${choice}`) }).click();
}

describe.skipIf(!HAS_BROWSER)("the page of what happened", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open({}, writePast);
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());
  beforeEach(() => void (stage.model.script.length = 0));
  const open = (at: string): Promise<Page> => stage.page({ at });

  /** A turn in which the model reads a file that is not there. */
  async function readNothing(sessionKey: string, path: string): Promise<void> {
    stage.model.script.push((speech) => speech.call("read", { path }), "There is no such file.");
    await (await stage.client()).chat("Read it", { sessionKey });
  }

  test("a turn with a tool makes rows appear, with the way to the conversation and to why", async () => {
    const page = await open("#/audit");
    await row(page, "This browser").first().waitFor();
    await readNothing("agent:main:reading", "nowhere.txt");
    const read = row(page, "nowhere.txt");
    await read.waitFor();
    expect(await read.innerText()).toMatch(/Failed/);
    expect(await read.getByRole("link", { name: "reading" }).getAttribute("href")).toContain("agent%3Amain%3Areading");
    await row(page, "scripted/test").first().waitFor();
    await read.getByRole("link", { name: "Explain this turn" }).click();
    await page.getByRole("heading", { name: "Explain", level: 1 }).waitFor();
    await page.getByRole("heading", { name: /^It was answered in/ }).waitFor();
    await page.goBack();
    await read.waitFor();
    await expectUsable(page);
  });

  test("older events come with the scrolling, down to the very first", async () => {
    const page = await open("#/audit");
    await rows(page).first().waitFor();
    const first = row(page, /old-1\b/);
    await expect
      .poll(async () => {
        await list(page).evaluate((box) => void (box.scrollTop = box.scrollHeight));
        return first.count();
      })
      .toBe(1);
    // Only what is near is on the page.
    expect(await rows(page).count()).toBeLessThan(60);
    await list(page).evaluate((box) => void (box.scrollTop = 0));
    await row(page, "This browser").first().waitFor();
  });

  test("filters narrow the list, stand in the address, and can be cleared", async () => {
    const page = await open("#/audit");
    await rows(page).first().waitFor();
    await pick(page, "Kind", "Tool");
    await pick(page, "Outcome", "Denied or failed");
    await expect.poll(() => count(page).innerText()).toBe("1 event found");
    expect(await row(page, "nowhere.txt").count()).toBe(1);
    expect(new URL(page.url()).hash).toBe("#/audit?action=tool&outcome=bad");

    await page.reload();
    await expect.poll(() => count(page).innerText()).toBe("1 event found");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByRole("searchbox", { name: "Search targets and details" }).fill("old-25");
    // old-25 and old-250 to old-259
    await expect.poll(() => count(page).innerText()).toBe("11 events found");
    await pick(page, "Time", "Last hour");
    await page.getByRole("heading", { name: "No event fits" }).waitFor();
    await expectUsable(page);
    await page.getByRole("button", { name: "Clear filters" }).last().click();
    await row(page, "This browser").first().waitFor();
    expect(new URL(page.url()).hash).toBe("#/audit");
    await pick(page, "Who", "The gateway");
    await expect.poll(() => row(page, "Pairing").count()).toBeGreaterThan(0);
    await expect.poll(() => row(page, "old-").count()).toBe(0);
    await pick(page, "Who", "Everybody");
    await pick(page, "Time", "From … to …");
    await page.getByLabel("To", { exact: true }).fill("2026-01-20T00:00");
    await expect.poll(() => count(page).innerText()).toBe(`${OLD_EVENTS} events found`);
  });

  test("an event opens with all that is known of it, and by keyboard", async () => {
    const page = await open("#/audit?text=nowhere.txt&action=tool");
    const link = row(page, "nowhere.txt").getByRole("link").first();
    await link.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: /^Event \d+/ });
    await dialog.getByText('"path": "nowhere.txt"').waitFor();
    await dialog.getByText("Digest of the result").waitFor();
    expect(await dialog.getByText(/^[0-9a-f]{64}$/).count()).toBe(2);
    await dialog.getByRole("link", { name: "Explain this turn" }).waitFor();
    await expectUsable(page);
    await page.keyboard.press("Escape");
    await expect.poll(() => link.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(new URL(page.url()).hash).not.toContain("event=");
    await page.keyboard.press("Enter");
    await dialog.getByRole("link", { name: "Only this run" }).click();
    await row(page, "scripted/test").first().waitFor();
    await page.getByRole("button", { name: /^Without: One run/ }).waitFor();
  });

  test("the arrows go from event to event", async () => {
    const page = await open("#/audit?text=old-");
    await row(page, "old-260").getByRole("link").first().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    const focused = (): Promise<string> => page.evaluate(() => (document.activeElement as HTMLElement).innerText);
    await expect.poll(focused).toContain("old-258");
    await page.keyboard.press("Home");
    await expect.poll(focused).toContain("old-260");
  });

  test("what is new waits while somebody reads, and nothing moves", async () => {
    const page = await open("#/audit");
    await rows(page).first().waitFor();
    await list(page).evaluate((box) => void (box.scrollTop = 3000));
    const seen = row(page, "old-").first();
    await seen.waitFor();
    const name = (await seen.innerText()).match(/old-\d+/)?.[0] ?? "";
    const before = await row(page, new RegExp(`${name}\\b`)).boundingBox();
    await readNothing("agent:main:reading", "later.txt");
    const chip = page.getByRole("button", { name: /^\d+ new$/ });
    await chip.waitFor();
    expect(await row(page, new RegExp(`${name}\\b`)).boundingBox()).toEqual(before);
    expect(await row(page, "later.txt").count()).toBe(0);
    await expectUsable(page);
    await chip.click();
    await row(page, "later.txt").waitFor();
    expect(await list(page).evaluate((box) => box.scrollTop)).toBe(0);
    expect(await chip.count()).toBe(0);
  });

  test("the trail is taken along as a file that it can be compared with later", async () => {
    const page = await open("#/audit");
    await rows(page).first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download as JSONL" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^chela-audit-\d{4}-\d\d-\d\d\.jsonl$/);
    const lines = readFileSync(await download.path(), "utf8")
      .trim()
      .split("\n");
    expect(lines.length).toBeGreaterThan(OLD_EVENTS + 1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ seq: 1, target: "old-1" });
    const { compareExport } = await loadAuditCheck();
    const read = async function* (): AsyncGenerator<string> {
      yield* lines;
    };
    const report = await compareExport(read(), await trailOf(stage));
    expect(report).toEqual({ ok: true, same: lines.length - 1, gone: 0, problems: [] });
  });

  test("the chain is verified; an event that was changed behind the gateway's back is named", async () => {
    const page = await open("#/audit");
    await page.getByRole("button", { name: "Verify the chain" }).click();
    const whole = page.getByRole("heading", { name: /^All \d+ events are as they were written\.$/ });
    await whole.waitFor();
    await expectUsable(page);
    await page.getByRole("button", { name: "Hide the result" }).click();
    expect(await whole.count()).toBe(0);
    await page.context().close();

    await stage.kill();
    const database = new DatabaseSync(join(stage.household.stateDir, "ledger.sqlite"));
    database.exec("UPDATE audit SET target = 'harmless' WHERE seq = 77");
    database.close();
    await stage.start();
    const after = await open("#/audit");
    await after.getByRole("button", { name: "Verify the chain" }).click();
    const broken = after.getByRole("region", { name: "Verify the chain" });
    await broken.getByRole("heading", { name: "The trail is not as it was written: 1 problem" }).waitFor();
    await broken.getByText("Event 77 does not follow from the one before it").waitFor();
    await expectUsable(after);
    await broken.getByRole("link", { name: "Show event 77" }).click();
    await after.getByRole("dialog", { name: "Event 77" }).getByText("harmless").waitFor();
  });

  test("browsers had nothing to complain about", () => {
    expect(stage.complaints).toEqual([]);
  });
});

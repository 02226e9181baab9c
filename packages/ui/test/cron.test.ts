// Jobs on the page: planned with a form that is checked while one types, run, looked at, changed, and taken away.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { WireClient } from "../../gateway/test/support/wire-client.ts";
import { log, visit } from "./support/chat.ts";
import { HAS_BROWSER, Stage } from "./support/stage.ts";
import { findDayAndNight } from "./support/violations.ts";

describe.skipIf(!HAS_BROWSER)("jobs", () => {
  let stage: Stage;
  let page: Page;
  let client: WireClient;
  beforeAll(async () => {
    stage = await Stage.open();
    [page, client] = await Promise.all([stage.page(), stage.client()]);
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());
  beforeEach(() => void (stage.model.script.length = 0));

  const go = (route: string): Promise<void> =>
    page.evaluate((fragment) => void (location.hash = fragment), `#/${route}`);
  const notice = (text: string | RegExp): Locator => page.locator(".notice").filter({ hasText: text });
  const row = (name: string): Locator => page.getByRole("article", { name, exact: true });
  const preview = (): Locator => page.locator("chela-cron-preview");
  const title = (name: string): Locator => page.getByRole("heading", { name, level: 1 });
  const idOf = async (name: string): Promise<string> => {
    const { jobs } = await client.call("cron.list", { includeDisabled: true, query: name });
    return jobs[0].id as string;
  };

  test("begins with examples that fill in the form", async () => {
    await go("cron");
    await page.getByRole("heading", { name: "Nothing runs by itself yet" }).waitFor();
    await page.getByRole("link", { name: "Every weekday at 7:30, tell me the weather" }).click();
    await title("New job").waitFor();
    expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Weather");
    await preview().getByText("Weekdays at 7:30").waitFor();
    expect(await preview().getByRole("listitem").count()).toBe(5);
    await go("cron?new=reminder");
    await preview()
      .getByText(/tomorrow, 9:00/)
      .waitFor();
    expect(await preview().getByRole("listitem").count()).toBe(1);
    await go("cron?new=check");
    await preview().getByText("Every 15 minutes").waitFor();
  });

  test("checks what is typed with the gateway, and keeps it while one looks elsewhere", async () => {
    await go("cron?new=");
    await page.getByRole("textbox", { name: "Message to the agent" }).fill("Say good morning");
    await page.getByRole("textbox", { name: "Name" }).fill("Good morning");
    await page.getByRole("radio", { name: "Cron expression" }).check({ force: true });
    const expression = page.getByRole("textbox", { name: "Cron expression" });
    await expression.fill("99 9 * * *");
    await preview()
      .locator(".problem")
      .getByText(/minute/)
      .waitFor();
    expect(await preview().getByRole("listitem").count()).toBe(0);
    await page.getByRole("button", { name: "Create job" }).click();
    await page
      .getByRole("alert")
      .getByText(/minute/)
      .waitFor();
    await expression.fill("0 9 * * 1-5");
    await preview().getByText("Weekdays at 9:00").waitFor();
    expect(await preview().getByRole("listitem").count()).toBe(5);

    await go("sessions");
    await title("Sessions").waitFor();
    await page.goBack();
    expect(await expression.inputValue()).toBe("0 9 * * 1-5");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Good morning");

    await page.getByRole("button", { name: "Create job" }).click();
    await title("Good morning").waitFor();
    await notice(/Saved: Good morning\. Weekdays at 9:00/).waitFor();
    expect(await client.call("cron.get", { id: await idOf("Good morning") })).toMatchObject({
      schedule: { kind: "cron", expr: "0 9 * * 1-5" },
      sessionTarget: "isolated",
      payload: { kind: "agentTurn", message: "Say good morning" },
      delivery: { mode: "announce", channel: "last" },
    });
  });

  test("runs a job by hand and shows that it was carried out, and that its result arrived", async () => {
    stage.model.script.push("Good morning to you.");
    await go("cron");
    await row("Good morning").getByText("Not run yet").waitFor();
    await row("Good morning").getByRole("button", { name: "Run Good morning now" }).click();
    await notice("Good morning has started.").waitFor();
    await row("Good morning").getByText("Done").waitFor();
    await row("Good morning").getByText("Delivered", { exact: true }).waitFor();
    await row("Good morning")
      .getByRole("link", { name: /Good morning/ })
      .click();
    const run = page.locator(".cron-run").first();
    await run.getByText("Good morning to you.").first().waitFor();
    await run.locator("summary").click();
    await run.getByText("By hand").waitFor();
    await run.getByText(/This page · agent:main:main/).waitFor();
    await run.getByRole("link", { name: "Explain" }).click();
    await title("Explain").waitFor();
    await visit(page, "agent:main:main");
    await log(page).getByText("Good morning to you.").waitFor();
    const job = log(page).getByRole("link", { name: "Good morning" });
    expect(await job.getAttribute("href")).toBe(`#/cron/${await idOf("Good morning")}`);
    expect(await log(page).getByText("tokens").count()).toBe(0);
  });

  test("shows why a job failed, here and where one looks for trouble", async () => {
    await client.call("cron.add", {
      name: "Broken",
      schedule: { kind: "every", everyMs: 3_600_000 },
      payload: { kind: "exec", command: "echo 'disk is full' >&2; exit 3" },
    });
    await go("cron");
    await row("Broken").getByRole("button", { name: "Run Broken now" }).click();
    await row("Broken").getByText("Failed").waitFor();
    await row("Broken")
      .getByText(/disk is full/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Failed", exact: true }).click();
    await row("Good morning").waitFor({ state: "detached" });
    await row("Broken").waitFor();
    await page.getByRole("link", { name: "Jobs 1" }).waitFor();

    await go("overview");
    const need = page.getByRole("article").filter({ hasText: "Broken failed" });
    await need.getByText(/disk is full/).waitFor();
    const rows = page.getByRole("region", { name: "Needs you" }).locator(".overview-need-list > li");
    await page.getByRole("link", { name: `Overview ${await rows.count()}`, exact: true }).waitFor();
    await page.getByRole("link", { name: /^Good morning Weekdays/ }).waitFor();
    await client.call("cron.update", {
      id: await idOf("Broken"),
      patch: { payload: { kind: "exec", command: "echo mended" } },
    });
    await need.getByRole("button", { name: "Run again" }).click();
    await need.waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Jobs", exact: true }).waitFor();
  });

  test("draws what ran and what will run into a calendar one can walk through", async () => {
    await go("cron?view=calendar");
    const today = page.locator("[aria-current=date]");
    await today.waitFor();
    expect(await today.getAttribute("aria-label")).toMatch(/2 done, 1 failed/);
    const table = page.getByRole("table");
    await table.getByRole("row").filter({ hasText: "Good morning" }).filter({ hasText: "Delivered" }).waitFor();
    await table.getByText(/disk is full/).waitFor();
    await today.focus();
    const before = await page.getByRole("heading", { level: 2 }).allInnerTexts();
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => page.getByRole("heading", { level: 2 }).allInnerTexts()).not.toEqual(before);
    const focused = (): Promise<string> =>
      page.evaluate(() => document.activeElement?.closest("[role=gridcell]")?.getAttribute("aria-selected") ?? "");
    await expect.poll(focused).toBe("true");
    await page.getByRole("button", { name: "Later" }).click();
    await page
      .getByRole("button", { name: /to come/ })
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Week", exact: true }).click();
    await expect.poll(() => page.getByRole("gridcell").count()).toBe(7);
    await page.getByRole("button", { name: "Today" }).click();
    await page.locator("[aria-current=date]").waitFor();
  });

  test("changes a job, and says so when somebody else did", async () => {
    const id = await idOf("Good morning");
    await go(`cron/${id}/edit`);
    const name = page.getByRole("textbox", { name: "Name" });
    await expect.poll(() => name.inputValue()).toBe("Good morning");
    await name.fill("Good evening");
    await client.call("cron.update", { id, patch: { description: "from elsewhere" } });
    await page.getByText("Somebody changed this job meanwhile.").waitFor();
    await page.getByRole("button", { name: "Keep mine" }).click();
    await page.getByRole("radio", { name: "At these times" }).check({ force: true });
    await page.getByLabel("Time 1").fill("20:15");
    await preview().getByText("Weekdays at 8:15").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await title("Good evening").waitFor();
    await page.getByText("Weekdays at 8:15").first().waitFor();
    expect(await client.call("cron.get", { id })).toMatchObject({
      name: "Good evening",
      schedule: { kind: "cron", expr: "15 20 * * 1-5" },
      payload: { kind: "agentTurn", message: "Say good morning" },
    });
  });

  test("switches jobs off and on, copies them, and deletes them after asking", async () => {
    await go("cron");
    const toggle = row("Good evening").getByRole("switch");
    await toggle.click();
    await expect.poll(() => toggle.isChecked()).toBe(false);
    await notice("Good evening is off.").waitFor();
    await page.getByRole("button", { name: "Off", exact: true }).click();
    await row("Broken").waitFor({ state: "detached" });
    await toggle.click();
    await page.getByText("No job fits").waitFor();
    await page.getByRole("button", { name: "Show all jobs" }).click();

    await row("Good evening").getByRole("button", { name: "More for Good evening" }).click();
    await page.getByRole("menuitem", { name: "Duplicate" }).click();
    await page.getByRole("button", { name: "Create job" }).click();
    await title("Good evening (copy)").waitFor();
    await page.getByRole("button", { name: "More for Good evening (copy)" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await title("Jobs").waitFor();
    await notice("Good evening (copy) was deleted.").waitFor();
    await expect.poll(async () => (await client.call("cron.list", {})).jobs.length).toBe(2);
  });

  test("can be used by everybody, by day and by night, and complains of nothing", async () => {
    const problems: string[] = [];
    const id = await idOf("Broken");
    for (const route of [
      "cron",
      `cron/${id}`,
      `cron/${id}/edit`,
      "cron?view=calendar",
      "cron?view=calendar&span=week",
    ]) {
      await go(route);
      await page.locator("main h1").waitFor();
      await page.waitForFunction(() => document.querySelectorAll("main .waiting").length === 0);
      const more = page.locator(".cron-more > summary");
      if (await more.isVisible()) await more.click();
      problems.push(...(await findDayAndNight(page)).map((violation) => `${route} ${violation}`));
    }
    expect(problems).toEqual([]);
    expect(stage.complaints).toEqual([]);
  });

  test("tells what a job asks in a conversation from what people say there", async () => {
    stage.model.script.push("All are watered.");
    const target = { sessionTarget: "session:agent:main:plants" };
    const when = { kind: "at", at: new Date().toISOString() };
    const { id } = await client.call("cron.add", {
      name: "Plants",
      schedule: when,
      message: "Look at them.",
      ...target,
    });
    await visit(page, "agent:main:plants");
    await log(page).getByText("All are watered.").waitFor();
    const asked = log(page).locator(".message.errand");
    await asked.getByText("Look at them.", { exact: true }).waitFor();
    expect(await asked.getByRole("link", { name: "Plants" }).getAttribute("href")).toBe(`#/cron/${id}`);
    expect(await asked.getByRole("button").count()).toBe(1);
    expect(await log(page).locator(".message.user:not(.errand)").count()).toBe(0);
    await page.getByRole("heading", { name: "Plants" }).first().waitFor();
    expect(await findDayAndNight(page)).toEqual([]);
  });
});

// Rules for commands at the page: what holds and who says so, and what a program that is being allowed would mean.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HAS_BROWSER, Stage } from "./support/stage.ts";
import { findViolations } from "./support/violations.ts";

describe.skipIf(!HAS_BROWSER)("rules for commands", () => {
  let stage: Stage;
  let page: Page;
  beforeAll(async () => {
    stage = await Stage.open({
      tools: { exec: { ask: "always" } },
      agents: {
        defaults: { model: "scripted/test" },
        list: [
          { id: "main", default: true },
          { id: "scout", tools: { exec: { security: "full", ask: "off" } } },
        ],
      },
    });
    page = await stage.page({ at: "#/approvals" });
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());

  test("are told in plain words, with who says so", async () => {
    await page.getByText("Every command waits for a yes, also one on the list.").waitFor();
    await page.getByText("When to ask: from the configuration (tools.exec)").waitFor();
    await page.getByText("What may run: not set, so the usual holds").waitFor();
    await page.getByRole("link", { name: "scout" }).click();
    await page.getByText("scout: Every command runs without a question.").waitFor();
    await page.getByText("What may run: from the configuration of this agent").waitFor();
    expect(await findViolations(page)).toEqual([]);
    // The stricter of the two counts, and the page says which it is.
    await page.getByLabel("What may run").selectOption("allowlist");
    await page.getByText("scout: What is on the list runs. Everything else is refused without a question.").waitFor();
    await page.getByText("What may run: from the rules of this agent, below").waitFor();
  });

  test.for([
    ["/usr/bin/date", "Exactly the program /usr/bin/date, with any arguments."],
    ["date", "The program date of the system, such as /usr/bin/date"],
    ["~/bin/*", "Every program directly in ~/bin, with any arguments."],
    ["/opt/**", "Every program in /opt and everywhere below"],
    ["/opt/*/run", "Every program that fits, such as /opt/name/run"],
    ["date -u", "This names no program."],
  ] as const)("say what %s would mean while it is typed", async ([pattern, meaning]) => {
    await page.getByLabel("Allow a program").fill(pattern);
    await page.getByText(meaning).waitFor();
  });

  test("take a program up after a question, and let it go again", async () => {
    const list = (): unknown => {
      const file = join(stage.household.stateDir, "exec-approvals.json");
      return (JSON.parse(readFileSync(file, "utf8")) as { agents: { scout: { allowlist?: unknown[] } } }).agents.scout
        .allowlist;
    };
    await page.getByLabel("Allow a program").fill("/usr/bin/*");
    await page.getByText("That is a lot.").waitFor();
    await page.getByRole("button", { name: "Allow", exact: true }).click();
    const question = page.getByRole("dialog", { name: "Allow it for good?" });
    await question.getByText(/That is a lot.*The list does not cover programs/).waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    await page.getByLabel("Allow a program").fill("date");
    await page.getByRole("button", { name: "Allow", exact: true }).click();
    await question.getByRole("button", { name: "Allow" }).click();
    const remove = page.getByRole("button", { name: "Remove date" });
    await remove.waitFor();
    expect(list()).toMatchObject([{ pattern: "date" }]);
    expect(await page.getByLabel("Allow a program").inputValue()).toBe("");
    await remove.click();
    await page.getByRole("dialog", { name: "Ask again from now on?" }).getByRole("button", { name: "Remove" }).click();
    await remove.waitFor({ state: "detached" });
    expect(list()).toEqual([]);
  });

  test("nothing was complained about", () => {
    expect(stage.complaints).toEqual([]);
  });
});

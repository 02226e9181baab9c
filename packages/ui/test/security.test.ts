// What is weak and how it is put right, and where commands run, in a real browser.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ensureDebianPackage } from "../../gateway/test/support/stages/debian-package.ts";
import type { WireClient } from "../../gateway/test/support/wire-client.ts";
import { log, say, visit } from "./support/chat.ts";
import { HAS_BROWSER, Stage } from "./support/stage.ts";
import { findViolations } from "./support/violations.ts";

const WEAK = {
  logging: { redactSensitive: "off" },
  commands: { useAccessGroups: false },
  tools: { exec: { security: "full" } },
  agents: { defaults: { model: "scripted/test" } },
};
const READABLE = "Other users can read this file";
const LOGGED = "Secrets are not taken out of the log";
const UNGUARDED = "Whoever may speak may give commands";
const FULL = "Commands run without asking anybody";

const finding = (page: Page, title: string): Locator =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: title, exact: true }) });
const chip = (page: Page): Locator => page.getByRole("button", { name: /^Commands run: / });

async function expectUsable(page: Page): Promise<void> {
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme });
    expect(await findViolations(page), theme).toEqual([]);
  }
}

async function go(page: Page, route: string): Promise<void> {
  await page.evaluate((fragment) => void (location.hash = fragment), `#/${route}`);
}

async function patchConfig(client: WireClient, patch: object): Promise<void> {
  const { hash } = await client.call("config.get", {});
  await client.call("config.patch", { baseHash: hash, raw: JSON.stringify(patch) });
}

/** The page itself may not look into the clipboard; a person can paste. */
async function pasted(page: Page): Promise<string> {
  await page.keyboard.press("Control+k");
  const field = page.getByRole("dialog").getByRole("combobox");
  await field.waitFor();
  await page.keyboard.press("Control+v");
  const text = await field.inputValue();
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "hidden" });
  return text;
}

describe.skipIf(!HAS_BROWSER)("security", () => {
  let stage: Stage;
  let client: WireClient;
  let page: Page;
  /** Whether this machine can keep a sandbox. */
  let isKept = false;
  beforeAll(async () => {
    ensureDebianPackage("bubblewrap", "bwrap");
    stage = await Stage.open(WEAK);
    client = await stage.client();
    isKept = (await client.call("sandbox.status", {})).chosen !== undefined;
    page = await stage.page({ at: "#/overview", permissions: ["clipboard-write"] });
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());

  const configPath = (): string => join(stage.household.stateDir, "openclaw.json");

  test("the overview leads from a danger to where it is put right", async () => {
    const need = page.getByRole("article").filter({ hasText: READABLE });
    await page.getByRole("article").filter({ hasText: "things could be safer" }).getByText(FULL).waitFor();
    await need.waitFor();
    await expectUsable(page);
    await need.getByRole("link", { name: "Fix it" }).click();
    await page.getByRole("heading", { name: "Security", level: 1 }).waitFor();
    await expect.poll(() => finding(page, READABLE).evaluate((one) => one === document.activeElement)).toBe(true);
  });

  test("findings stand by severity, with their risk, their place and a command to copy", async () => {
    const headings = page.getByRole("region", { name: "What is weak here" }).getByRole("heading", { level: 3 });
    expect(await headings.allInnerTexts()).toEqual(["Dangerous", "Could be safer", "Good to know"]);
    const full = finding(page, FULL);
    await full.getByText("runs on this machine at once").waitFor();
    await full.getByText("tools.exec.security", { exact: true }).waitFor();
    expect(await full.getByRole("button", { name: /^Fix/ }).count()).toBe(0);
    await full.getByRole("button", { name: /^Copy: / }).click();
    await full.getByRole("button", { name: "Copied" }).waitFor();
    expect(await pasted(page)).toBe("chela config set tools.exec.security allowlist");
    await full.getByRole("link", { name: `To the settings: ${FULL}` }).waitFor();
    await expectUsable(page);
  });

  test("a file is closed at once by its button", async () => {
    expect(statSync(configPath()).mode & 0o077).not.toBe(0);
    await page.getByRole("button", { name: `Fix: ${READABLE}` }).click();
    await page.getByText(/openclaw\.json is closed to other users now/).waitFor();
    await finding(page, READABLE).waitFor({ state: "detached" });
    expect(statSync(configPath()).mode & 0o077).toBe(0);
  });

  test("so is a setting that nobody needs as it is", async () => {
    await page.getByRole("button", { name: `Fix: ${LOGGED}` }).click();
    await page.getByText(/logging\.redactSensitive is taken out of the configuration/).waitFor();
    await finding(page, LOGGED).waitFor({ state: "detached" });
    expect(readFileSync(configPath(), "utf8")).not.toContain("redactSensitive");
  });

  test("a setting that somebody may have wanted is changed only after a yes", async () => {
    const fix = page.getByRole("button", { name: `Fix: ${UNGUARDED}` });
    const question = page.getByRole("dialog", { name: "Change the configuration?" });
    await fix.click();
    await question.getByText("commands.useAccessGroups").waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "hidden" });
    expect(readFileSync(configPath(), "utf8")).toContain("useAccessGroups");
    await fix.click();
    await question.getByRole("button", { name: "Fix", exact: true }).click();
    await page.getByText(/commands\.useAccessGroups is taken out of the configuration/).waitFor();
    await finding(page, UNGUARDED).waitFor({ state: "detached" });
    expect(readFileSync(configPath(), "utf8")).not.toContain("useAccessGroups");
    await expectUsable(page);
    await page.getByRole("button", { name: "Dismiss" }).first().click();
    await page.getByText("What was done").waitFor({ state: "detached" });
  });

  test("what was not done is told, too", async () => {
    await patchConfig(client, { commands: { useAccessGroups: false } });
    await page.getByRole("button", { name: `Fix: ${UNGUARDED}` }).click();
    // Somebody else was faster, while the question stood.
    await client.call("security.fix", { ids: ["commands-unguarded"] });
    await page.getByRole("dialog").getByRole("button", { name: "Fix", exact: true }).click();
    await page.getByText("Not done").waitFor();
    await page.getByText("This is not, or no longer, among the findings.").waitFor();
  });

  test("a deeper look tries the port, and keeps what is known meanwhile", async () => {
    await page.getByRole("button", { name: "Look deeper" }).click();
    await finding(page, FULL).waitFor();
    await page.getByText("The port was tried from outside, too.").waitFor();
    await finding(page, FULL).waitFor();
    await page.getByRole("button", { name: "Look again" }).click();
    await page.getByText("Checked just now").waitFor();
  });

  test("what can keep a sandbox is told, and what is missing for the others", async () => {
    const section = page.getByRole("region", { name: "Sandbox" });
    const { backends } = await client.call("sandbox.status", {});
    for (const { id, check } of backends as Array<{ id: string; check: { kind: string; why?: string } }>) {
      const row = section.getByRole("listitem").filter({ hasText: new RegExp(`^\\s*${id}`, "i") });
      if (check.kind === "ready") await row.getByText(/^(In use|Ready)$/).waitFor();
      else {
        if (isKept) await row.getByText("Cannot be used").click();
        await row.getByText(check.why ?? "").waitFor();
      }
    }
    await section.getByText(isKept ? "On" : "Off", { exact: true }).waitFor();
    await expectUsable(page);
  });

  test("a conversation says where its commands run, and what they see there", async ({ skip }) => {
    skip(!isKept, "this machine cannot keep a sandbox");
    await visit(page, "agent:main:main");
    await chip(page).filter({ hasText: "on this machine" }).click();
    const popover = page.getByRole("dialog", { name: "Where commands run" });
    await popover.getByText("as the gateway's user").waitFor();
    await page.keyboard.press("Escape");
    await popover.waitFor({ state: "hidden" });
    await visit(page, "agent:main:walled");
    await chip(page).filter({ hasText: "sandboxed" }).click();
    await popover.getByText("/workspace", { exact: true }).waitFor();
    expect(await popover.getByRole("definition").allInnerTexts()).toContain("None");
    await expectUsable(page);
    await page.keyboard.press("Escape");
  });

  test("a sandbox that stands is shown, and set up anew when somebody wants it", async ({ skip }) => {
    skip(!isKept, "this machine cannot keep a sandbox");
    stage.model.script.push((speech) => speech.call("exec", { command: "pwd" }), "There.");
    await say(page, "Where are you?");
    await log(page).getByText("There.").waitFor();
    await go(page, "sessions?details=agent:main:walled");
    await page.getByRole("dialog").getByRole("button", { name: "Commands run: sandboxed" }).waitFor();
    await go(page, "security");
    await page.getByText("Can change the workspace").waitFor();
    await expectUsable(page);
    await page.getByRole("button", { name: "Set up anew: Conversations of main" }).click();
    const question = page.getByRole("dialog", { name: "Set up anew?" });
    await question.getByText("Files in workspaces stay").waitFor();
    await question.getByRole("button", { name: "Set up anew" }).click();
    await page.getByText("1 sandbox was taken down.").waitFor();
    await page.getByText("None right now.").waitFor();
  });

  test("the sandbox is tried while the page goes on, and holds", { timeout: 120_000 }, async ({ skip }) => {
    skip(!isKept, "this machine cannot keep a sandbox");
    await page.getByRole("button", { name: "Try to break out" }).click();
    await page.getByText("Trying to break out.").waitFor();
    await page.getByText("What nobody looked at").click();
    await page.getByText("Whether a newer version of Chela exists").waitFor();
    const result = page.getByText(/^\d+ of \d+ attempts were stopped$/);
    await result.waitFor({ timeout: 100_000 });
    const [, held, tried] = /^(\d+) of (\d+)/.exec(await result.innerText()) ?? [];
    expect(Number(tried)).toBeGreaterThan(10);
    expect(held).toBe(tried);
    await page.getByText("The sandbox held.").waitFor();
    await expectUsable(page);
  });

  test("it is told at once when the sandbox is switched off", async ({ skip }) => {
    skip(!isKept, "this machine cannot keep a sandbox");
    await patchConfig(client, { agents: { defaults: { sandbox: { mode: "off" } } } });
    const section = page.getByRole("region", { name: "Sandbox" });
    await section.getByText("Off", { exact: true }).waitFor();
    await visit(page, "agent:main:walled");
    await page.getByRole("button", { name: "Commands run: on this machine" }).waitFor();
    await patchConfig(client, { agents: { defaults: { sandbox: null } } });
    await page.getByRole("button", { name: "Commands run: sandboxed" }).waitFor();
  });

  test("all is well when nothing is weak", async () => {
    await go(page, "security");
    await patchConfig(client, { models: null, tools: null, budgets: [{ scope: "all", period: "day", usd: 5 }] });
    await page.getByText("All well").waitFor();
    await page.getByText("Nothing is weak, as far as was looked.").waitFor();
    await expectUsable(page);
  });

  test("browsers had nothing to complain about", () => {
    expect(stage.complaints).toEqual([]);
  });
});

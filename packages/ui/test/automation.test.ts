// What happens by itself, in a real browser: hooks, webhooks, heartbeats, and the sub-agents of a conversation.
import { createHmac } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { gate, log, say, visit } from "./support/chat.ts";
import type { Speech } from "./support/scripted-server.ts";
import { HAS_BROWSER, Stage } from "./support/stage.ts";
import { findDayAndNight } from "./support/violations.ts";

const GREETER = `---
name: greeter
description: Says a word when a conversation is started anew
metadata:
  openclaw:
    events: [command:new]
---
`;

function writeGreeter(stateDir: string): void {
  const folder = join(stateDir, "workspace", "hooks", "greeter");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "HOOK.md"), GREETER);
  writeFileSync(join(folder, "handler.ts"), "export default () => undefined;\n");
}

async function expectUsable(page: Page): Promise<void> {
  expect(await findDayAndNight(page)).toEqual([]);
}

describe.skipIf(!HAS_BROWSER)("automation", () => {
  let stage: Stage;
  beforeAll(async () => {
    const defaults = { model: "scripted/test", heartbeat: { every: "1s" }, subagents: { maxSpawnDepth: 2 } };
    stage = await Stage.open({ agents: { defaults } }, writeGreeter);
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());
  beforeEach(() => {
    stage.model.script.length = 0;
  });

  test("a hook that is included is switched on, and runs", async () => {
    const page = await stage.page({ at: "#/automation/hooks" });
    const toggle = page.getByRole("switch", { name: "Enable command-logger" });
    expect(await toggle.isChecked()).toBe(false);
    await toggle.click();
    await page.getByText("command-logger is on.").waitFor();
    await page.reload();
    await expect.poll(() => toggle.isChecked()).toBe(true);
    await (await stage.client()).chat("/new", { sessionKey: "agent:main:logged" });
    await expect.poll(() => existsSync(join(stage.household.stateDir, "logs", "commands.log"))).toBe(true);
    await expectUsable(page);
  });

  test("a hook in a workspace is switched on after a warning, and is off when its files change", async () => {
    const page = await stage.page({ at: "#/automation/hooks" });
    const toggle = page.getByRole("switch", { name: "Enable greeter" });
    await toggle.click();
    const question = page.getByRole("dialog", { name: "Enable greeter?" });
    await question.getByText("with all the rights of the gateway").waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect.poll(() => toggle.isChecked()).toBe(false);
    await toggle.click();
    await question.getByRole("button", { name: "Enable", exact: true }).click();
    await page.getByText("greeter is on.").waitFor();
    appendFileSync(join(stage.household.stateDir, "workspace", "hooks", "greeter", "handler.ts"), "// more\n");
    await page.reload();
    await page.getByText("Changed since enabled").waitFor();
    expect(await toggle.isChecked()).toBe(false);
    await page.getByRole("button", { name: "Enable again" }).waitFor();
    await expectUsable(page);
  });

  test("webhooks are switched on, a sender is added and tried, and what it sends is carried out", async () => {
    const page = await stage.page({ at: "#/automation/webhooks" });
    await page.getByRole("heading", { name: "Webhooks are off" }).waitFor();
    await page.getByRole("button", { name: "Switch on" }).click();
    const shown = page.getByRole("dialog", { name: "The token for webhooks" });
    const token = await shown.getByRole("textbox", { name: "Token" }).inputValue();
    await shown.getByRole("button", { name: "I have it" }).click();
    // Nothing is said, so nothing happens; who has no token does not get that far.
    const wake = (bearer: string): Promise<Response> =>
      post(`${stage.url}hooks/wake`, "{}", { authorization: `Bearer ${bearer}` });
    expect([(await wake(token)).status, (await wake("wrong")).status]).toEqual([400, 401]);

    await page.getByRole("button", { name: "Add a mapping" }).click();
    const form = page.getByRole("dialog", { name: "Add a mapping" });
    const address = await form.getByRole("textbox", { name: "Address" }).inputValue();
    const secret = await form.getByRole("textbox", { name: "Secret" }).inputValue();
    expect(address).toBe(`${stage.url}hooks/github`);
    await form.getByRole("textbox", { name: "What the agent shall do with it" }).fill("Tell me about it.");
    await form.getByRole("button", { name: "Add", exact: true }).click();

    const row = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "GitHub" }) });
    await row.getByText("Signed: GitHub").waitFor();
    await row.getByRole("button", { name: "Try it: GitHub" }).click();
    await page.getByRole("button", { name: "Try", exact: true }).click();
    await page.getByText("An agent gets work").waitFor();
    const message = page.locator(".automation-message");
    expect(await message.innerText()).toMatch(/^Tell me about it\.[^]*Issue #42: Login fails after the update/);
    await expectUsable(page);

    stage.model.script.push("An issue was opened.");
    const body = JSON.stringify({ action: "opened", issue: { number: 7, title: "It rains" } });
    const signature = createHmac("sha256", secret).update(body).digest("hex");
    const answer = await post(address, body, {
      "x-github-event": "issues",
      "x-github-delivery": "d-1",
      "x-hub-signature-256": `sha256=${signature}`,
    });
    expect(answer.status).toBe(200);
    const request = page.getByRole("row").filter({ hasText: "GitHub" });
    await request.getByText("carried out", { exact: true }).waitFor();
    await request.getByText("delivered", { exact: true }).waitFor();
    await expectUsable(page);
    await visit(page, "agent:main:main");
    await log(page).getByText("An issue was opened.").waitFor();
  });

  test("a heartbeat is skipped while there is nothing to do, and an agent that is woken answers", async () => {
    const page = await stage.page({ at: "#/automation" });
    const card = page.getByRole("article", { name: "main" });
    await card.getByText(/^Skipped: /).waitFor();
    const asked = stage.model.requests.length;
    await page.getByRole("button", { name: "Wake main" }).click();
    const form = page.getByRole("dialog", { name: "Wake main" });
    await form.getByRole("textbox", { name: "What happened" }).fill("The kettle boils.");
    await expectUsable(page);
    stage.model.script.push("Your tea is ready to be made.");
    await form.getByRole("button", { name: "Tell" }).click();
    await page.getByText("The agent is woken.").waitFor();
    await card.getByText("Last asked a model").waitFor();
    expect(stage.model.requests.slice(asked).join("")).toContain("The kettle boils.");
    await page.getByRole("switch", { name: "Heartbeats" }).click();
    await page.getByText("Heartbeats are off until the gateway starts again.").waitFor();
    await card.getByText("Off", { exact: true }).waitFor();
    await expectUsable(page);
    await visit(page, "agent:main:main");
    await log(page).getByText("Your tea is ready to be made.").waitFor();
  });

  test("the sub-agents of a conversation are seen, spoken to and stopped", async () => {
    const page = await stage.page({ at: "#/chat/agent:main:trip" });
    const [trains, hotels] = [gate(), gate()];
    const answer = (speech: Speech): void | Promise<void> => {
      const { asked } = speech;
      if (asked.includes("Plan a trip")) return asParent(speech);
      if (asked.includes("Look for hotels")) return hotels.opened;
      if (asked.includes("by bus, too")) return speech.say("Trains and buses.");
      return trains.opened.then(() => speech.call("session_status", {}));
    };
    stage.model.script.push(...Array.from({ length: 12 }, () => answer));
    await say(page, "Plan a trip");
    await log(page).getByText("Others look into it.").waitFor();
    const panel = page.getByRole("region", { name: "Sub-agents" });
    await panel.getByRole("button", { name: "2 sub-agents at work" }).click();
    await panel
      .getByText(/^At work · /)
      .first()
      .waitFor();
    await expectUsable(page);

    await panel.getByRole("button", { name: "Say something to Trains" }).click();
    const words = panel.getByRole("textbox", { name: "Say something to Trains" });
    await words.fill("Look how to go by bus, too");
    await words.press("Enter");
    await page.getByText("Said.").waitFor();
    trains.open();
    await rowOf(panel, "Trains")
      .getByText(/^Done · /)
      .waitFor();

    await panel.getByRole("button", { name: "Stop Hotels" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Stop", exact: true }).click();
    await rowOf(panel, "Hotels")
      .getByText(/^Stopped · /)
      .waitFor();
    await panel.getByRole("button", { name: "2 sub-agents done" }).waitFor();
    await log(page).getByText("Here is what they found.").waitFor();
    hotels.open();

    await panel.getByRole("link", { name: "Trains" }).click();
    await log(page).getByText("Trains and buses.").waitFor();
    await page.locator("main header").getByRole("link", { name: "trip", exact: true }).click();
    await log(page).getByText("Others look into it.").waitFor();
    await page.evaluate(() => void (location.hash = "#/sessions"));
    await page.getByRole("link", { name: "Sub-agent: Trains" }).waitFor();
  });

  test("browsers had nothing to complain about", () => {
    expect(stage.complaints).toEqual([]);
  });
});

function rowOf(panel: Locator, name: string): Locator {
  return panel.getByRole("listitem").filter({ has: panel.page().getByRole("link", { name, exact: true }) });
}

function asParent(speech: Speech): void {
  const { messages } = JSON.parse(speech.asked) as { messages: Array<{ role: string; content: unknown }> };
  if (JSON.stringify(messages.at(-1)).includes("[System Message]")) return speech.say("Here is what they found.");
  if (messages.at(-1)?.role === "tool") return speech.say("Others look into it.");
  speech.call("sessions_spawn", { task: "Find out about trains", label: "Trains" });
  speech.call("sessions_spawn", { task: "Look for hotels", label: "Hotels" });
}

function post(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(url, { method: "POST", body, headers: { "content-type": "application/json", ...headers } });
}

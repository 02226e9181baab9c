// Devices at the page: a phone is paired by the code that is shown, offers more, is asked something, and is sent away again.
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createTestDevice, WireClient, type TestDevice } from "../../gateway/test/support/wire-client.ts";
import { HAS_BROWSER, Stage, TOKEN } from "./support/stage.ts";
import { findViolations } from "./support/violations.ts";

/** As a phone that comes over a proxy, and not from the gateway's own machine. */
const AWAY = { "x-forwarded-for": "203.0.113.9" };
const ADDRESS = "wss://claw.example";
const PHONE = { id: "openclaw-ios", mode: "ui", platform: "ios" };

interface Secret {
  readonly bootstrapToken?: string;
  readonly deviceToken?: string;
}

describe.skipIf(!HAS_BROWSER)("devices", () => {
  let stage: Stage;
  let page: Page;
  const arrived: WireClient[] = [];
  beforeAll(async () => {
    stage = await Stage.open();
    page = await stage.page({ at: "#/devices" });
  });
  afterEach(async () => {
    for (const client of arrived.splice(0)) client.terminate();
    // A test that failed may have left a window open.
    await page.reload();
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());

  async function come(device: TestDevice, secret: Secret, commands?: readonly string[]): Promise<WireClient> {
    const asNode = { role: "node", scopes: [], caps: [], client: { id: "node-host", mode: "node", platform: "ios" } };
    const asOperator = { client: PHONE, scopes: ["operator.read", "operator.write", "operator.admin"] };
    const client = new WireClient({
      url: `ws://127.0.0.1:${stage.port}`,
      device,
      headers: AWAY,
      ...(commands ? asNode : asOperator),
      ...secret,
    });
    arrived.push(client);
    const { ok, error } = await client.tryConnect((params) => ({ ...params, ...(commands ? { commands } : {}) }));
    expect([ok, error]).toEqual([true, undefined]);
    return client;
  }

  /** Makes a code at the page; what is in it. */
  async function makeCode(at: Page, name?: string): Promise<{ url: string; bootstrapToken: string }> {
    await at.getByRole("button", { name: "Pair a phone" }).click();
    const dialog = at.getByRole("dialog", { name: "Pair a phone" });
    await dialog.getByRole("alert").waitFor();
    await dialog.getByLabel("Address the phone uses").fill(ADDRESS);
    if (name) await dialog.getByRole("textbox", { name: "Name", exact: true }).fill(name);
    await dialog.getByRole("button", { name: "Make a new code" }).click();
    await dialog.getByRole("img", { name: /setup code/ }).waitFor();
    const code = await dialog.getByRole("textbox", { name: "Setup code" }).inputValue();
    return JSON.parse(Buffer.from(code, "base64url").toString()) as { url: string; bootstrapToken: string };
  }

  const rowOf = (name: string): Locator =>
    page.locator(".devices-device").filter({ has: page.getByRole("button", { name: `More about ${name}` }) });

  async function choose(name: string, action: string): Promise<void> {
    await page.getByRole("button", { name: `More about ${name}` }).click();
    await page.getByRole("menuitem", { name: action }).click();
  }

  test("a phone is paired by the code on the page, and its connection ends when it is signed out", async () => {
    await page.getByRole("button", { name: "Pair a phone" }).click();
    const dialog = page.getByRole("dialog", { name: "Pair a phone" });
    // Nobody reaches a gateway that listens on its own machine only; the page says so, and what to do.
    await dialog.getByText("The gateway listens on this machine only").waitFor();
    await dialog.getByText("Set gateway.bind to tailnet").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");

    const { url, bootstrapToken } = await makeCode(page);
    expect(url).toBe(ADDRESS);
    await dialog.getByText(ADDRESS).waitFor();
    expect(await dialog.getByRole("timer").innerText()).toMatch(/ (?:10:00|9:\d\d) /);
    await dialog.getByText("Not: change settings, or let other devices in").waitFor();
    expect(await findViolations(page)).toEqual([]);
    // Neither the address nor what the browser keeps has a word of it.
    const kept = await page.evaluate(() => location.href + JSON.stringify({ ...localStorage, ...sessionStorage }));
    expect(kept).not.toContain(bootstrapToken);

    const device = createTestDevice();
    const phone = await come(device, { bootstrapToken });
    expect(phone.hello.auth.scopes).toEqual(["operator.read", "operator.write"]);
    await dialog.getByRole("heading", { name: /^Paired: / }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Done" }).click();

    const row = rowOf("Unnamed device").filter({ hasText: device.id.slice(0, 8) });
    await row.getByText("Connected", { exact: true }).waitFor();
    await row.getByText("Read and write conversations").waitFor();
    await row.getByRole("button").click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    const question = page.getByRole("dialog", { name: "Sign Unnamed device out?" });
    await question.getByRole("button", { name: "Sign out" }).click();
    expect(await phone.closed).toEqual({ code: 1008, reason: "device access was revoked" });
    await row.getByText("Signed out").waitFor();
    await row.getByText("Connected", { exact: true }).waitFor({ state: "detached" });
  });

  test("a code that nobody used gets too old, and a new one is another", async () => {
    // A page of its own, since its clock is set.
    const other = await stage.page({ at: "#/devices" });
    const { bootstrapToken } = await makeCode(other);
    const dialog = other.getByRole("dialog", { name: "Pair a phone" });
    await other.clock.setFixedTime(Date.now() + 11 * 60_000);
    await dialog.getByText("This code is too old.").waitFor();
    expect(await dialog.getByRole("img").count()).toBe(0);
    await other.clock.setFixedTime(Date.now());
    await dialog.getByRole("button", { name: "Make a new code" }).click();
    const code = await dialog.getByRole("textbox", { name: "Setup code" }).inputValue();
    expect(Buffer.from(code, "base64url").toString()).not.toContain(bootstrapToken);
  });

  test("what a phone offers agents later waits for a yes, and what is new stands out", async () => {
    const admin = await stage.client();
    const { bootstrapToken } = await makeCode(page, "Ada’s phone");
    const device = createTestDevice();
    const before = ["location.get", "device.status", "system.notify"];
    const first = await come(device, { bootstrapToken }, before);
    await page.getByRole("heading", { name: "Paired: Ada’s phone" }).waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    await rowOf("Ada’s phone").getByText("Tell where it is").waitFor();
    await first.close();

    const deviceToken = String(first.hello.auth.deviceToken);
    const phone = await come(device, { deviceToken }, [...before, "system.run", "camera.list"]);
    await page.evaluate(() => void (location.hash = "#/overview"));
    const need = page.getByRole("article").filter({ hasText: "Ada’s phone offers agents something new" });
    await need.getByRole("link", { name: "Look at it" }).click();
    const card = page.getByRole("article", { name: "Ada’s phone offers more" });
    const added = card.locator(".devices-abilities li");
    await expect.poll(() => added.allInnerTexts()).toHaveLength(2);
    expect((await added.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "))).toEqual([
      "Run programs Powerful system.run",
      "List its cameras camera.list",
    ]);
    await card.getByText("Tell where it is · Tell how it is · Show notifications").waitFor();
    await rowOf("Ada’s phone").getByText("Asks for more").waitFor();
    expect(await findViolations(page)).toEqual([]);

    const offered = async (): Promise<string[]> => (await admin.call("node.describe", { nodeId: device.id })).commands;
    await card.getByRole("button", { name: "Allow: Ada’s phone", exact: true }).click();
    const question = page.getByRole("dialog", { name: "Give agents this power over Ada’s phone?" });
    await question.getByText("Run programs").waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    expect(await offered()).toEqual(before);
    await card.getByRole("button", { name: "Allow: Ada’s phone", exact: true }).click();
    await question.getByRole("button", { name: "Allow" }).click();
    await card.waitFor({ state: "detached" });
    expect(await offered()).toContain("camera.list");

    await choose("Ada’s phone", "Show a notification on it");
    const { payload } = await phone.untilEvent("node.invoke.request");
    expect(payload).toMatchObject({
      command: "system.notify",
      paramsJSON: expect.stringContaining("Hello from Chela"),
    });
    await phone.call("node.invoke.result", { id: payload.id, nodeId: device.id, ok: true });
    await page.getByText("Ada’s phone was asked to show a notification.").waitFor();

    await choose("Ada’s phone", "Rename");
    await page.getByRole("dialog", { name: "Rename" }).getByLabel("Name").fill("Kitchen");
    await page.keyboard.press("Enter");
    await rowOf("Kitchen").waitFor();

    await choose("Kitchen", "Take back what it may do for agents");
    await page.getByRole("dialog").getByRole("button", { name: "Take back what it may do for agents" }).click();
    await expect.poll(offered).toEqual([]);

    const closed = phone.closed;
    await choose("Ada’s phone", "Remove");
    await page.getByRole("dialog", { name: "Remove Ada’s phone?" }).getByRole("button", { name: "Remove" }).click();
    expect((await closed).code).toBe(1008);
    await rowOf("Ada’s phone").waitFor({ state: "detached" });
  });

  test("a device that asks to be let in shows what it would do for agents", async () => {
    const stranger = new WireClient({
      url: `ws://127.0.0.1:${stage.port}`,
      headers: AWAY,
      token: TOKEN,
      role: "node",
      scopes: [],
      caps: [],
      client: { id: "node-host", mode: "node", platform: "linux", displayName: "Workshop" },
    });
    arrived.push(stranger);
    await stranger.tryConnect((params) => ({ ...params, commands: ["system.run", "door.open"] }));
    const card = page.getByRole("article", { name: "Workshop" });
    await card.getByText("Run programs").waitFor();
    await card.getByText("door.open").waitFor();
    await card.getByRole("button", { name: "Turn away: Workshop" }).click();
    await card.waitFor({ state: "detached" });
    expect((await (await stage.client()).call("device.pair.list")).pending).toEqual([]);
  });

  test("nothing was complained about", () => {
    expect(stage.complaints).toEqual([]);
  });
});

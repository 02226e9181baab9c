// Keys and tokens in a real browser: added, checked, replaced, moved and removed, and never to be read anywhere again.
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { HAS_BROWSER, Stage } from "./support/stage.ts";
import { findDayAndNight } from "./support/violations.ts";

const GOOD = "sk-good-7c2f9b1d4e8a6035";
const WRONG = "sk-wrong-1a2b3c4d5e6f7081";
/** Written into the configuration by hand. */
const PLAIN = "sk-plain-5566778899aabbcc";

interface Service extends AsyncDisposable {
  readonly baseUrl: string;
  /** What was presented so far. */
  readonly seen: readonly string[];
}

/** A provider of models that takes one key only. */
async function startService(): Promise<Service> {
  const seen: string[] = [];
  const server = createServer(({ headers }, response) => {
    const key = headers.authorization?.replace(/^Bearer /, "") ?? "";
    seen.push(key);
    response.statusCode = key === GOOD ? 200 : 401;
    response.end(JSON.stringify(key === GOOD ? { data: [{ id: "one" }] } : { error: { message: "no" } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** As somebody with an editor does. */
function writeProvider(stateDir: string, guarded: object): void {
  const path = join(stateDir, "openclaw.json");
  const config = JSON.parse(readFileSync(path, "utf8")) as { models: { providers: Record<string, object> } };
  config.models.providers["guarded"] = guarded;
  writeFileSync(path, JSON.stringify(config));
}

/** Everything a browser heard, said and kept. */
class Witness {
  readonly sent: string[] = [];
  readonly told: string[] = [];

  constructor(browser: BrowserContext) {
    browser.on("console", (message) => this.told.push(message.text()));
    browser.on("request", (request) => this.told.push(request.url(), request.postData() ?? ""));
    browser.on("page", (page) => {
      page.on("framenavigated", (frame) => this.told.push(frame.url()));
      page.on("websocket", (socket) => {
        socket.on("framesent", ({ payload }) => this.sent.push(String(payload)));
        socket.on("framereceived", ({ payload }) => this.told.push(String(payload)));
      });
    });
  }
}

/** The page as it is: its elements, what stands in its fields, its address, and what it keeps. */
function everythingOn(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const fields = [...document.querySelectorAll<HTMLInputElement>("input, textarea, select")];
    const kept: unknown[] = [{ ...localStorage }, { ...sessionStorage }];
    for (const { name = "", version } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name, version);
        opening.addEventListener("success", () => resolve(opening.result));
        opening.addEventListener("error", () => reject(opening.error ?? new Error(name)));
      });
      for (const store of database.objectStoreNames) {
        const reading = database.transaction(store).objectStore(store).getAll();
        await new Promise((resolve) => reading.addEventListener("success", resolve));
        kept.push(reading.result);
      }
      database.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        kept.push(request.url, await (await cache.match(request))?.text());
      }
    }
    return [
      location.href,
      document.documentElement.outerHTML,
      ...fields.map(({ value }) => value),
      JSON.stringify(kept),
      JSON.stringify(history.state),
    ].join("\n");
  });
}

/** Looks at all again when one was replaced meanwhile: the gateway writes whole files beside the old ones. */
function filesWith(text: string, directory: string): string[] {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => readFileSync(path).includes(text));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return filesWith(text, directory);
    throw error;
  }
}

const card = (page: Page, id: string): Locator =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: id, exact: true }) });
const add = (page: Page): Locator => page.getByRole("dialog", { name: "Add a credential" });

async function choose(page: Page, id: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `More about ${id}`, exact: true }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

async function expectUsable(page: Page): Promise<void> {
  expect(await findDayAndNight(page)).toEqual([]);
}

/** What one credential makes possible, what waits for another, and the way to where it is looked after. */
const LANGUAGES = [
  ["en-US", "Makes possible", "Models of guarded", "2 things wait for a credential", "Channel telegram (default)"],
  ["de-DE", "Ermöglicht", "Modelle von guarded", "2 Dingen fehlen Zugangsdaten", "Kanal telegram (default)"],
  ["es-ES", "Hace posible", "Modelos de guarded", "2 cosas esperan una credencial", "Canal telegram (default)"],
  ["zh-CN", "可用于", "guarded 的模型", "2 项功能缺少凭据", "渠道 telegram (default)"],
] as const;

describe.skipIf(!HAS_BROWSER)("what credentials make possible", () => {
  let stage: Stage;
  beforeAll(async () => {
    const agents = { defaults: { model: { primary: "scripted/test", fallbacks: ["groq/openai/gpt-oss-120b"] } } };
    stage = await Stage.open({ channels: { telegram: { enabled: true } }, agents }, (stateDir) =>
      writeProvider(stateDir, {
        baseUrl: "http://127.0.0.1:9/v1",
        models: [{ id: "one", name: "One" }],
      }),
    );
    const client = await stage.client();
    await client.call("credentials.add", { id: "team", service: "guarded", value: GOOD });
    const { hash } = (await client.call("config.get", {})) as { hash: string };
    const raw = JSON.stringify({ models: { providers: { guarded: { apiKey: "vault:team" } } } });
    await client.call("config.patch", { baseHash: hash, raw });
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());

  test.each(LANGUAGES)("is told in %s, with what waits for one", async (locale, makes, models, waiting, channel) => {
    const page = await stage.page({ locale, at: "#/credentials", isStill: true });
    const facts = card(page, "team").locator("dl");
    await facts.getByText(makes, { exact: true }).waitFor();
    await facts.getByText(models, { exact: true }).waitFor();
    await page.getByRole("heading", { name: waiting }).waitFor();
    const needs = page.locator(".credentials-waiting li");
    await needs
      .filter({ hasText: "groq/openai/gpt-oss-120b" })
      .getByText("chela models auth add --provider groq")
      .waitFor();
    await needs.getByRole("link", { name: channel }).click();
    await expect.poll(() => page.url()).toContain("#/channels?channel=telegram");
    expect(await everythingOn(page)).not.toContain(GOOD);
  });

  test("can be read by day and by night, and on a phone", async () => {
    const page = await stage.page({ at: "#/credentials", isStill: true });
    await page.locator(".credentials-waiting").waitFor();
    await expectUsable(page);
    const narrow = await stage.page({ width: 360, height: 740, at: "#/credentials", isStill: true });
    await narrow.locator(".credentials-waiting").waitFor();
    expect(await narrow.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  });
});

describe.skipIf(!HAS_BROWSER)("the page of keys and tokens", () => {
  let service: Service;
  let stage: Stage;
  let witness: Witness;
  let page: Page;
  beforeAll(async () => {
    service = await startService();
    const guarded = { baseUrl: service.baseUrl, api: "openai-completions", models: [{ id: "one", name: "One" }] };
    stage = await Stage.open({}, (stateDir) => writeProvider(stateDir, { ...guarded, apiKey: PLAIN }));
  });
  afterAll(async () => {
    await stage?.[Symbol.asyncDispose]();
    await service?.[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    const browser = await stage.browser();
    witness = new Witness(browser);
    page = await stage.enter(browser, "#/credentials");
    await page.getByRole("heading", { name: "Credentials", level: 1 }).waitFor();
  });

  /** The place that used it needs another one now, or none. */
  async function forgetKey(): Promise<void> {
    const client = await stage.client();
    const { hash } = (await client.call("config.get", {})) as { hash: string };
    const raw = JSON.stringify({ models: { providers: { guarded: { apiKey: null } } } });
    await client.call("config.patch", { baseHash: hash, raw });
  }

  test("an empty vault says what it is, and what lies outside is moved into it", async () => {
    await page.getByRole("heading", { name: "The vault is empty" }).waitFor();
    const path = join(stage.household.stateDir, "openclaw.json");
    expect(readFileSync(path, "utf8")).toContain(PLAIN);
    await page.getByRole("heading", { name: "2 secrets lie on the disk in plain text" }).waitFor();
    await page.getByText("Where they lie").click();
    await page.getByText("models.providers.guarded.apiKey").waitFor();
    await expectUsable(page);

    await page.getByRole("button", { name: "Move into the vault" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Move into the vault" }).click();
    await page.getByText("2 secrets are in the vault now.").waitFor();
    const moved = card(page, "config/models.providers.guarded.apiKey");
    await moved.getByRole("link", { name: "models.providers.guarded.apiKey" }).waitFor();
    await moved.getByText("Not checked", { exact: true }).waitFor();
    expect(await page.getByText("in plain text").count()).toBe(0);
    expect(readFileSync(path, "utf8")).toContain("vault:config/models.providers.guarded.apiKey");
    expect(filesWith(PLAIN, stage.household.stateDir)).toEqual([]);
    expect(await everythingOn(page)).not.toContain(PLAIN);
    await expectUsable(page);

    stage.model.script.push("I still answer.");
    const answer = await (await stage.client()).chat("Still there?", { sessionKey: "agent:main:moved" });
    expect(JSON.stringify(answer)).toContain("I still answer.");
  });

  test("one that is used is removed only after whoever uses it was named", async () => {
    const id = "config/models.providers.guarded.apiKey";
    await choose(page, id, "Remove");
    const question = page.getByRole("dialog", { name: `Remove ${id}?` });
    await question.getByText(/Still used by models\.providers\.guarded\.apiKey\. That stops working\./).waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    expect(await card(page, id).count()).toBe(1);
    await choose(page, id, "Remove");
    await question.getByRole("button", { name: "Remove" }).click();
    await page.getByText(`${id} was removed.`).waitFor();
    await expect.poll(() => card(page, id).count()).toBe(0);
    await forgetKey();
  });

  test("a key is added and checked, replaced when it is refused, and never seen again", async () => {
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await add(page).getByRole("combobox", { name: "Service" }).selectOption("guarded");
    await add(page).getByLabel("Account").fill("Work");
    const value = add(page).getByLabel("Key or token");
    expect(await value.getAttribute("type")).toBe("password");
    await value.fill(WRONG);
    await expectUsable(page);
    await add(page).getByRole("button", { name: "Keep and check" }).click();
    const kept = card(page, "guarded/work");
    await kept.getByText("Refused", { exact: true }).waitFor();
    await kept.getByText("guarded answered 401").waitFor();
    expect(service.seen).toContain(WRONG);
    expect(await add(page).count()).toBe(0);

    await choose(page, "guarded/work", "Replace…");
    const replacing = page.getByRole("dialog", { name: "Replace guarded/work" });
    await replacing.getByLabel("Key or token").fill(GOOD);
    await replacing.getByRole("button", { name: "Replace" }).click();
    await kept.getByText("Works", { exact: true }).waitFor();
    await kept.getByText("guarded · Work").waitFor();
    await kept.getByText(new URL(service.baseUrl).origin).waitFor();
    await expectUsable(page);

    await page.getByRole("button", { name: "Check guarded/work" }).click();
    await page.getByText("guarded/work works.").first().waitFor();
    // What the first check said may still stand there.
    await expect.poll(() => service.seen.filter((key) => key === GOOD).length).toBeGreaterThanOrEqual(2);
    for (const secret of [WRONG, GOOD]) {
      expect(witness.sent.filter((frame) => frame.includes(secret)).length).toBe(1);
      expect(witness.told.filter((heard) => heard.includes(secret))).toEqual([]);
      expect(await everythingOn(page)).not.toContain(secret);
      expect(filesWith(secret, stage.household.stateDir)).toEqual([]);
    }
    await choose(page, "guarded/work", "What happened with it");
    await page.locator(".audit-row").filter({ hasText: "guarded/work" }).first().waitFor();
    expect(await everythingOn(page)).not.toContain(GOOD);
  });

  test("a name that is there already is replaced knowingly", async () => {
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await add(page).getByRole("combobox", { name: "Service" }).selectOption("guarded");
    await add(page).getByLabel("Name in the vault").fill("guarded/work");
    await add(page).getByText("There is one of this name. It is replaced.").waitFor();
    await add(page).getByRole("button", { name: "Replace" }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => add(page).count()).toBe(0);
  });

  test("one may point to a file; a file that others can read is refused, and what was typed stays", async () => {
    const path = join(stage.household.stateDir, "key-of-guarded");
    writeFileSync(path, `${GOOD}\n`, { mode: 0o644 });
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await add(page).getByRole("combobox", { name: "Service" }).selectOption("guarded");
    await add(page).getByRole("radio", { name: "In a file" }).check();
    await add(page).getByLabel("Path of the file").fill(path);
    await add(page).getByRole("button", { name: "Keep and check" }).click();
    await page.getByText(/chmod 600 makes it private/).waitFor();
    expect(await add(page).getByLabel("Path of the file").inputValue()).toBe(path);
    chmodSync(path, 0o600);
    await add(page).getByRole("button", { name: "Keep and check" }).click();
    const kept = card(page, "guarded");
    await kept.getByText("Works", { exact: true }).waitFor();
    await kept.getByText(path).waitFor();
    expect(await everythingOn(page)).not.toContain(GOOD);
    await choose(page, "guarded", "Remove");
    const question = page.getByRole("dialog", { name: "Remove guarded?" });
    await question.getByText("The secret itself stays where it lies.").waitFor();
    await question.getByRole("button", { name: "Remove" }).click();
    await expect.poll(() => card(page, "guarded").count()).toBe(0);
  });

  test("something that nobody can ask says so in its place", async () => {
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await add(page).getByRole("combobox", { name: "Service" }).selectOption({ label: "Something else" });
    await add(page).getByLabel("Name of the service").fill("weather");
    await add(page).getByLabel("Key or token").fill("w-0123456789");
    await add(page).getByRole("button", { name: "Keep", exact: true }).click();
    const kept = card(page, "weather");
    await kept.getByText(/^Could not be checked: nobody knows how to ask/).waitFor();
    await kept.getByText("Not checked", { exact: true }).waitFor();
    await kept.getByText("any address").waitFor();
  });

  test("all values get a new key after a yes, and work as before", async () => {
    await page.getByRole("button", { name: "New key for the vault" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Make a new key" }).click();
    await page.getByText(/^3 values are closed with a new key\.$/).waitFor();
    await page.getByRole("button", { name: "Check guarded/work" }).click();
    await page.getByText("guarded/work works.").waitFor();
  });

  test("browsers had nothing to complain about", () => {
    expect(stage.complaints).toEqual([]);
  });
});

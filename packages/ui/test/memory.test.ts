// Memory at the page: notes that are written and found, what was learned and forgotten, and an index that is made anew.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { WireClient } from "../../gateway/test/support/wire-client.ts";
import { HAS_BROWSER, Stage } from "./support/stage.ts";
import { findViolations } from "./support/violations.ts";

const CHAT = "agent:main:main";
/** Enough to be seen while they are read. */
const MANY_NOTES = 400;

describe.skipIf(!HAS_BROWSER)("memory", () => {
  let stage: Stage;
  let admin: WireClient;
  let page: Page;
  beforeAll(async () => {
    stage = await Stage.open({
      memory: { learning: { model: "scripted/test" } },
      agents: {
        // Found by words alone, so that nothing depends on how fast a model is.
        defaults: {
          model: "scripted/test",
          sandbox: { mode: "off" },
          memorySearch: { store: { vector: { enabled: false } } },
        },
        list: [
          { id: "main", default: true, identity: { name: "Chela" } },
          { id: "scout", identity: { name: "Scout" }, memorySearch: { enabled: false } },
        ],
      },
    });
    admin = await stage.client();
    page = await stage.page({ at: "#/memory" });
  });
  beforeEach(async () => {
    const { notes } = await admin.call("memory.notes.list");
    for (const { path } of notes as Array<{ path: string }>) await admin.call("memory.notes.delete", { path });
    // A test that failed may have left a window open, or a text that is not saved.
    page.removeAllListeners("dialog");
    page.on("dialog", (dialog) => void dialog.accept());
    await page.reload();
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());

  const go = (route: string): Promise<void> =>
    page.evaluate((fragment) => void (location.hash = fragment), `#/memory${route}`);
  const textOf = async (path: string): Promise<string> => (await admin.call("memory.notes.get", { path })).text;
  const write = (path: string, text: string): Promise<unknown> => admin.call("memory.notes.set", { path, text });
  const editor = (path: string): Locator => page.getByRole("textbox", { name: `Text of ${path}` });
  const search = (): Locator => page.getByRole("searchbox", { name: "Search what is remembered" });
  const hits = (): Locator => page.getByRole("list", { name: "Found" }).getByRole("listitem");

  async function answer(question: string, yes: string): Promise<void> {
    const dialog = page.getByRole("dialog", { name: question });
    await dialog.getByRole("button", { name: yes, exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
  }

  test("a newcomer writes the first note, and finds it at once", async () => {
    await go("");
    await page.getByText("There are no notes yet. Write one").waitFor();
    await page.getByRole("link", { name: "Go to the notes" }).click();
    await page.getByRole("heading", { name: "No notes yet" }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "New note" }).click();
    const naming = page.getByRole("dialog", { name: "New note" });
    await naming.getByLabel("Name").fill("…");
    await naming.getByRole("button", { name: "Save" }).click();
    await naming.getByRole("alert").getByText("A name needs a letter or a digit.").waitFor();
    await naming.getByLabel("Name").fill("Garden plans");
    await naming.getByRole("button", { name: "Save" }).click();
    await editor("memory/garden-plans.md").getByText("# Garden plans").waitFor();

    // The keyboard is where the text goes on.
    await expect.poll(() => editor("memory/garden-plans.md").evaluate((box) => box.matches(":focus"))).toBe(true);
    await page.keyboard.type("The tomatoes go out in the middle of May.");
    await page.keyboard.press("Control+s");
    await page.getByText("memory/garden-plans.md is saved.").waitFor();
    expect(await textOf("memory/garden-plans.md")).toBe("# Garden plans\n\nThe tomatoes go out in the middle of May.");

    await page.getByRole("link", { name: "Search", exact: true }).click();
    await search().fill("when do the TOMATOES go out");
    await expect.poll(() => hits().count()).toBe(1);
    expect(await hits().locator("mark").allInnerTexts()).toEqual(["tomatoes", "go"]);
    await hits().getByText("memory/garden-plans.md").waitFor();
    await hits()
      .getByText(/^Words \d+%$/)
      .waitFor();
    await hits()
      .getByText(/^\d+% match$/)
      .waitFor();
    await page.getByText("Found by words alone.").waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  test("a name that is taken is refused, and what was found leads to its line", async () => {
    const lines = Array.from({ length: 60 }, (_, at) => `## Part ${at}\n\nThis is about number ${at}.\n`);
    await write("memory/long.md", `${lines.join("\n")}\n## Boat\n\nThe mooring is paid until April.\n`);
    await go("/notes");
    await page.getByRole("button", { name: "New note" }).click();
    const naming = page.getByRole("dialog", { name: "New note" });
    await naming.getByLabel("Name").fill("Long");
    await naming.getByRole("button", { name: "Save" }).click();
    await naming.getByText("There is a note memory/long.md already.").waitFor();
    await page.keyboard.press("Escape");

    await go("?q=mooring");
    await hits().first().getByRole("link").click();
    const boat = editor("memory/long.md").getByText("The mooring is paid until April.");
    await expect.poll(async () => (await boat.boundingBox())?.y ?? -1).toBeGreaterThan(0);
    expect(page.url()).toMatch(/memory\/notes\/memory%2Flong\.md\?line=\d+/);
  });

  test("what somebody else wrote meanwhile is told, and no text is lost", async () => {
    const path = "memory/shared.md";
    await write(path, "One\n");
    await go(`/notes/${encodeURIComponent(path)}`);
    await editor(path).getByText("One").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("Mine");
    // Written past the gateway, which may see it before the page saves, and tell it, or not.
    writeFileSync(join(stage.household.stateDir, "workspace", path), "One\nTheirs\n");
    await page.keyboard.press("Control+s");
    await page.getByText("This note was changed meanwhile").waitFor();
    expect(await textOf(path)).toBe("One\nTheirs\n");
    expect(await page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    await editor(path).getByText("Mine").waitFor();
    await page.getByRole("button", { name: "Compare" }).click();
    const comparison = page.getByRole("dialog", { name: "Their text and yours" });
    await comparison.getByText("Theirs").waitFor();
    await comparison.getByText("Mine").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");

    // Looking elsewhere costs nothing.
    await page.getByRole("link", { name: "All notes" }).click();
    await page.getByRole("row", { name: /memory\/shared\.md not saved/ }).waitFor();
    await page.getByRole("link", { name: path }).click();
    await page.getByRole("button", { name: "Keep mine" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(`${path} is saved.`).waitFor();
    expect(await textOf(path)).toBe("One\nMine");

    // A note that is gone can be written again.
    await editor(path).getByText("Mine").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" again");
    rmSync(join(stage.household.stateDir, "workspace", path));
    await page.keyboard.press("Control+s");
    await page.getByRole("button", { name: "Keep mine" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => textOf(path).catch(() => "")).toBe("One\nMine again");
  });

  test("a note is deleted after a question, and not found any more", async () => {
    await write("memory/old.md", "The umbrella is in the cellar.\n");
    await go("/notes/memory%2Fold.md");
    await page.getByRole("button", { name: "Delete" }).click();
    await answer("Delete memory/old.md?", "Cancel");
    expect(await textOf("memory/old.md")).toContain("umbrella");
    await page.getByRole("button", { name: "Delete" }).click();
    await answer("Delete memory/old.md?", "Delete");
    await page.getByRole("heading", { name: "No notes yet" }).waitFor();
    await go("?q=umbrella");
    await page.getByRole("heading", { name: "Nothing found" }).waitFor();

    // The same words are looked for in everything that was said.
    await page.getByRole("link", { name: "Look for these words in everything that was said" }).click();
    await expect.poll(() => page.url()).toContain("#/sessions/search?q=umbrella");
    expect(await page.getByRole("searchbox").inputValue()).toBe("umbrella");
  });

  test("what was learned names where it was said, and is forgotten when somebody says so", async () => {
    stage.model.script.push("How nice.", "Good.");
    await admin.chat("My sister Ingrid lives in Bergen. I prefer tea over coffee.", { sessionKey: CHAT });
    await admin.chat("I decided to sell the boat.", { sessionKey: CHAT });
    await go("/known");
    const block = page.getByRole("region", { name: "What stands in prompts" });
    await block.getByText("Ingrid lives in Bergen").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("searchbox", { name: "Search people, things and topics" }).fill("ingr");
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    await page.getByRole("link", { name: "Ingrid", exact: true }).click();
    await page.getByRole("heading", { name: "Ingrid", level: 2 }).waitFor();
    const fact = page.getByRole("list", { name: "Facts" }).getByRole("listitem").first();
    await fact.getByText("My sister Ingrid lives in Bergen.").waitFor();
    await fact.getByText("Person or thing").waitFor();
    await fact.getByText(/^\d+% sure$/).waitFor();
    await fact.getByText("In prompts").waitFor();
    expect(await findViolations(page)).toEqual([]);

    await fact.getByRole("link", { name: "Where it was said" }).click();
    await page.getByRole("log").getByText("My sister Ingrid lives in Bergen.").waitFor();
    expect(page.url()).toContain("entry=");

    // It is also found, beside the notes, and leads to the same place.
    await go("?q=Ingrid%20lives%20in%20Bergen&in=sessions");
    await hits().getByText("My sister Ingrid lives in Bergen.").click();
    await page.getByRole("log").getByText("My sister Ingrid lives in Bergen.").waitFor();
    expect(page.url()).toContain("entry=");

    await go("/known/Ingrid");
    await page.getByRole("button", { name: "Forgetting: My sister Ingrid" }).click();
    await page.getByRole("menuitem", { name: "Forget this", exact: true }).click();
    const question = page.getByRole("dialog", { name: "Forget this fact?" });
    await question.getByText(/Ingrid lives in Bergen.*out of summaries.*The conversation itself stays/).waitFor();
    await answer("Forget this fact?", "Forget");
    await page.getByText(/^Forgotten: \d+ fact/).waitFor();
    await page.getByText("Nothing is known about “Ingrid”.").waitFor();
    await page.getByRole("link", { name: "All that is known" }).click();
    await block.getByText("I prefer tea over coffee.").waitFor();
    expect(await block.innerText()).not.toContain("Ingrid");

    // A subject, and then the whole conversation.
    await page.getByRole("link", { name: "tea over coffee", exact: true }).click();
    await page.getByRole("button", { name: "Forget all of this" }).click();
    await answer("Forget everything about “tea over coffee”?", "Forget");
    await page.getByRole("link", { name: "sell the boat", exact: true }).click();
    await page.getByRole("button", { name: "Forgetting: I decided to sell the boat." }).click();
    await page.getByRole("menuitem", { name: "Forget this conversation" }).click();
    await page.getByText(/\d+ facts?, its summaries and everything the index has of it go/).waitFor();
    await answer("Forget the conversation main?", "Forget");
    await go("/known");
    await page.getByRole("heading", { name: "Nothing learned yet" }).waitFor();
    expect((await admin.call("memory.facts")).total).toBe(0);
    expect((await admin.call("memory.block")).text).toBe("");
  });

  test("the index is checked, mended, and made anew with its progress shown", { timeout: 60_000 }, async () => {
    const folder = join(stage.household.stateDir, "workspace", "memory");
    mkdirSync(folder, { recursive: true });
    for (let at = 0; at < MANY_NOTES; at++)
      writeFileSync(join(folder, `n${at}.md`), `# Note ${at}\n\nAbout number ${at}.\n`);
    await go("/health");
    await page.getByRole("button", { name: "Check" }).click();
    const findings = page.getByRole("region", { name: "What the check found" });
    await findings.getByText("memory/n0.md").waitFor();
    await findings.getByRole("button", { name: "Repair" }).click();
    await findings.getByText("Repaired").first().waitFor();
    await page.getByText(`${MANY_NOTES} notes`, { exact: false }).first().waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByText("Everything is whole and agrees with the notes.").waitFor();
    writeFileSync(join(folder, "one-more.md"), "One more.\n");
    await page.getByRole("button", { name: "Bring up to date" }).click();
    await page.getByText(`${MANY_NOTES + 1} notes: 1 read anew, 0 gone.`).waitFor();

    // Progress is told once a second at most: what comes now is told from its beginning.
    const synced = async (): Promise<number> =>
      (await admin.call("memory.status", { agentId: "main" })).agents[0].syncedAt;
    await expect.poll(async () => Date.now() - (await synced()), { timeout: 5_000 }).toBeGreaterThan(1_100);
    // It may be over before anybody looks: the page itself notes what it showed.
    await page.evaluate(() => {
      const shown: string[] = [];
      Object.assign(window, { shown });
      new MutationObserver(() => {
        const bar = document.querySelector("chela-memory-progress progress");
        if (bar) shown.push(bar.getAttribute("aria-label") ?? "");
      }).observe(document.body, { childList: true, subtree: true, attributes: true });
    });
    await page.getByRole("button", { name: "Make anew" }).click();
    await page.getByRole("menuitem", { name: "Everything" }).click();
    await answer("Everything: Make it anew?", "Make anew");
    await page.getByText("The index of notes is made anew.").waitFor();
    const shown = await page.evaluate(() => (window as unknown as { shown: string[] }).shown);
    expect(shown).toContain("Notes are being read.");
    await page.getByRole("progressbar").waitFor({ state: "hidden" });
    expect((await admin.call("memory.search", { query: "number 399" })).results[0].path).toBe("memory/n399.md");
    rmSync(folder, { recursive: true });
  });

  test("each agent has a memory of its own, and one that is switched off says so", async () => {
    await write("memory/mine.md", "Only Chela knows.\n");
    await go("/notes");
    await page.getByRole("link", { name: "memory/mine.md" }).waitFor();
    await page.getByRole("button", { name: "Agent: Chela" }).click();
    await page.getByRole("option", { name: "Scout" }).click();
    await page.getByRole("heading", { name: "No notes yet" }).waitFor();
    await page.getByText("Scout has no memory right now: it is switched off.").waitFor();
    expect(page.url()).toContain("agent=scout");
    expect(await findViolations(page)).toEqual([]);
    await go("/health?agent=scout");
    expect(await page.getByRole("button", { name: "Bring up to date" }).isDisabled()).toBe(true);
    await page.getByRole("link", { name: "Open the configuration" }).click();
    await page.getByRole("heading", { name: "Configuration", level: 1 }).waitFor();
  });

  test("what a model found in a conversation is marked, and what it took is told", async () => {
    const told = { line: 1, quote: "Herring gives me hives", slot: "allergy", subject: "herring", value: "allergic" };
    const sessionKey = "agent:main:fish";
    stage.model.script.push("I see.");
    await admin.chat("Herring gives me hives.", { sessionKey });
    await admin.chat("/new", { sessionKey });
    stage.model.script.push("Hello.", JSON.stringify({ facts: [told] }));
    await admin.chat("Hello again.", { sessionKey });
    await admin.call("memory.facts");
    await go("/health");
    await page.getByText(/scripted\/test · 1 episode, 0 waiting/).waitFor();
    await page.getByText(/^[\d,]+ of 50,000 tokens today$/).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await go("/known/herring");
    const fact = page.getByRole("list", { name: "Facts" }).getByRole("listitem").first();
    await fact.getByText("Found by a model").waitFor();
    await fact.getByText("In prompts").waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  test("everything fits on a phone, by night and in German", async () => {
    await write(
      "memory/a-note-with-quite-a-long-name-that-nobody-would-choose.md",
      "Der Schlüssel liegt bei Frau Lindqvist.\n",
    );
    await admin.chat("My brother Torsten lives in Uppsala.", { sessionKey: "agent:main:telegram:direct:4242424242" });
    const narrow = await stage.page({ width: 360, height: 740, theme: "dark", locale: "de-DE", at: "#/memory" });
    const name = encodeURIComponent("memory/a-note-with-quite-a-long-name-that-nobody-would-choose.md");
    const places = [
      ["?q=Schlüssel", "Diese Wörter in allem Gesagten suchen"],
      ["?q=nirgends", "Nichts gefunden"],
      ["/notes", "Neue Notiz"],
      [`/notes/${name}`, "Alle Notizen"],
      ["/known", "Was in Prompts steht"],
      ["/known/Torsten", "Wo es gesagt wurde"],
      ["/health", "Größe des Index"],
    ] as const;
    const problems: string[] = [];
    for (const [route, sign] of places) {
      await narrow.evaluate((fragment) => void (location.hash = fragment), `#/memory${route}`);
      await narrow.getByText(sign).first().waitFor();
      const width = await narrow.evaluate(() =>
        Math.max(document.scrollingElement?.scrollWidth ?? 0, document.querySelector("main")?.scrollWidth ?? 0),
      );
      if (width > 360) problems.push(`${route}: ${width} wide`);
      problems.push(...(await findViolations(narrow)).map((violation) => `${route}: ${violation}`));
    }
    expect(problems).toEqual([]);
    await narrow.context().close();
    expect(stage.complaints).toEqual([]);
  });
});

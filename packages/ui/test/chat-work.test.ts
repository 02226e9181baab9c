// What one works with in a chat: tools, approvals, files, voice, commands, settings, branches, search, export, keys.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { WireClient } from "../../gateway/test/support/wire-client.ts";
import { composer, log, say, visit } from "./support/chat.ts";
import { HAS_BROWSER, Stage } from "./support/stage.ts";
import { saidAt, writeTranscripts } from "./support/transcripts.ts";
import { findDayAndNight } from "./support/violations.ts";

const LONG = "agent:main:long";
const LONG_ENTRIES = 600;
/** May run commands without asking. */
const FREE = { id: "free", tools: { exec: { security: "full", ask: "off" } } };

describe.skipIf(!HAS_BROWSER)("work in the chat", () => {
  const place = mkdtempSync(join(tmpdir(), "chela-ui-"));
  let stage: Stage;
  let page: Page;
  let client: WireClient;
  beforeAll(async () => {
    const defaults = { model: "scripted/test", sandbox: { mode: "off" } };
    const agents = { defaults, list: [{ id: "main", default: true }, FREE] };
    stage = await Stage.open({ agents }, (stateDir) => writeTranscripts(stateDir, { [LONG]: LONG_ENTRIES }));
    [page, client] = await Promise.all([
      stage.page({ permissions: ["microphone", "clipboard-read", "clipboard-write"] }),
      stage.client(),
    ]);
  });
  afterAll(async () => {
    await stage?.[Symbol.asyncDispose]();
    rmSync(place, { recursive: true, force: true });
  });
  beforeEach(() => void (stage.model.script.length = 0));

  const talk = async (question: string, answer: string): Promise<void> => {
    stage.model.script.push(answer);
    await say(page, question);
    await log(page).getByText(answer, { exact: true }).waitFor();
    // Not before the turn is over can one go elsewhere in the conversation.
    await page.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "hidden" });
  };
  const rowOf = async (key: string): Promise<Record<string, unknown>> => {
    const { sessions } = await client.call("sessions.list", {});
    return sessions.find((row: { key: string }) => row.key === key) ?? {};
  };
  const notice = (text: string | RegExp): Locator => page.locator(".notice").filter({ hasText: text });
  const card = (on: Page, name: string): Locator => log(on).locator("chela-tool-card").filter({ hasText: name });

  test("shows tools at work: what they were asked, print, change and gave", async () => {
    await visit(page, "agent:free:tools");
    const flag = join(place, "go-on");
    const command = `echo first; until [ -e ${flag} ]; do sleep 0.05; done; echo second; exit 3`;
    stage.model.script.push(
      (speech) => {
        speech.think("A file has to be written first.");
        speech.call("write", { path: "notes.md", content: "one\ntwo\nthree\n" });
      },
      (speech) => speech.call("edit", { path: "notes.md", oldText: "two", newText: "zwei" }),
      (speech) => speech.call("read", { path: "notes.md", limit: 2 }),
      (speech) => speech.call("exec", { command }),
      "All of it is done.",
    );
    await say(page, "Work");
    const running = card(page, "Command");
    await running.getByText(/Running ·/).waitFor();
    await running.getByRole("button").first().click();
    await running.getByRole("region", { name: "Output so far" }).getByText("first").waitFor();
    expect(await running.getByText(command).count()).toBeGreaterThan(0);
    writeFileSync(flag, "");
    await running.getByText("Exit code 3").waitFor();
    await running.getByRole("region", { name: "Result" }).getByText("second").waitFor();
    await log(page).getByText("All of it is done.").waitFor();

    const edited = card(page, "Edit");
    await edited.getByTitle("1 added").waitFor();
    await edited.getByTitle("1 removed").waitFor();
    await edited.getByRole("button").first().click();
    expect(await edited.locator(".chat-tool-body").innerText()).toMatch(/two[^]*zwei/);
    const read = card(page, "Read");
    await read.getByRole("button").first().click();
    await read.locator(".chat-tool-body").getByText("zwei").waitFor();
    expect(await read.locator("dl").innerText()).toMatch(/limit\s+2/);
    const written = card(page, "Write");
    await written.getByRole("button").first().click();
    await written.locator(".chat-tool-body").getByText("three").waitFor();

    const thought = log(page).getByText("A file has to be written first.");
    expect(await thought.isVisible()).toBe(false);
    await log(page).getByText("Thought", { exact: true }).click();
    await thought.waitFor();
  });

  test("asks on every screen before a command runs, with all of it and all three answers in view", async () => {
    const key = "agent:main:approval";
    const phone = await stage.page({ width: 360, height: 640, at: `#/chat/${key}` });
    await visit(page, key);
    // What writes through the shell can be allowed once only; these are plain programs, one after the other.
    const proofs = Array.from({ length: 60 }, (_, at) => join(place, `approved-${at}-of-a-long-command`));
    const command = proofs.map((proof) => `touch ${proof}`).join(" && ");
    stage.model.script.push((speech) => speech.call("exec", { command }), "It ran.");
    await say(page, "Run it");
    for (const [on, width, height] of [
      [phone, 360, 640],
      [page, 1280, 800],
    ] as const) {
      const question = on.getByRole("article").filter({ hasText: "May this command run?" });
      await question.getByRole("button", { name: "Allow once" }).waitFor();
      const box = question.getByRole("group", { name: "Command" });
      expect(await box.innerText()).toBe(command);
      await question.getByText("Scroll to read all of it").waitFor();
      for (const name of ["Deny", "Always allow", "Allow once"]) {
        expect(await isInView(question.getByRole("button", { name }), width, height), `${name} at ${width}`).toBe(true);
      }
      await box.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      expect(await isInView(box, width, height), `the command at ${width}`).toBe(true);
    }
    expect(proofs.filter((proof) => existsSync(proof))).toEqual([]);
    await phone.getByRole("button", { name: "Allow once" }).click();
    await log(page).getByText("It ran.").waitFor();
    expect(proofs.filter((proof) => existsSync(proof))).toEqual(proofs);
    await page.getByText("May this command run?").waitFor({ state: "detached" });

    const never = join(place, "denied");
    stage.model.script.push((speech) => speech.call("exec", { command: `touch ${never}` }), "Then not.");
    await say(phone, "And this");
    await page.getByRole("button", { name: "Deny" }).click();
    await log(phone).getByText("Then not.").waitFor();
    await log(phone).getByText("Not allowed").waitFor();
    expect(existsSync(never)).toBe(false);
  });

  test("sends files that are picked, dropped and pasted; they are there after a reload, to the byte", async () => {
    const key = "agent:main:files";
    await visit(page, key);
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Attach files" }).click();
    await (await chooser).setFiles({ name: "picked.txt", mimeType: "text/plain", buffer: Buffer.from("picked words") });
    await giveFile(page, "drop", "dropped.csv", "text/csv", "a,b\n1,2\n");
    await giveFile(page, "paste", "pasted.bin", "application/octet-stream", "\u0001\u0002three");
    const chips = page.getByRole("list", { name: "Attached files" });
    for (const name of ["picked.txt", "dropped.csv", "pasted.bin"]) await chips.getByText(name).waitFor();
    await giveFile(page, "paste", "unwanted.txt", "text/plain", "no");
    await page.getByRole("button", { name: "Remove unwanted.txt" }).click();
    await talk("Look at these", "Three files.");
    const told = Array.from(
      (stage.model.requests.at(-1) ?? "").matchAll(/media attached \d\/3: (\S+) \(/g),
      ([, path = ""]) => path,
    );
    expect(told.map((path) => readFileSync(path, "utf8"))).toEqual(["picked words", "a,b\n1,2\n", "\u0001\u0002three"]);
    await page.reload();
    await log(page).getByText("picked.txt").waitFor();
    for (const [name, text] of [
      ["picked.txt", "picked words"],
      ["dropped.csv", "a,b\n1,2\n"],
      ["pasted.bin", "\u0001\u0002three"],
    ] as const) {
      const saved = page.waitForEvent("download");
      await log(page)
        .getByRole("button", { name: `Download ${name}` })
        .click();
      const download = await saved;
      expect(download.suggestedFilename()).toBe(name);
      expect(readFileSync(await download.path(), "utf8")).toBe(text);
    }
  });

  test("records a voice note and sends it", async () => {
    const key = "agent:main:voice";
    await visit(page, key);
    await page.getByRole("button", { name: "Record a voice note" }).click();
    const timer = page.getByRole("group", { name: "Recording" }).getByRole("timer");
    await timer.getByText("0:01").waitFor();
    await page.getByRole("button", { name: "Finish the recording" }).click();
    const chips = page.getByRole("list", { name: "Attached files" });
    await chips.getByText(/^voice-.+\.webm$/).waitFor();
    await talk("Listen", "Heard.");
    await page.reload();
    const player = log(page).locator("chela-media-file");
    await player.getByRole("button", { name: /^Play voice-/ }).click();
    await expect
      .poll(() => player.locator("audio").evaluate((one: HTMLAudioElement) => one.readyState))
      .toBeGreaterThan(0);
    const { messages } = await client.call("chat.page", { sessionKey: key, from: 0, limit: 10 });
    const media = messages
      .flatMap(({ content = [] }: { content?: object[] }) => content)
      .find(({ type }: { type: string }) => type === "media");
    expect(media).toMatchObject({ mimeType: "audio/webm", bytes: expect.any(Number) });
    expect(media.bytes).toBeGreaterThan(1000);
  });

  test("completes commands by keyboard", async () => {
    const key = "agent:main:commands";
    await visit(page, key);
    await composer(page).pressSequentially("/thi");
    const offer = page.getByRole("listbox", { name: "Commands" });
    await offer.getByRole("option", { name: "/think" }).waitFor();
    await composer(page).fill("/");
    const lefts = await offer
      .locator(".composer-offer-says")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
    expect(lefts.length).toBeGreaterThan(10);
    expect(new Set(lefts).size).toBe(1);
    await composer(page).fill("/thi");
    await offer.getByRole("option", { name: "/think" }).waitFor();
    await composer(page).press("Enter");
    expect(await composer(page).inputValue()).toBe("/think ");
    await composer(page).pressSequentially("hi");
    await offer.getByRole("option", { name: "high", exact: true }).waitFor();
    await composer(page).press("Tab");
    expect(await composer(page).inputValue()).toBe("/think high");
    await composer(page).press("Enter");
    await expect.poll(() => rowOf(key)).toMatchObject({ thinkingLevel: "high" });
    await log(page).getByText("/think high").waitFor();
    expect(await composer(page).inputValue()).toBe("");
    await page.getByRole("button", { name: "Thinking: High" }).waitFor();
  });

  test("model, thinking and queue are chosen for the conversation; the meter tells context and cost", async () => {
    const key = "agent:main:settings";
    await visit(page, key);
    await talk("Hello", "Good day.");
    const meter = page.getByRole("button", { name: /^Context and cost/ });
    await page.getByRole("button", { name: /^Context and cost: .*of 200K tokens, 1%; \$0\.0048/ }).waitFor();
    await meter.click();
    const details = page.getByRole("dialog", { name: "Context and cost" });
    await details.getByText("1,280", { exact: true }).waitFor();
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: /^Model/ }).click();
    await page.getByRole("combobox", { name: "Search models" }).fill("smal");
    await page.getByRole("option", { name: "Small" }).waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => rowOf(key)).toMatchObject({ modelOverride: "small", providerOverride: "scripted" });
    await page.getByRole("button", { name: /^Model.*Small/ }).waitFor();
    await page.getByRole("button", { name: /^Queue/ }).click();
    await page.getByRole("option", { name: /^Interrupt/ }).click();
    await expect.poll(() => rowOf(key)).toMatchObject({ queueMode: "interrupt" });
    await page.getByRole("button", { name: /^Model/ }).click();
    await page.getByRole("option", { name: /^Default model/ }).click();
    await page.getByRole("button", { name: /^Thinking/ }).click();
    await page.getByRole("option", { name: "Low", exact: true }).click();
    await expect.poll(() => rowOf(key)).toMatchObject({ thinkingLevel: "low" });
    await talk("Again", "Good night.");
    expect(JSON.parse(stage.model.requests.at(-1) ?? "{}")).toMatchObject({ model: "test" });
  });

  test("sets a checkpoint, goes back, switches between branches, and back again", async () => {
    await visit(page, "agent:main:branches");
    const panel = page.getByRole("dialog", { name: "Branches and checkpoints" });
    const open = (): Promise<void> => page.getByRole("button", { name: "Branches and checkpoints" }).click();
    const said = (text: string): Locator => log(page).getByText(text, { exact: true });
    await talk("One", "Answer one.");
    await open();
    await panel.getByRole("textbox", { name: "Name of the checkpoint" }).fill("start");
    await panel.getByRole("button", { name: "Set here" }).click();
    await panel.getByRole("button", { name: "Go back to start" }).waitFor();
    await panel.getByRole("button", { name: "Close" }).click();
    await talk("Two", "Answer two.");
    await open();
    await panel.getByRole("button", { name: "Go back to start" }).click();
    await said("Two").waitFor({ state: "detached" });
    await said("Answer one.").waitFor();
    await talk("Three", "Answer three.");
    const asked = stage.model.requests.at(-1) ?? "";
    expect([asked.includes("Answer one."), asked.includes("Answer two.")]).toEqual([true, false]);
    await open();
    await panel.getByRole("button", { name: "Switch to: Two" }).click();
    await said("Answer two.").waitFor();
    expect(await said("Three").count()).toBe(0);
    await open();
    await panel.getByRole("spinbutton", { name: "Number of messages" }).fill("1");
    await panel.locator("form").filter({ hasText: "Go back by messages" }).getByRole("button").click();
    await said("Answer two.").waitFor({ state: "detached" });
    await notice("goes on from there").getByRole("button", { name: "Undo" }).last().click();
    await said("Answer two.").waitFor();
  });

  test("gives a checkpoint another name, and takes it away; what was said stays", async () => {
    const key = "agent:main:names";
    await visit(page, key);
    const panel = page.getByRole("dialog", { name: "Branches and checkpoints" });
    await talk("One", "Answer one.");
    const client = await stage.client();
    await client.call("sessions.checkpoint", { key, name: "draft" });
    await client.call("sessions.checkpoint", { key, name: "other" });
    await log(page).locator(".badge", { hasText: "draft" }).waitFor();
    await page.getByRole("button", { name: "Branches and checkpoints" }).click();
    const change = async (name: string, how: string): Promise<void> => {
      await panel.getByRole("button", { name: `More about the checkpoint ${name}` }).click();
      await page.getByRole("menuitem", { name: how }).click();
    };
    await change("draft", "Rename…");
    const dialog = page.getByRole("dialog", { name: "Rename the checkpoint" });
    await dialog.getByRole("textbox", { name: "Name of the checkpoint" }).fill("other");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText(/is the name of another point/).waitFor();
    await dialog.getByRole("textbox", { name: "Name of the checkpoint" }).fill("final");
    await dialog.getByRole("button", { name: "Save" }).click();
    await panel.getByRole("button", { name: "Go back to final" }).waitFor();
    expect(await findDayAndNight(page)).toEqual([]);
    await change("final", "Remove");
    await panel.getByRole("button", { name: "Go back to final" }).waitFor({ state: "detached" });
    await panel.getByRole("button", { name: "Go back to other" }).waitFor();
    await panel.getByRole("button", { name: "Close" }).click();
    await log(page).getByText("Answer one.").waitFor();
    await expect.poll(() => log(page).locator(".badge.info").allTextContents()).toEqual(["other"]);
    stage.complaints.length = 0;
  });

  test("finds words in a long conversation and goes there", async () => {
    await visit(page, LONG);
    await log(page)
      .getByText(saidAt(LONG_ENTRIES - 1))
      .waitFor();
    await page.keyboard.press("Control+Shift+F");
    const field = page.getByRole("searchbox", { name: "Search in this conversation" });
    await field.fill(`"message 40 of"`);
    await page.getByRole("list", { name: "Matches" }).getByText("message 40").waitFor();
    await field.press("Enter");
    await log(page).getByText(saidAt(40), { exact: true }).waitFor();
    await expect.poll(() => log(page).getByText(saidAt(40), { exact: true }).isVisible()).toBe(true);
    expect(await isInView(log(page).getByText(saidAt(40), { exact: true }), 1280, 800)).toBe(true);
    await field.press("Escape");
    await field.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "To the newest" }).click();
    await log(page)
      .getByText(saidAt(LONG_ENTRIES - 1))
      .waitFor();
  });

  test("exports all of a conversation", async () => {
    await visit(page, LONG);
    const save = async (what: string): Promise<string> => {
      const saved = page.waitForEvent("download");
      await page.getByRole("button", { name: "More", exact: true }).click();
      await page.getByRole("menuitem", { name: what }).click();
      return readFileSync(await (await saved).path(), "utf8");
    };
    const text = await save("Export as Markdown");
    const missing = Array.from({ length: LONG_ENTRIES }, (_, at) => saidAt(at)).filter((said) => !text.includes(said));
    expect(missing).toEqual([]);
    const lines = (await save("Export as JSON Lines")).trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { index: number }).index)).toEqual([...Array(LONG_ENTRIES).keys()]);
  });

  test("renames, deletes, and brings back what was deleted", async () => {
    const key = "agent:main:named";
    await visit(page, key);
    await talk("Remember this", "I do.");
    await page.getByRole("button", { name: /: Rename$/ }).click();
    const field = page.getByRole("textbox", { name: "Name of this conversation" });
    await field.fill("A good name");
    await field.press("Enter");
    await page.getByRole("button", { name: "A good name: Rename" }).waitFor();
    expect(await rowOf(key)).toMatchObject({ label: "A good name" });
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page
      .getByRole("dialog", { name: "Delete this conversation?" })
      .getByRole("button", { name: "Delete" })
      .click();
    await notice("Deleted").waitFor();
    expect(await rowOf(key)).toEqual({});
    await notice("Deleted").getByRole("button", { name: "Undo" }).click();
    await log(page).getByText("Remember this", { exact: true }).waitFor();
    await page.getByRole("button", { name: "A good name: Rename" }).waitFor();
    expect(await rowOf(key)).toMatchObject({ label: "A good name" });
  });

  test("works with the keyboard alone", async () => {
    await page.goto(`${stage.url}#/chat/agent:main:keys`);
    await page.reload();
    await composer(page).waitFor();
    await expect.poll(() => composer(page).evaluate((box) => box === document.activeElement)).toBe(true);
    stage.model.script.push("Typed.");
    await page.keyboard.type("Only keys");
    await page.keyboard.press("Enter");
    await log(page).getByText("Typed.", { exact: true }).waitFor();
    const reach = async (name: string, keys: string): Promise<void> => {
      const target = page.getByRole("button", { name, exact: true }).first();
      for (let steps = 0; steps < 60; steps++) {
        if (await target.evaluate((element) => element === document.activeElement)) return;
        await page.keyboard.press(keys);
      }
      throw new Error(`${name} cannot be reached with ${keys}`);
    };
    await reach("Edit and say again", "Shift+Tab");
    const edit = page.getByRole("button", { name: "Edit and say again" });
    await expect.poll(() => edit.evaluate((element) => getComputedStyle(element).opacity)).toBe("1");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("Other keys");
    stage.model.script.push("Typed again.");
    await page.keyboard.press("Enter");
    await log(page).getByText("Typed again.", { exact: true }).waitFor();

    // What was closed opens again.
    const palette = page.getByRole("combobox", { name: "Search or jump to…" });
    await page.keyboard.press("Control+K");
    await palette.waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".palette-goals").waitFor({ state: "detached" });
    await page.keyboard.press("Control+K");
    await palette.waitFor();
    await page.keyboard.type("conf");
    await page.keyboard.press("Enter");
    await page.waitForURL(/#\/config/);
    await page.locator("chela-config-page").waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
  });

  test("saves no setting that is known to be wrong, and says in the raw text that the form has changes", async () => {
    await page.evaluate(() => void (location.hash = "#/config/gateway"));
    const port = page.getByRole("spinbutton", { name: "Port" });
    await port.fill("99999999");
    await port.press("Tab");
    await page.getByRole("button", { name: "Review and save" }).click();
    const review = page.getByRole("dialog");
    await review.getByText("gateway.port").last().waitFor();
    expect(await review.getByRole("button", { name: "Save", exact: true }).isDisabled()).toBe(true);
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Raw", exact: true }).click();
    await page.getByText("The form has unsaved changes; they are not in this text.").waitFor();
    await page.getByRole("link", { name: "Open the form" }).click();
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
    await page.getByRole("region", { name: "Unsaved changes" }).waitFor({ state: "detached" });
  });

  test("gave browsers nothing to complain about", () => {
    expect(stage.complaints).toEqual([]);
  });
});

/** Wholly on the screen, and nothing over its middle. */
function isInView(element: Locator, width: number, height: number): Promise<boolean> {
  return element.evaluate(
    (one, [w, h]) => {
      const { left, top, right, bottom } = one.getBoundingClientRect();
      const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return left >= 0 && top >= 0 && right <= w && bottom <= h && at !== null && one.contains(at);
    },
    [width, height] as const,
  );
}

/** As a person drops or pastes a file: the browser's own event, with the file in it. */
async function giveFile(page: Page, how: "drop" | "paste", name: string, type: string, text: string): Promise<void> {
  await composer(page).evaluate(
    (box, given) => {
      const data = new DataTransfer();
      data.items.add(new File([given.text], given.name, { type: given.type }));
      const options = { bubbles: true, cancelable: true };
      if (given.how === "paste") box.dispatchEvent(new ClipboardEvent("paste", { ...options, clipboardData: data }));
      else
        for (const event of ["dragenter", "dragover", "drop"])
          box.dispatchEvent(new DragEvent(event, { ...options, dataTransfer: data }));
    },
    { how, name, type, text },
  );
}

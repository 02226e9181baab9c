// The chat in a real browser: what is said arrives once, what is answered is seen as it is written, whatever happens between.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { countTexts, gate, log, say } from "./support/chat.ts";
import { HAS_BROWSER, Stage } from "./support/stage.ts";
import { findDayAndNight } from "./support/violations.ts";

/** Why there is no answer, what to do, and when the credential is tried again. */
const IN_OTHER_LANGUAGES = [
  [
    "de-DE",
    "Der Anbieter des Modells hat die Zugangsdaten abgelehnt.",
    "einen Schlüssel ein, der gilt",
    /\(in \d:\d\d\)/,
  ],
  ["es-ES", "El proveedor del modelo rechazó la credencial.", "una clave que funcione", /\(en \d:\d\d\)/],
  ["zh-CN", "模型提供商拒绝了凭据。", "请输入有效的密钥", /（还有 \d:\d\d）/],
] as const;

describe.skipIf(!HAS_BROWSER)("the chat", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open();
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());
  beforeEach(() => {
    stage.model.script.length = 0;
    stage.complaints.length = 0;
  });

  test("answers, and keeps the conversation over a reload", async () => {
    const page = await stage.page({ at: "#/chat/agent:main:first" });
    stage.model.script.push("**Good** morning.\n\n```js\nconst a = 1;\n```");
    await say(page, "Hello");
    await log(page).getByText("Good", { exact: true }).waitFor();
    expect(await log(page).locator("strong").innerText()).toBe("Good");
    await page.reload();
    await log(page).getByText("Good", { exact: true }).waitFor();
    expect(await log(page).getByText("Hello", { exact: true }).count()).toBe(1);
    expect(stage.complaints).toEqual([]);
  });

  test("shows all of an answer that is too long to come at once, and copies all of it", async () => {
    const page = await stage.page({ at: "#/chat/agent:main:long", permissions: ["clipboard-read", "clipboard-write"] });
    const whole = `${"A line of the long answer.\n\n".repeat(2500)}The very end.`;
    stage.model.script.push(whole);
    await say(page, "Tell me everything");
    await log(page).getByText("There is more of this than is shown here.").waitFor();
    await log(page).getByRole("button", { name: "Copy" }).last().click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    await page.getByRole("textbox", { name: "Message" }).press("Control+V");
    await expect.poll(() => page.getByRole("textbox", { name: "Message" }).inputValue()).toBe(whole);
    expect(await log(page).getByText("The very end.").count()).toBe(0);
    await log(page).getByRole("button", { name: "Show all" }).click();
    await log(page).getByText("The very end.").waitFor();
    expect(await log(page).getByRole("button", { name: "Show all" }).count()).toBe(0);
  });

  test("is called by what was said first, in its head as in the list", async () => {
    const page = await stage.page({ at: "#/chat/agent:main:chat-93f13f08" });
    stage.model.script.push("Oats, mostly.");
    await say(page, "What do horses eat?");
    await page.getByRole("heading", { level: 1 }).getByText("What do horses eat?").waitFor();
  });

  test("lets in a tab that shows the sign-in page when the link is opened there, and keeps no code in its address", async () => {
    const page = await (await stage.browser()).newPage();
    await page.goto(stage.url);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    const { hash } = new URL(await stage.entrance());
    await page.evaluate((fragment) => void (location.hash = fragment), hash);
    await page.locator(".frame").waitFor();
    expect(page.url()).not.toContain("code=");
    stage.complaints.length = 0;
  });

  test("sets columns, boxes and lists as they were meant", async () => {
    const page = await stage.page({ at: "#/chat/agent:main:marked" });
    stage.model.script.push("|n|p|\n|-|-:|\n|a|1|\n\n- [x] done\n- one\n  - two\n\nIt is \\(a\\,b\\).");
    await say(page, "Show me");
    await log(page).getByText("It is \\(a\\,b\\).").waitFor();
    // What is being written is drawn anew when it is over.
    await page.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "hidden" });
    const price = log(page).getByRole("cell", { name: "1" });
    expect(await price.evaluate((cell) => getComputedStyle(cell).textAlign)).toMatch(/end|right/);
    const task = log(page).getByRole("listitem").filter({ hasText: "done" });
    expect(await task.evaluate((item) => getComputedStyle(item).listStyleType)).toBe("none");
    const outer = log(page).getByRole("listitem").filter({ hasText: "two" }).first();
    // Two lines and the gap between them, not four.
    expect(await outer.evaluate((item) => item.getBoundingClientRect().height / 24)).toBeLessThan(3);
  });

  test("shows an answer while it is written, and goes on with it after a reload in the middle", async () => {
    const page = await stage.page({ at: "#/chat/agent:main:stream" });
    const more = gate();
    stage.model.script.push(async (speech) => {
      speech.think("Let me see.");
      speech.say("The first half, ");
      await more.opened;
      speech.say("and the second.");
    });
    await say(page, "Tell me");
    await log(page).getByText("The first half,").waitFor();
    await page.reload();
    await log(page).getByText("The first half,").waitFor();
    more.open();
    await log(page).getByText("The first half, and the second.").waitFor();
    expect(await log(page).getByText("The first half").count()).toBe(1);
    expect(await log(page).getByText("Tell me", { exact: true }).count()).toBe(1);
  });

  test("survives the gateway's death under an open page, in the middle of an answer", async () => {
    const page = await stage.page({ at: "#/chat/agent:main:killed" });
    const never = gate();
    stage.model.script.push(async (speech) => {
      speech.say("Never finished");
      await never.opened;
    });
    await say(page, "Do it");
    await log(page).getByText("Never finished").waitFor();
    await stage.kill();
    await page.getByRole("alert").getByText("Connection lost").waitFor();
    expect(await page.getByRole("link", { name: "Approvals" }).count()).toBe(1);
    // What is said meanwhile waits, and goes out by itself.
    await say(page, "And this");
    await log(page).getByText("Goes out as soon as the connection is back").waitFor();
    stage.model.script.push("Done after all.", "That, too.");
    await stage.start();
    await log(page).getByText("Done after all.").waitFor();
    await log(page).getByText("That, too.").waitFor();
    for (const text of ["Do it", "And this"]) {
      expect(await log(page).getByText(text, { exact: true }).count(), text).toBe(1);
    }
    never.open();
  });

  test("two browsers see one conversation", async () => {
    const [here, there] = await Promise.all([
      stage.page({ at: "#/chat/agent:main:shared" }),
      stage.page({ at: "#/chat/agent:main:shared", width: 390, height: 844 }),
    ]);
    const texts = ["From here", "For both of you.", "From there", "Heard."];
    const most = await Promise.all([here, there].map((page) => countTexts(page, texts)));
    stage.model.script.push("For both of you.");
    await say(here, "From here");
    await log(there).getByText("From here", { exact: true }).waitFor();
    await log(there).getByText("For both of you.").waitFor();
    stage.model.script.push("Heard.");
    await say(there, "From there");
    await log(here).getByText("Heard.").waitFor();
    await expect.poll(() => log(here).getByText("From there", { exact: true }).count()).toBe(1);
    // Until both know that it is over.
    for (const page of [here, there])
      await page.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "hidden" });
    for (const seen of most) expect(await seen()).toEqual(Object.fromEntries(texts.map((text) => [text, 1])));
  });

  test("stops an answer", async () => {
    const page = await stage.page({ at: "#/chat/agent:main:stopped" });
    const never = gate();
    stage.model.script.push(async (speech) => {
      speech.say("On and on");
      await never.opened;
    });
    await say(page, "Go");
    await log(page).getByText("On and on").waitFor();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "hidden" });
    await log(page).getByText("Stopped", { exact: true }).waitFor();
    expect(await log(page).getByText("tokens").count()).toBe(0);
    never.open();
  });

  test("tells once why there is no answer, the same after a reload and behind the next one, with the ways out", async () => {
    const page = await stage.page({ at: "#/chat/agent:main:refused" });
    // What answers is named before anybody opens the list.
    await page.getByRole("button", { name: "Model: Test" }).waitFor();
    stage.model.script.push((speech) => speech.refuse(401, "no such key"));
    await say(page, "Are you there?");
    const cards = log(page).getByRole("region", { name: "No answer" });
    await cards.getByText("The model provider refused the credential.", { exact: true }).waitFor();
    await cards.getByText(/no such key/).waitFor();
    await cards.getByText("Enter a key that works").waitFor();
    await cards.getByText(/Next try with this credential: .* \(in \d:\d\d\)/).waitFor();
    expect(await cards.getByRole("link", { name: "Credentials" }).getAttribute("href")).toBe("#/credentials");
    expect(await findDayAndNight(page)).toEqual([]);
    const told = await cards.getByText("no such key").innerText();
    await page.reload();
    await cards.getByText(told).waitFor();
    await cards.getByRole("button", { name: "Change model" }).click();
    await page.getByRole("option", { name: "Small" }).waitFor();
    await page.keyboard.press("Escape");
    for (const [locale, cause, fix, time] of IN_OTHER_LANGUAGES) {
      const other = await stage.page({ locale, at: "#/chat/agent:main:refused" });
      const card = other.locator("chela-failure");
      await card.getByText(cause, { exact: true }).waitFor();
      await card.getByText(fix).waitFor();
      await card.getByRole("timer").filter({ hasText: time }).waitFor();
      await other.close();
    }

    await cards.getByRole("button", { name: "Try the credential now" }).click();
    await cards.getByText("Next try").waitFor({ state: "detached" });
    const client = await stage.client();
    const { models } = await client.call("models.list", {});
    expect(models.find(({ id }: { id: string }) => id === "test").usable).toBe(true);
    stage.model.script.push("Now I am.");
    await say(page, "And now?");
    await log(page).getByText("Now I am.").waitFor();
    expect([await cards.count(), await page.getByText("no such key").count()]).toEqual([1, 1]);
    stage.model.script.push("Always was.");
    await cards.getByRole("button", { name: "Say again" }).click();
    await log(page).getByText("Always was.").waitFor();
    await expect.poll(() => log(page).getByText("Are you there?", { exact: true }).count()).toBe(1);
    stage.complaints.length = 0;
  });

  test("says that the demo model answers as long as it does, also in the middle of a conversation", async () => {
    const key = "agent:main:demo";
    const page = await stage.page({ at: `#/chat/${key}` });
    const sign = page.getByRole("link", { name: "Connect a model" });
    stage.model.script.push("A real answer.");
    await say(page, "Hello");
    await log(page).getByText("A real answer.").waitFor();
    expect(await sign.count()).toBe(0);
    const client = await stage.client();
    await client.call("sessions.patch", { key, model: "demo/demo" });
    await sign.waitFor();
    expect(await findDayAndNight(page)).toEqual([]);
    await sign.click();
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    await client.call("sessions.patch", { key, model: null });
    await page.goBack();
    await log(page).getByText("A real answer.").waitFor();
    await expect.poll(() => sign.count()).toBe(0);
  });

  test("says something again in other words; the first words stay as a version", async () => {
    const page = await stage.page({ at: "#/chat/agent:main:edited" });
    stage.model.script.push("First answer.");
    await say(page, "First words");
    await log(page).getByText("First answer.").waitFor();
    await log(page).getByText("First words", { exact: true }).hover();
    await page.getByRole("button", { name: "Edit and say again" }).click();
    stage.model.script.push("Second answer.");
    const editor = log(page).getByRole("textbox", { name: "Edit and say again" });
    await editor.fill("Second words");
    await editor.press("Enter");
    await log(page).getByText("Second answer.").waitFor();
    expect(await log(page).getByText("First words", { exact: true }).count()).toBe(0);
    await page.getByRole("button", { name: "Previous version" }).click();
    await log(page).getByText("First answer.").waitFor();
    expect(await log(page).getByText("Second answer.").count()).toBe(0);
  });

  test("sends a picture that is pasted, and the model gets it", async () => {
    const page = await stage.page({ at: "#/chat/agent:main:picture" });
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Attach" }).click();
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC",
      "base64",
    );
    await (await chooser).setFiles({ name: "square.png", mimeType: "image/png", buffer: png });
    stage.model.script.push("A red square.");
    await say(page, "What is this?");
    await log(page).getByText("A red square.").waitFor();
    expect(stage.model.requests.at(-1)).toContain("image_url");
    await page.reload();
    const picture = log(page).getByRole("img").first();
    await picture.waitFor();
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);

    // Said again, it goes along again.
    stage.model.script.push("Still a red square.");
    await log(page).getByText("What is this?").hover();
    await page.getByRole("button", { name: "Say again", exact: true }).click();
    await log(page).getByText("Still a red square.").waitFor();
    expect(stage.model.requests.at(-1)).toContain("image_url");
  });
});

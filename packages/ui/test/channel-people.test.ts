// Somebody on a real IRC server, and an operator at the page: let in there, answered here, seen as it happens.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { IrcPerson } from "../../channels/test/irc-person.test-support.ts";
import { findNgircd, startNgircd } from "../../channels/test/irc-servers.test-support.ts";
import { warnNotTested } from "../../gateway/test/support/stages/debian-package.ts";
import { HAS_BROWSER, Stage } from "./support/stage.ts";

const ngircd = HAS_BROWSER ? findNgircd() : undefined;
if (HAS_BROWSER && !ngircd) warnNotTested("people of a channel at the page", "no ngircd");

describe.skipIf(!ngircd)("people of a channel", () => {
  let server: Awaited<ReturnType<typeof startNgircd>>;
  let stage: Stage;
  beforeAll(async () => {
    server = await startNgircd(ngircd ?? "");
    stage = await Stage.open({
      session: { dmScope: "per-channel-peer" },
      channels: { irc: { host: server.host, port: server.port, tls: false, nick: "chela", channels: ["#here"] } },
    });
  });
  afterAll(async () => {
    await stage?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  test("are let in by a button, and their conversation is seen while it happens", async () => {
    const page = await stage.page({ at: "#/overview" });
    await using person = await IrcPerson.connect({ host: server.host, port: server.port, nick: "ada" });
    await person.join("#here");
    await person.until(() => person.lines.some((line) => line.includes("chela")));
    person.say("chela", "May I?");
    // Nothing was reloaded or asked for again: the gateway told the page.
    await page
      .getByRole("button", { name: /^Let in/ })
      .first()
      .click();
    await expect
      .poll(async () => (await stage.household.chela("pairing", "list", "--json")).stdout)
      .not.toContain("ada");

    await page.evaluate(() => void (location.hash = "#/sessions"));
    stage.model.script.push("Welcome, Ada.");
    person.say("chela", "Hello there");
    await person.until(() => person.directly().includes("Welcome, Ada."));
    await page.getByRole("main").getByRole("link", { name: "ada" }).first().click();
    const log = page.getByRole("log");
    await log.getByText("Welcome, Ada.").waitFor();
    expect(await log.getByText("Hello there").count()).toBe(1);

    // What an operator says here is answered here, not in the person's chat.
    stage.model.script.push("Only for you.");
    const box = page.getByRole("textbox", { name: "Message" });
    await box.fill("A word aside");
    await box.press("Enter");
    await log.getByText("Only for you.").waitFor();
    expect(person.directly()).not.toContain("Only for you.");

    stage.model.script.push("Here I am.");
    person.say("chela", "Still there?");
    await log.getByText("Here I am.").waitFor();
    await person.until(() => person.directly().includes("Here I am."));
  });
});

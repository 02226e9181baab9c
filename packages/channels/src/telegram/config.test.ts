import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { telegramChannel } from "./channel.ts";

const directory = mkdtempSync(join(tmpdir(), "chela-telegram-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const TOKEN = "123456:ABC-DEF_ghi";
const configure = (settings: unknown, env: Record<string, string> = {}) =>
  telegramChannel.configure(settings, (name) => env[name]);

describe("the token", () => {
  const file = join(directory, "token");
  writeFileSync(file, `${TOKEN}\n`);
  it.each([
    ["the settings", { botToken: TOKEN }, {}],
    ["a file", { tokenFile: file, botToken: "1:other" }, {}],
    ["the environment", {}, { TELEGRAM_BOT_TOKEN: TOKEN }],
  ])("comes from %s", (_place, settings, env) => {
    const read = configure(settings, env);
    expect(read.kind === "configured" && read.account.token.reveal()).toBe(TOKEN);
    expect(JSON.stringify(read)).not.toContain("ABC-DEF");
  });

  it("is not guessed when something is wrong with it", () => {
    writeFileSync(join(directory, "large"), "x".repeat(5000));
    const settings = [
      { tokenFile: join(directory, "missing"), botToken: TOKEN },
      { tokenFile: join(directory, "large") },
      { botToken: "../evil?x" },
      { botToken: 5 },
      "nonsense",
    ];
    for (const each of settings) expect(configure(each).kind).toBe("incomplete");
  });
});

describe("a webhook", () => {
  it.each([
    [{ webhookUrl: "https://a.example/t" }, /webhookSecret/],
    [{ webhookUrl: "https://a.example/t", webhookSecret: "with blanks" }, /letters, digits/],
    [{ webhookUrl: "nonsense", webhookSecret: "s" }, /webhookUrl/],
    [{ apiRoot: "ftp://x" }, /apiRoot/],
  ])("is refused as %j", (settings, why) => {
    const read = configure({ botToken: TOKEN, ...settings });
    expect(read.kind === "incomplete" && read.why).toMatch(why);
  });
});

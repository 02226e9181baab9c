// What channels tell of the way an account is connected: what is known, and nothing of the credential.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { AccountAbout } from "@chela/sdk";
import { CHANNELS } from "./index.ts";

const directory = mkdtempSync(join(tmpdir(), "chela-about-"));
const tokenFile = join(directory, "token");
writeFileSync(tokenFile, "1:from-a-file\n");
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const TOKEN = "1:canary";
const SLACK = { botToken: "xoxb-1", appToken: "xapp-1" };

it.for<[string, object, Record<string, string>, AccountAbout]>([
  ["telegram", { botToken: TOKEN }, {}, { mode: "polling", tokenSource: "config" }],
  ["telegram", {}, { TELEGRAM_BOT_TOKEN: TOKEN }, { mode: "polling", tokenSource: "env" }],
  ["telegram", { tokenFile, botToken: TOKEN }, {}, { mode: "polling", tokenSource: "tokenFile" }],
  [
    "telegram",
    { botToken: TOKEN, webhookUrl: "https://example.org/t", webhookSecret: "s" },
    {},
    { mode: "webhook", tokenSource: "config" },
  ],
  ["discord", { token: "a.b.c" }, {}, { tokenSource: "config" }],
  ["discord", {}, { DISCORD_BOT_TOKEN: "a.b.c" }, { tokenSource: "env" }],
  ["slack", SLACK, {}, { mode: "socket", botTokenSource: "config", appTokenSource: "config" }],
  [
    "slack",
    { botToken: "xoxb-1" },
    { SLACK_APP_TOKEN: "xapp-1" },
    { mode: "socket", botTokenSource: "config", appTokenSource: "env" },
  ],
  ["slack", { ...SLACK, mode: "http", signingSecret: "s" }, {}, { mode: "http", botTokenSource: "config" }],
  ["mattermost", { baseUrl: "https://x.org" }, { MATTERMOST_BOT_TOKEN: "t" }, { botTokenSource: "env" }],
])("%s with %j", async ([id, settings, env, about]) => {
  const channel = await CHANNELS.find((entry) => entry.id === id)?.load();
  const configured = channel?.configure(settings, (name) => env[name]);
  expect(configured?.kind === "configured" && configured.about).toEqual(about);
});

// Commands about channels: what is in the files without a gateway, and what a running gateway says and does.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  done,
  sentTo,
  startTelegramFixture,
  TOKEN,
  type TelegramFixture,
} from "../../../channels/test/telegram-fixture.test-support.ts";
import { Household, type Finished } from "../support/durability/child-gateway.ts";
import { eventually } from "../support/in-process.ts";
import type { Json } from "../support/wire-client.ts";

/** The block `channels` of the configuration. */
function channelsIn(home: Household): Record<string, Json> {
  const config = JSON.parse(readFileSync(join(home.stateDir, "openclaw.json"), "utf8")) as Json;
  return config["channels"] as Record<string, Json>;
}

/** What a person reads; notes on stderr count as a failure. */
async function told(home: Household, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await home.chela(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

async function typed(home: Household, secret: string, ...args: string[]): Promise<Finished> {
  const program = home.start(args);
  program.type(secret);
  program.endInput();
  return program.finished();
}

describe("without a gateway", () => {
  const home = new Household({ OPENCLAW_GATEWAY_PORT: "9" });
  afterAll(() => home[Symbol.asyncDispose]());

  it("a channel is added with a secret that is piped in, and listed", async () => {
    expect(await told(home, "channels", "list")).toMatch(
      /^No channel is configured\.\nChannels there are: .*telegram.*\n$/,
    );
    const added = await typed(home, TOKEN, "channels", "add", "telegram", "--name", "House");
    expect(added).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringMatching(/^Telegram is in the configuration\..*\n.*chela pairing list telegram\n$/),
    });
    const kept = "vault:telegram/default/botToken";
    expect(channelsIn(home)).toEqual({ telegram: { enabled: true, botToken: kept, name: "House" } });
    const second = await typed(home, `${TOKEN}2`, "channels", "add", "telegram", "--account", "office", "--json");
    expect(JSON.parse(second.stdout)).toEqual({ channel: "telegram", accountId: "office", written: true });
    const office = { enabled: true, botToken: "vault:telegram/office/botToken" };
    expect(channelsIn(home)["telegram"]?.["accounts"]).toEqual({ office });
    expect(await told(home, "channels", "list")).toMatch(
      /^CHANNEL.*\ntelegram +default +ready\ntelegram +office +ready\n/,
    );
  });

  it("a new secret takes the place of the old one", async () => {
    const { code, stderr } = await home.chela("channels", "add", "telegram", "--token", `${TOKEN}3`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("stays in the shell's history") });
    expect(channelsIn(home)["telegram"]).toMatchObject({ botToken: "vault:telegram/default/botToken", name: "House" });
    const { credentials } = JSON.parse(await told(home, "credential", "list", "--json"));
    expect(credentials.map(({ id }: Json) => id)).toEqual(["telegram/default/botToken", "telegram/office/botToken"]);
  });

  it("a channel that misses something is not written, and the sentence says what", async () => {
    const before = readFileSync(join(home.stateDir, "openclaw.json"), "utf8");
    const { code, stdout, stderr } = await home.chela("channels", "add", "irc");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^IRC needs more, so nothing was written: .*(host|nick)/);
    expect(await home.chela("channels", "add", "pigeon")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no such channel: "pigeon" (known: telegram'),
    });
    expect(await home.chela("channels", "add")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Say which"),
    });
    expect(await home.chela("channels", "add", "discord", "--use-env")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("DISCORD_BOT_TOKEN"),
    });
    expect(readFileSync(join(home.stateDir, "openclaw.json"), "utf8")).toBe(before);
  });

  it("a secret may stay in the environment", async () => {
    const env = { DISCORD_BOT_TOKEN: "from-the-environment" };
    expect(await home.chelaIn(env, "channels", "add", "discord", "--use-env")).toMatchObject({ code: 0, stderr: "" });
    expect(channelsIn(home)["discord"]).toEqual({ enabled: true });
    expect((await home.chelaIn(env, "channels", "list")).stdout).toMatch(/^discord +default +ready$/m);
    expect(await told(home, "channels", "list")).toMatch(/^discord +default +incomplete +A bot token is missing/m);
    expect((await home.chela("doctor")).stdout).toMatch(
      /fail +Channel +discord \(default\) cannot be used: A bot token is missing.*\n.*chela channels add discord/,
    );
  });

  it("a channel is switched off, and then removed", async () => {
    expect(await told(home, "channels", "remove", "discord")).toBe(
      "discord is switched off; its settings stay. --delete removes them.\n",
    );
    expect(channelsIn(home)["discord"]).toEqual({ enabled: false });
    expect(await told(home, "channels", "list")).toMatch(/^discord +default +off$/m);
    expect(await told(home, "channels", "remove", "discord", "--delete")).toMatch(
      /^discord is out of the configuration/,
    );
    expect(await told(home, "channels", "remove", "telegram", "--account", "office", "--delete")).toMatch(
      /^telegram \(office\)/,
    );
    expect(channelsIn(home)["telegram"]).not.toHaveProperty("accounts.office");
    expect(await home.chela("channels", "remove", "discord")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("channels.discord is not in the configuration"),
    });
  });

  it("people are let in, by the files", async () => {
    const now = new Date().toISOString();
    const requests = ["ABCD2345", "EFGH2345"].map((code, index) => ({
      id: String(index + 1),
      code,
      createdAt: now,
      lastSeenAt: now,
      meta: { accountId: "default", name: `Person ${index + 1}` },
    }));
    mkdirSync(join(home.stateDir, "credentials"), { recursive: true, mode: 0o700 });
    const file = join(home.stateDir, "credentials", "telegram-pairing.json");
    writeFileSync(file, JSON.stringify({ version: 1, requests }), { mode: 0o600 });
    expect(await told(home, "pairing", "list", "telegram")).toMatch(
      /ABCD2345 +telegram +default +1 +Person 1 .*\nEFGH2345[^]*chela pairing approve/,
    );
    expect(await told(home, "pairing", "approve", "telegram", "abcd2345")).toMatch(
      /^1 may write to telegram now\..*owner/,
    );
    expect(await told(home, "pairing", "reject", "EFGH2345", "--channel", "telegram")).toMatch(/^2 was not let in/);
    expect(await told(home, "pairing", "list")).toBe("Nobody waits to be let in.\n");
    const { records } = JSON.parse(await told(home, "audit", "list", "--action", "pairing", "--json"));
    expect(records).toMatchObject([
      { actor: "cli", target: "telegram:default:2", outcome: "denied" },
      { actor: "cli", target: "telegram:default:1", outcome: "ok" },
    ]);
    const allowed = readFileSync(join(home.stateDir, "credentials", "telegram-allowFrom.json"), "utf8");
    expect(JSON.parse(allowed)).toMatchObject({ allowFrom: ["1"] });
    expect(await home.chela("pairing", "approve", "telegram", "WRONG234")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("No pending pairing request has the code WRONG234."),
    });
  });

  it.each([
    [["channels", "status"]],
    [["deliveries"]],
    [["directory", "self"]],
    [["message", "send", "-t", "1", "-m", "hi"]],
  ])("%j says that no gateway answers", async (args) => {
    expect(await home.chela(...args)).toMatchObject({ code: 1, stderr: expect.stringContaining("No gateway answers") });
  });
});

describe("with a gateway", () => {
  const home = new Household();
  let telegram: TelegramFixture;
  const stranger = (id: number, text: string) => ({
    update_id: id,
    message: {
      message_id: id,
      date: 1789000000,
      chat: { id: 42, type: "private", first_name: "Ada" },
      from: { id: 42, is_bot: false, first_name: "Ada" },
      text,
    },
  });
  beforeAll(async () => {
    telegram = await startTelegramFixture();
    for (const method of ["setMyCommands", "sendChatAction"]) telegram.on(method, () => done(true));
    telegram.on("getWebhookInfo", () => done({ url: "", has_custom_certificate: false, pending_update_count: 0 }));
    telegram.on("sendMessage", ({ payload }) => sentTo(payload["chat_id"]));
    const channels = { telegram: { botToken: TOKEN, apiRoot: telegram.apiRoot }, irc: {} };
    writeFileSync(join(home.stateDir, "openclaw.json"), JSON.stringify({ channels }), { mode: 0o600 });
    await home.startGateway();
    await telegram.called("getUpdates");
  });
  afterAll(async () => {
    await home[Symbol.asyncDispose]();
    await telegram[Symbol.asyncDispose]();
  });

  it("shows how the channels do", async () => {
    const shown = await eventually("it is connected", async () => {
      const status = await told(home, "channels", "status", "--probe");
      return status.includes("connected") ? status : undefined;
    });
    expect(shown).toMatch(/^CHANNEL +ACCOUNT +STATE +LAST IN +LAST OUT\n/);
    expect(shown).toMatch(/^telegram +default +connected +never +never$/m);
    expect(shown).toMatch(/^irc +default +not set up.*\n {2}.*(host|nick)/m);
    const json = JSON.parse(await told(home, "channels", "status", "--json"));
    expect(json.channelOrder).toEqual(["telegram", "irc"]);
    const glance = await told(home, "status");
    expect(glance).toMatch(/^Channels +Telegram: connected\n +IRC: not set up: /m);
    expect(await told(home, "channels", "capabilities", "--channel", "telegram")).toMatch(
      /^telegram: Telegram; .*\n {2}default: send, /,
    );
    expect(await told(home, "channels", "logs", "--channel", "telegram", "--json")).toContain('"channel":"telegram"');
  });

  it("says in health how each account is connected, by what, and what its platform answers", async () => {
    expect(await told(home, "health", "--verbose")).toMatch(
      /^telegram \(default\): connected, polling, token from the configuration, the platform says that all is well \(just now\)$/m,
    );
    expect(await told(home, "health")).toMatch(/^irc \(default\): not set up, .*(host|nick)/m);
    const { channels } = JSON.parse(await told(home, "health", "--json"));
    expect(channels.telegram).toMatchObject({
      mode: "polling",
      tokenSource: "config",
      lastProbeAt: expect.any(Number),
    });
    expect(channels.irc).not.toHaveProperty("probe");
  });

  it("lets somebody in who wrote, and tells them", async () => {
    telegram.updates.push(stranger(1, "hello"));
    await telegram.called("sendMessage");
    const [request] = JSON.parse(await told(home, "pairing", "list", "--json")).requests;
    expect(request).toMatchObject({ channel: "telegram", id: "42" });
    expect(await told(home, "pairing", "approve", "telegram", request.code, "--notify")).toMatch(
      /^42 may write .* told\.\n$/,
    );
    const [, welcome] = await telegram.called("sendMessage", 2);
    expect(welcome?.payload).toMatchObject({ chat_id: expect.anything(), text: expect.stringContaining("let in") });
  });

  it("explains routes, and lists deliveries", async () => {
    const explain = ["routing", "explain", "--channel", "telegram", "--peer", "group:-100"];
    expect(await told(home, ...explain)).toMatch(/^Message: telegram.*\nSender: +a stranger\nAgent: +main\n/);
    expect(await home.chela("routing", "explain", "--channel", "telegram")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--peer direct:<id>"),
    });
    expect(await told(home, "deliveries", "--channel", "telegram")).toMatch(/delivered +telegram +42 /);
    expect(await told(home, "deliveries", "list", "--state", "undeliverable")).toBe("There are no such deliveries.\n");
    expect(await home.chela("deliveries", "resend", "nothing")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no delivery "nothing"'),
    });
  });

  it("says who it is, and what names mean", async () => {
    expect(await told(home, "channels", "resolve", "42", "--channel", "telegram")).toMatch(/^42 +42\n$/);
    const logout = await told(home, "channels", "logout", "--channel", "telegram");
    expect(logout).toMatch(/^Telegram .*\n$/);
    expect(await home.chela("channels", "login")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("web login provider is not available"),
    });
  });

  it("sends messages", async () => {
    const count = telegram.calls.filter(({ method }) => method === "sendMessage").length;
    const sent = await told(home, "message", "send", "--channel", "telegram", "-t", "42", "-m", "Good evening");
    expect(sent).toMatch(/^Delivered: telegram to 42 \(message 901\)\n$/);
    const calls = await telegram.called("sendMessage", count + 1);
    expect(calls.at(-1)?.payload).toMatchObject({ text: "Good evening" });
    const planned = [
      "message",
      "broadcast",
      "--channel",
      "telegram",
      "--targets",
      "42",
      "--targets",
      "43",
      "-m",
      "x",
      "--dry-run",
    ];
    expect(await told(home, ...planned)).toBe("Would be sent: telegram to 42\nWould be sent: telegram to 43\n");
  });
});

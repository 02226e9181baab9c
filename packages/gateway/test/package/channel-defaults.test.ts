// The defaults that the reference shows for channels and messages are those the channels and rooms act on.
import { describe, expect, it, test } from "vitest";
import type { Channel } from "@chela/sdk";
import { CHANNELS } from "../../src/rooms/channels/index.ts";
import { parsePath, putAt, type JsonObject } from "../../src/rooms/config/edit/path.ts";
import { configReferenceRows } from "../../src/rooms/config/reference.ts";
import { concurrencyLimits, replySettings } from "../../src/rooms/config/room.ts";
import { queueSettings } from "../../src/rooms/sessions/room.ts";

const rows = configReferenceRows();
const presets = rows.filter((row) => row.default !== undefined && !row.path.includes("<key>"));
const builtIn = CHANNELS.filter((entry) => entry.package === undefined);

/** What an account needs at least. */
const LEAST: Readonly<Record<string, JsonObject>> = {
  telegram: { botToken: "1:a" },
  discord: { token: "t" },
  slack: { botToken: "xoxb-1", appToken: "xapp-1" },
  "whatsapp-cloud": { accessToken: "a", phoneNumberId: "1", appSecret: "s", verifyToken: "v" },
  signal: { account: "+15551234567" },
  irc: { host: "irc.example.org", nick: "bot" },
  email: {
    address: "bot@example.org",
    imap: { host: "imap.example.org", password: "p" },
    smtp: { host: "smtp.example.org" },
  },
  mattermost: { botToken: "t", baseUrl: "https://chat.example.org" },
  xmpp: { jid: "agent@example.org", password: "p" },
  sms: {
    accountSid: `AC${"0".repeat(32)}`,
    authToken: "t",
    from: "+15550001111",
    publicUrl: "https://bot.example.org/sms/webhook",
  },
  webhook: { secret: "0123456789abcdef" },
};
/** Made from the account's name; and a status is told to Discord only when one is set. */
const MADE = ["webhookPath", "path", "status", "activityType"];

function accountOf(channel: Channel, settings: JsonObject): unknown {
  const configured = channel.configure(settings, () => undefined);
  return configured.kind === "configured" ? JSON.parse(JSON.stringify(configured.account)) : configured;
}

describe.each(builtIn)("the defaults of $id", ({ id, load }) => {
  const defaults = presets
    .filter(({ path }) => path.startsWith(`channels.${id}.`))
    .map((row) => [row.path.slice(`channels.${id}.`.length), row.default] as const);

  it("change nothing when they are written", async () => {
    const channel = await load();
    const written = structuredClone(LEAST[id] ?? {});
    for (const [key, value] of defaults) if (!MADE.includes(key)) putAt(written, parsePath(key), value);
    expect(accountOf(channel, written)).toEqual(accountOf(channel, LEAST[id] ?? {}));
    expect(accountOf(channel, LEAST[id] ?? {})).not.toHaveProperty("kind");
    expect(channel.policy(written)).toEqual(channel.policy(LEAST[id] ?? {}));
  });

  it("have the channel's own limit of a text", async () => {
    expect(new Map(defaults).get("textChunkLimit")).toBe((await load()).traits.textLimit);
  });
});

test("every channel there is has keys that are used", () => {
  const used = (id: string) => rows.some(({ path, implemented }) => implemented && path.startsWith(`channels.${id}.`));
  expect(CHANNELS.map(({ id }) => id).filter((id) => !used(id))).toEqual([]);
});

describe("the defaults of messages", () => {
  const written: JsonObject = {};
  for (const { path, default: value } of presets) putAt(written, parsePath(path), value);

  it("change nothing about answers when they are written", () => {
    const { typingEveryMs, statusReactions, ...shown } = replySettings(written, {}, "main");
    const { typingEveryMs: _, statusReactions: none, ...unwritten } = replySettings({}, {}, "main");
    expect(shown).toEqual(unwritten);
    expect(typingEveryMs).toBe(6000);
    expect([statusReactions, none]).toEqual([undefined, undefined]);
  });

  it("change nothing about status reactions that are switched on", () => {
    const { emojis, timing } = (written["messages"] as { statusReactions: { emojis: object; timing: object } })
      .statusReactions;
    const { statusReactions } = replySettings({ messages: { statusReactions: { enabled: true } } }, {}, "main");
    expect(statusReactions).toMatchObject({ emojis, ...timing });
  });

  it("change nothing about queues and limits", () => {
    const { queue } = written["messages"] as { queue: object };
    expect(queueSettings(queue, undefined, "telegram", "collect")).toEqual(
      queueSettings(undefined, undefined, "telegram", "collect"),
    );
    expect(concurrencyLimits(written)).toEqual(concurrencyLimits({}));
  });
});

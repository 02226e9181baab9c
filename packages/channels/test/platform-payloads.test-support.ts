// What each platform really sends, as recorded, and the reader of its channel: so that every field of it can be made to
// say something else.
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { ChannelEvent } from "@chela/sdk";

export interface Platform {
  /** By name: strings and numbers anywhere inside are what a sender might choose. */
  payloads(): Promise<Readonly<Record<string, unknown>>>;
  read(payload: unknown, name: string): Promise<readonly ChannelEvent[]>;
  /** What of a text can stand in a field there. */
  fit?(text: string): string;
  /** Fields by which the platform itself says who it was and where, by their paths. */
  readonly vouched: RegExp;
}

const SOURCES = join(import.meta.dirname, "../src");
const PACKAGES = join(import.meta.dirname, "../..");
const NOW = 1_789_000_099_000;

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));
const recorded = (path: string) => readJson(path) as Record<string, unknown>;
const files = (folder: string, ending: string): string[] => globSync(`${folder}/fixtures/*.${ending}`).toSorted();
const eachFile = (folder: string): Record<string, unknown> =>
  Object.fromEntries(files(folder, "json").map((path) => [basename(path, ".json"), readJson(path)]));

/** Words of a text, and what stands between them: words are fields, too. */
const wordsOf = (text: string): string[] => text.split(/([\p{L}\p{N}._~+#$-]+)/u);
const joined = (pieces: unknown): string => (pieces as string[]).join("");

interface MaybeEvent {
  readonly kind: string;
  readonly event?: ChannelEvent;
  readonly events?: readonly ChannelEvent[];
}
const eventsIn = ({ event, events }: MaybeEvent): readonly ChannelEvent[] => events ?? (event ? [event] : []);

export const PLATFORMS: Readonly<Record<string, Platform>> = {
  telegram: {
    payloads: async () => recorded(join(SOURCES, "telegram/fixtures/updates.json")),
    async read(payload) {
      const { parseUpdate } = await import("../src/telegram/parse.ts");
      const us = { id: 700700700, username: "chela_bot", wrote: () => false };
      return eventsIn(parseUpdate(payload, us, NOW));
    },
    vouched: /^(?!.*reply_to_message)\w+\.(from|user|sender_chat|actor_chat|chat|message\.chat)\.(id|type)$/,
  },
  irc: {
    async payloads() {
      const lines = readJson(join(SOURCES, "irc/fixtures/messages.json")) as { what: string; raw: string }[];
      return Object.fromEntries(lines.map(({ what, raw }) => [what, lineParts(raw)]));
    },
    async read(payload) {
      const { createServerFacts } = await import("../src/irc/server/server-facts.ts");
      const { parseLine } = await import("../src/irc/server/line.ts");
      const { parseEvent } = await import("../src/irc/receive/parse.ts");
      const facts = createServerFacts("chela");
      const line = parseLine(joinLine(payload as LineParts));
      if (!line) return [];
      const account = line.tags.get("account");
      const context = { facts, knownRooms: [], account, isReplayed: false, isOurMessage: () => false };
      return eventsIn(parseEvent(line, { ...context, now: () => NOW, newId: () => "new" }));
    },
    fit: (text) => text.replaceAll(/[\s\0;]/g, "_"),
    vouched: /^(tags\.account|source|command|target)\./,
  },
  discord: {
    payloads: async () => eachFile(join(SOURCES, "discord")),
    async read(payload, name) {
      const { Interaction, Message, Reaction } = await import("../src/discord/receive/payload.ts");
      const { parseEdit, parseMessage, parseReaction } = await import("../src/discord/receive/parse.ts");
      const { parseInteraction } = await import("../src/discord/receive/parse-interaction.ts");
      const chat = { kind: "channel" as const, id: "300000000000000001", guildId: "500000000000000001" };
      const around = { self: { id: "135000000000000001", name: "chela" }, chat, ownRole: "400000000000000009" };
      if (name === "reaction") {
        const { data } = Reaction().safeParse(payload);
        return data ? eventsIn(parseReaction(data, around, { id: "r1", at: 5, isRemoved: false, onOurs: true })) : [];
      }
      if (name === "slash-command" || name === "button") {
        const { data } = Interaction().safeParse(payload);
        return data ? eventsIn(parseInteraction(data, { chat, at: 1, data: "approve:42" })) : [];
      }
      const { data } = Message().safeParse(payload);
      if (!data) return [];
      return eventsIn(name === "edit" ? parseEdit(data, around, "before") : parseMessage(data, around));
    },
    vouched: /^(author\.id|user\.id|member\.user\.id|user_id|webhook_id|member\.roles\.\d+)$/,
  },
  slack: {
    payloads: async () => eachFile(join(SOURCES, "slack")),
    async read(payload, name) {
      const { Action, Callback, Command, Event } = await import("../src/slack/wire.ts");
      const { parseAction, parseCommand, parseEvent } = await import("../src/slack/receive/parse.ts");
      const self = { userId: "U0CHELABOT", botId: "B0CHELABOT", teamId: "T0CHELA01", name: "chela" };
      const around = { self, names: new Map([["U0ALICE001", "Alice"]]), now: NOW };
      if (name === "slash-command") {
        const { data } = Command().safeParse(payload);
        return data ? eventsIn(parseCommand(data, { name: "openclaw" }, around)) : [];
      }
      if (name === "block-actions") {
        const { data } = Action().safeParse(payload);
        return data ? eventsIn(parseAction(data, around)) : [];
      }
      const { data } = Event().safeParse(Callback().safeParse(payload).data?.event);
      return data ? eventsIn(parseEvent(data, around)) : [];
    },
    vouched:
      /^(event\.(message\.|previous_message\.)?(user|bot_id|channel|channel_type|type|subtype)|event\.item\.channel|user_id|user\.id|channel_id|channel\.id|container\.channel_id)$/,
  },
  whatsapp: {
    async payloads() {
      const path = join(PACKAGES, "channel-whatsapp/src/fixtures/messages.json");
      return JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
    },
    async read(payload) {
      const { parseMessage } = await import("../../channel-whatsapp/src/receive/parse.ts");
      const us = { jids: ["15550000000@s.whatsapp.net", "777000777@lid"], takesSelfChat: false };
      return eventsIn(parseMessage(payload as Parameters<typeof parseMessage>[0], us));
    },
    vouched: /^(key\.\w+|participant|broadcast)$/,
  },
  "whatsapp-cloud": {
    payloads: async () => eachFile(join(SOURCES, "whatsapp-cloud")),
    async read(payload) {
      const { readNotification } = await import("../src/whatsapp-cloud/wire.ts");
      const { parseMessage } = await import("../src/whatsapp-cloud/parse.ts");
      const values = readNotification(Buffer.from(JSON.stringify(payload))) ?? [];
      return values.flatMap((value) =>
        (value.messages ?? []).flatMap((raw) => eventsIn(parseMessage(raw, { value, isTheirs: () => false }))),
      );
    },
    vouched: /\.messages\.\d+\.(from|group_id)$/,
  },
  signal: {
    payloads: async () => recorded(join(SOURCES, "signal/fixtures/frames.json")),
    async read(payload) {
      const { parseFrame } = await import("../src/signal/parse.ts");
      const isUs = ({ number }: { number?: string | null | undefined }) => number === "+15550100000";
      const reader = { isUs, isAddressee: () => true, nameOf: () => undefined, takesAttachments: true };
      return eventsIn(parseFrame(payload, reader));
    },
    vouched: /\b(source|sourceUuid|sourceNumber|groupId)$/,
  },
  matrix: {
    payloads: async () => recorded(join(PACKAGES, "channel-matrix/src/fixtures/events.json")),
    async read(payload) {
      const { parseEvent } = await import("../../channel-matrix/src/receive/parse.ts");
      const { RoomEvent } = await import("../../channel-matrix/src/wire.ts");
      const { data } = RoomEvent().safeParse(payload);
      const room = { id: "!garden:example.org", title: "Garden" };
      if (!data) return [];
      return eventsIn(
        parseEvent(data, { us: "@agent:example.org", room, threadReplies: "inbound", nameOf: () => undefined }),
      );
    },
    vouched: /^sender$/,
  },
  email: {
    async payloads() {
      const mails = Object.entries(eachFile(join(SOURCES, "email"))) as [string, Mail][];
      return Object.fromEntries(mails.map(([name, mail]) => [name, { ...mail, header: fieldsOf(mail.header) }]));
    },
    async read(payload) {
      const { header, structure, parts } = payload as Omit<Mail, "header"> & { header: Record<string, string[]> };
      const { parseHeaders } = await import("../src/email/read/headers.ts");
      const { readEnvelope } = await import("../src/email/read/envelope.ts");
      const { readLayout, toMedia } = await import("../src/email/read/structure.ts");
      const { readBody } = await import("../src/email/read/body.ts");
      const { toEvent } = await import("../src/email/read/parse.ts");
      const rules = {
        ourAddress: "bot@example.org",
        requireDmarc: true,
        servers: ["mx.google.com"],
        home: "x.example",
      };
      const lines = Object.values(header).map(joined).join("\r\n");
      const found = readEnvelope(parseHeaders(Buffer.from(lines)), rules);
      if (found.kind === "dropped") return [];
      const { sections, files: attached } = readLayout(structure as Parameters<typeof readLayout>[0]);
      const text = await readBody(sections, async (key) => Buffer.from(parts[key] ?? "", "latin1"));
      const media = attached.map((file) => toMedia(file, { uidValidity: "7", uid: 3 }));
      return [toEvent(found.envelope, { text, media }, { at: 1, isOurs: () => false })];
    },
    fit: (text) => text.replaceAll(/[\r\n]/g, " "),
    vouched: /^header\.\d+ From\./,
  },
  webhook: {
    payloads: async () => ({
      own: {
        id: "m1",
        from: { id: "u1", name: "Ada" },
        text: "hello",
        chat: { id: "g1", kind: "group", title: "Lunch", threadId: "t1" },
        replyTo: "m0",
      },
      direct: { id: "m2", from: { id: "u1", name: "Ada" }, text: "hello" },
      github: readJson(join(SOURCES, "webhook/fixtures/issue-opened.json")),
    }),
    async read(payload, name) {
      const { parseRequest } = await import("../src/webhook/parse.ts");
      const { parseGithub } = await import("../src/webhook/parse-github.ts");
      const around = { now: NOW, sender: undefined, isOurs: () => false };
      if (name !== "github") return eventsIn(parseRequest(payload, around));
      const headers = { "x-github-event": "issues", "x-github-delivery": "1" };
      const call = { headers, body: Buffer.from(JSON.stringify(payload)) };
      return eventsIn(parseGithub(payload, call, undefined, around));
    },
    vouched: /^(from\.id|chat\.id|chat\.kind|sender\.id)$/,
  },
  xmpp: {
    async payloads() {
      const stanzas = files(join(SOURCES, "xmpp"), "xml");
      return Object.fromEntries(
        stanzas.map((path) => [basename(path), stanzaParts(readFileSync(path, "utf8").trim())]),
      );
    },
    async read(payload) {
      const { xml } = await import("@xmpp/client");
      const { parseMessage } = await import("../src/xmpp/receive/parse.ts");
      const found: Parameters<typeof parseMessage>[0][] = [];
      const parser = new xml.Parser();
      parser.on("element", (element) => void found.push(element));
      try {
        parser.write(
          `<stream xmlns="jabber:client">${Object.values(payload as object)
            .map(joined)
            .join("")}</stream>`,
        );
      } catch {
        // A server hands on no such thing.
        return [];
      }
      const [message] = found;
      if (!message) return [];
      const room = {
        nick: "chela",
        stampsIds: true,
        senderOf: (nick: string) => ({ id: "alice@example.org", name: nick }),
        isUs: (nick: string) => nick === "chela",
      };
      const context = {
        self: "chela@example.org",
        stampsIds: true,
        room: (jid: string) => (jid === "open@rooms.example.org" ? room : undefined),
        isOurMessage: () => false,
        messageIdOf: (_chat: unknown, _sender: unknown, id: string) => id,
        reactionsOf: () => [],
        now: () => NOW,
        newId: () => "new",
      };
      return eventsIn(parseMessage(message, context));
    },
    fit: (text) =>
      text
        .replaceAll(/[<>&"'\p{Cc}]/gu, (sign) => `&#${sign.codePointAt(0)};`)
        .replaceAll(/&#(?:[0-8]|1\d|2\d|3[01]);/g, ""),
    vouched: /^from\./,
  },
  mattermost: {
    async payloads() {
      const { Frame } = await import("../src/mattermost/wire.ts");
      const inner = (frame: unknown): unknown => {
        const read = Frame().parse(frame) as { data?: Record<string, unknown> };
        return JSON.parse(String(read.data?.["post"] ?? read.data?.["reaction"]));
      };
      return Object.fromEntries(
        Object.entries(eachFile(join(SOURCES, "mattermost"))).map(([name, frame]) => [name, inner(frame)]),
      );
    },
    async read(payload, name) {
      const { Post, Reaction } = await import("../src/mattermost/wire.ts");
      const { parseEdit, parsePost, parseReaction } = await import("../src/mattermost/parse.ts");
      const self = { id: "bot00000000000000000000000", username: "chela" };
      const channelType = name.includes("direct") ? "D" : "O";
      const around = { self, channelType, mentions: [], prefixes: [], isOurPost: () => false };
      if (name.startsWith("reaction")) {
        const { data } = Reaction().safeParse(payload);
        const place = { channelId: "c1", rootId: undefined, isRemoved: false, onOurs: true, now: 9 };
        return data ? eventsIn(parseReaction(data, place, around)) : [];
      }
      const { data } = Post().safeParse(payload);
      if (!data) return [];
      return eventsIn(name.includes("edited") ? parseEdit(data, around) : parsePost(data, around));
    },
    vouched: /^(user_id|channel_id)$/,
  },
  sms: {
    payloads: async () => recorded(join(SOURCES, "sms/fixtures/requests.json")),
    async read(payload) {
      const { parseRequest } = await import("../src/sms/parse.ts");
      const ours = { accountSid: "AC00000000000000000000000000000000", from: "+15550001111" };
      return eventsIn(parseRequest(new URLSearchParams(payload as Record<string, string>), ours, NOW));
    },
    vouched: /^From$/,
  },
};

interface Mail {
  readonly header: readonly string[];
  readonly structure: unknown;
  readonly parts: Readonly<Record<string, string | undefined>>;
}

/** Lines by their names, the words of each for itself; a line that goes on belongs to the one before it. */
function fieldsOf(lines: readonly string[]): Record<string, string[]> {
  let name = "";
  return Object.fromEntries(
    lines.map((line, at) => {
      name = /^([\w-]+):/.exec(line)?.[1] ?? name;
      const begin = /^[\w-]+:/.exec(line)?.[0] ?? "";
      return [`${at} ${name}`, [begin, ...wordsOf(line.slice(begin.length))]];
    }),
  );
}

interface LineParts {
  readonly tags: Readonly<Record<string, readonly string[]>>;
  readonly source: readonly string[];
  readonly command: readonly string[];
  readonly target: readonly string[];
  readonly rest: readonly string[];
}

function lineParts(raw: string): LineParts {
  const [, tags = "", source = "", command = "", target = "", rest = ""] =
    /^(?:@(\S+) )?(:\S+ )?(\S+)( \S+)?(.*)$/s.exec(raw) ?? [];
  const named = tags.split(";").filter(Boolean);
  return {
    tags: Object.fromEntries(named.map((tag) => [tag.replace(/=.*/s, ""), wordsOf(tag.replace(/^[^=]*/, ""))])),
    source: wordsOf(source),
    command: wordsOf(command),
    target: wordsOf(target),
    rest: wordsOf(rest),
  };
}

function joinLine({ tags, source, command, target, rest }: LineParts): string {
  const named = Object.entries(tags).map(([name, value]) => `${name}${joined(value)}`);
  return [named.length > 0 ? `@${named.join(";")} ` : "", ...[source, command, target, rest].map(joined)].join("");
}

/** What a server writes itself, and all else. */
function stanzaParts(text: string): Record<string, string[]> {
  const [, before = "", from = "", rest = text] = /^(<\w+[^>]*? from=")([^"]*)(".*)$/s.exec(text) ?? [];
  return { before: wordsOf(before), from: wordsOf(from), rest: wordsOf(rest) };
}

// What operators write, and what it means.
import { describe, expect, it } from "vitest";
import { ircChannel } from "./channel.ts";

const none = (): undefined => undefined;

describe("the settings of an account", () => {
  it("have sensible defaults: TLS, its port, the nick as name", () => {
    expect(ircChannel.configure({ host: "irc.example", nick: "Chela" }, none)).toMatchObject({
      kind: "configured",
      account: { port: 6697, tls: true, username: "chela", realname: "Chela", nickserv: undefined, channels: [] },
    });
    expect(ircChannel.configure({ host: "irc.example", nick: "x", tls: false }, none)).toMatchObject({
      account: { port: 6667 },
    });
  });

  it("are filled in from the environment", () => {
    const env: Record<string, string> = {
      IRC_HOST: "irc.example",
      IRC_PORT: "7000",
      IRC_TLS: "false",
      IRC_NICK: "chela",
      IRC_CHANNELS: "#a, #b key",
      IRC_PASSWORD: "p",
      IRC_NICKSERV_PASSWORD: "n",
    };
    expect(ircChannel.configure({}, (name) => env[name])).toMatchObject({
      kind: "configured",
      account: {
        host: "irc.example",
        port: 7000,
        tls: false,
        channels: [{ name: "#a" }, { name: "#b", key: "key" }],
        password: { text: "p" },
        nickserv: { service: "NickServ", password: { text: "n" } },
      },
    });
  });

  it.each([
    [{ nick: "chela" }, /host/],
    [{ host: "irc.example" }, /nick/],
    [{ host: "irc.example", nick: "two words" }, /two words/],
    [{ host: "irc.example", nick: "#room" }, /#room/],
    [{ host: "irc.example", nick: "chela", channels: ["room"] }, /"room" is no channel/],
    [{ host: "irc.example", nick: "chela", port: 0 }, /port/],
    [{ host: "irc.example", nick: "chela", tlsFingerprint: "abc" }, /64/],
    [{ host: "irc.example", nick: "chela", tlsCert: "/a" }, /tlsKey/],
  ])("say what is wrong with %j", (settings, why) => {
    expect(ircChannel.configure(settings, none)).toMatchObject({ kind: "incomplete", why: expect.stringMatching(why) });
  });

  it("name groups without case", () => {
    expect(ircChannel.policy({ groups: { "#Room": { requireMention: false }, "*": {} } }).groups).toEqual({
      "#room": { requireMention: false },
      "*": {},
    });
  });
});

describe("an entry of an allow-list", () => {
  it.each([
    ["account:Alice", { kind: "id", id: "account:alice" }],
    ["user:account:alice", { kind: "id", id: "account:alice" }],
    ["host:~Alice@host.example", { kind: "id", id: "host:~alice@host.example" }],
    ["~alice@2001:db8::1", { kind: "id", id: "host:~alice@2001:db8::1" }],
    ["alice!~alice@host.example", { kind: "id", id: "mask:alice!~alice@host.example" }],
    ["mask:alice!~alice@host.example", { kind: "id", id: "mask:alice!~alice@host.example" }],
    ["alice", { kind: "name", name: "alice" }],
    ["irc:alice", { kind: "name", name: "alice" }],
    ["account:\u212Aate", { kind: "id", id: "account:\u212Aate" }],
  ])("%j means %j", (written, id) => {
    expect(ircChannel.readId(written)).toEqual(id);
  });

  it.each(["", "two words", "*!*@host.example", "account:", "host:alice", "mask:a@b", "#room", "a!b", "@host"])(
    "%j means nobody",
    (written) => {
      expect(ircChannel.readId(written).kind).toBe("unusable");
    },
  );
});

describe("an address", () => {
  it.each([
    ["#Room", { to: "#Room" }, { kind: "group", id: "#room" }],
    ["irc:channel:#Room", { to: "#Room" }, { kind: "group", id: "#room" }],
    ["Alice", { to: "Alice" }, { kind: "direct", id: "alice" }],
    ["user:alice", { to: "alice" }, { kind: "direct", id: "alice" }],
  ])("%j leads to %j", (written, target, chat) => {
    expect(ircChannel.readTarget(written)).toEqual({ kind: "target", target, chat });
  });

  it.each(["", "a b", "a,b", "account:alice", "channel:room", "user:#room", "$*", "a\nQUIT"])(
    "%j leads nowhere",
    (written) => {
      expect(ircChannel.readTarget(written).kind).toBe("unusable");
    },
  );
});

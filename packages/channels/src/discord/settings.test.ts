// What an account's settings mean: the token, who may speak where, and how people and places are written.
import { describe, expect, it } from "vitest";
import { discordChannel } from "./channel.ts";

const GUILD = "500000000000000001";
const ROOM = "300000000000000001";
const { configure, policy, readId, readTarget } = discordChannel;

describe("the account", () => {
  it("takes its token from the settings or the environment, without the word in front", () => {
    for (const [settings, env] of [
      [{ token: "Bot abc.def" }, undefined],
      [{}, "abc.def"],
      [{ token: "abc.def" }, "other"],
    ] as const) {
      expect(configure(settings, () => env)).toMatchObject({ kind: "configured", account: { token: "abc.def" } });
    }
  });

  it("says what cannot be used, and never shows the token", () => {
    for (const settings of [
      null,
      {},
      { token: "a b" },
      { token: "abc", apiRoot: "ftp://x" },
      { token: "abc", publicKey: "xyz" },
    ]) {
      const read = configure(settings, () => undefined);
      expect(read.kind).toBe("incomplete");
      expect(JSON.stringify(read)).not.toContain("abc");
    }
  });
});

describe("who is let in", () => {
  it("is read from the old and the new keys for direct chats", () => {
    expect(policy({ dmPolicy: "open", allowFrom: ["*"] })).toMatchObject({ dm: "open", allowFrom: ["*"] });
    expect(policy({ dm: { policy: "allowlist", allowFrom: ["200000000000000001"] } })).toMatchObject({
      dm: "allowlist",
      allowFrom: ["200000000000000001"],
    });
    expect(policy({ dm: { enabled: false } }).dm).toBe("disabled");
  });

  it("is everybody in a listed guild, unless people or roles are listed", () => {
    const { groups } = policy({ guilds: { [GUILD]: { requireMention: false }, "*": { users: [] } } });
    expect(groups).toEqual({
      [`${GUILD}/*`]: { group: "open", requireMention: false },
      "*": { group: "allowlist", allowFrom: [] },
    });
  });

  it("is narrowed by a guild's channels, which inherit from it", () => {
    const { groups } = policy({
      guilds: {
        [GUILD]: {
          users: ["200000000000000001"],
          roles: ["400000000000000001"],
          requireMention: false,
          channels: {
            [ROOM]: { requireMention: true, systemPrompt: "Be kind." },
            "#help": { users: ["200000000000000002"] },
            "300000000000000002": { allow: false },
            "300000000000000003": { enabled: false },
          },
        },
      },
    });
    expect(groups[`${GUILD}/*`]).toEqual({ isEnabled: false });
    expect(groups[`${GUILD}/${ROOM}`]).toEqual({
      group: "allowlist",
      allowFrom: ["200000000000000001"],
      roles: ["400000000000000001"],
      requireMention: true,
      systemPrompt: "Be kind.",
    });
    expect(groups[`${GUILD}/help`]).toMatchObject({ allowFrom: ["200000000000000002"] });
    expect(groups[`${GUILD}/300000000000000002`]).toEqual({ isEnabled: false });
    expect(groups[`${GUILD}/300000000000000003`]).toEqual({ isEnabled: false });
  });

  it("is nobody where groups are switched off or nothing can be read", () => {
    const off = policy({ groupPolicy: "disabled", guilds: { [GUILD]: {} } });
    expect(off.groups[`${GUILD}/*`]).toEqual({ group: "disabled" });
    for (const broken of [{ guilds: 5 }, { dm: "x" }, { guilds: { [GUILD]: 5 } }, { groupPolicy: "everyone" }]) {
      const { group, groups } = policy(broken);
      const isShut = group === "disabled" || Object.values(groups).every(({ isEnabled }) => isEnabled === false);
      expect(isShut, JSON.stringify(broken)).toBe(true);
    }
  });
});

describe("people and places", () => {
  it("of a list are ids or names", () => {
    const id = "200000000000000001";
    for (const written of [id, ` ${id} `, `user:${id}`, `discord:${id}`, `<@${id}>`, `<@!${id}>`]) {
      expect(readId(written)).toEqual({ kind: "id", id });
    }
    expect(readId("@alice")).toEqual({ kind: "name", name: "alice" });
    for (const written of ["", " ", "12345", "@"]) expect(readId(written).kind, written).toBe("unusable");
  });

  it("to write to are told apart, and a number alone is asked about", () => {
    const id = "200000000000000001";
    expect(readTarget(`<@${id}>`)).toMatchObject({ target: { to: `user:${id}` }, chat: { kind: "direct", id } });
    expect(readTarget(`<#${id}>`)).toMatchObject({ target: { to: `channel:${id}` }, chat: { kind: "channel", id } });
    expect(readTarget("#general")).toEqual({ kind: "name", name: "#general" });
    const alone = readTarget(id);
    expect(alone.kind === "unusable" && alone.why).toContain(`user:${id} or channel:${id}`);
  });
});

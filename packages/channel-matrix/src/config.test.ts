// Settings as people write them, and what they let in.
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { channel } from "./channel.ts";

const none = (): undefined => undefined;
const whole = { homeserver: "https://matrix.example.org/", accessToken: "syt_secret" };

describe("an account of Matrix", () => {
  it.each([
    [{}, /homeserver/],
    [{ homeserver: "matrix.example.org" }, /https:\/\//],
    [{ ...whole, homeserver: "http://matrix.example.org" }, /https/],
    [{ homeserver: whole.homeserver }, /accessToken/],
    [{ homeserver: whole.homeserver, password: "x" }, /userId/],
    [{ ...whole, userId: "agent" }, /@bot:example\.org/],
    [{ ...whole, accessToken: "two words" }, /accessToken/],
    [{ ...whole, autoJoinAllowlist: ["Project Room"] }, /autoJoinAllowlist/],
    [{ ...whole, encryption: "yes" }, /encryption/],
  ])("%j is not enough, and it says what is missing", (settings, why) => {
    expect(channel.configure(settings, none)).toMatchObject({ kind: "incomplete", why: expect.stringMatching(why) });
  });

  it("can be in the environment, and shows its secrets to nobody", () => {
    const env: Record<string, string> = {
      MATRIX_HOMESERVER: "http://localhost:8008",
      MATRIX_ACCESS_TOKEN: "syt_secret",
    };
    const configured = channel.configure({}, (name) => env[name]);
    expect(configured).toMatchObject({
      account: { homeserver: "http://localhost:8008", isEncrypting: false, autoJoin: "off" },
    });
    expect(JSON.stringify(configured) + inspect(configured, { depth: 9 })).not.toContain("syt_secret");
  });

  it("is made anew when only its secret changes", () => {
    const one = channel.configure(whole, none);
    const other = channel.configure({ ...whole, accessToken: "syt_other" }, none);
    expect(JSON.stringify(one)).not.toBe(JSON.stringify(other));
  });

  it("lets in whom its own words and the common ones name", () => {
    const policy = channel.policy({
      dm: { policy: "allowlist", allowFrom: ["@a:x.org"] },
      groupPolicy: "open",
      rooms: { "!one:x.org": { users: ["@b:x.org"], autoReply: true } },
      groups: { "!two:x.org": { requireMention: true } },
    });
    expect(policy).toMatchObject({ dm: "allowlist", allowFrom: ["@a:x.org"], group: "open" });
    expect(policy.groups).toEqual({
      "!one:x.org": { allowFrom: ["@b:x.org"], requireMention: false },
      "!two:x.org": { requireMention: true },
    });
  });

  it.each([
    [{ dm: { enabled: false, policy: "open" } }, { dm: "disabled" }],
    [{ dm: "open" }, { dm: "disabled", group: "disabled" }],
    [{ groups: [] }, { dm: "disabled", group: "disabled" }],
    [
      { allowlistOnly: true, groupPolicy: "open", dmPolicy: "open" },
      { dm: "allowlist", group: "allowlist" },
    ],
  ])("%j opens nothing by mistake", (settings, expected) => {
    expect(channel.policy(settings)).toMatchObject(expected);
  });

  it.each([
    ["@alice:example.org", { kind: "id", id: "@alice:example.org" }],
    ["matrix:user:@alice:example.org", { kind: "id", id: "@alice:example.org" }],
    ["!room:example.org", { kind: "id", id: "!room:example.org" }],
    ["!v12roomswithoutserver", { kind: "id", id: "!v12roomswithoutserver" }],
    ["#room:example.org", { kind: "name", name: "#room:example.org" }],
    ["*", { kind: "id", id: "*" }],
  ])("reads %s", (written, expected) => expect(channel.readId(written)).toEqual(expected));

  it.each(["alice", "Alice Example", "@alice", "@alice example:org", "", "!a/../b"])("takes %j for nobody", (written) =>
    expect(channel.readId(written).kind).toBe("unusable"),
  );

  it.each([
    [
      "room:!room:example.org",
      { kind: "target", target: { to: "!room:example.org" }, chat: { kind: "group", id: "!room:example.org" } },
    ],
    [
      "user:@a:example.org",
      { kind: "target", target: { to: "@a:example.org" }, chat: { kind: "direct", id: "@a:example.org" } },
    ],
    ["#room:example.org", { kind: "name", name: "#room:example.org" }],
  ])("sends to %s", (written, expected) => expect(channel.readTarget(written)).toEqual(expected));
});

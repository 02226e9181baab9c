import type { PersonRole } from "@chela/sdk";
import { describe, expect, it } from "vitest";
import { fakeWorld, GUEST, OWNER, STRANGER } from "../../support/chat-commands.ts";
import { COMMANDS, commandsIn } from "../../support/chat-commands.ts";
import { may } from "../../../src/rooms/commands/room.ts";
import type { CommandRequester, CommandSettings } from "@chela/sdk";

const sender = (changes: Partial<CommandRequester>): CommandRequester => ({ ...STRANGER, ...changes });
type Who = Parameters<typeof may>[1]["who"];
const AUTHORISED = { who: "authorised" } as const;
const OWNERS = { who: "owner" } as const;
const CHANNEL_OWNER = sender({ id: "1", isAuthorised: true, isOwner: true });

describe("who is authorised", () => {
  it.each<[string, CommandRequester, CommandSettings, boolean]>([
    ["the channel's verdict counts without a list", GUEST, {}, true],
    ["the channel's verdict counts without a list", STRANGER, {}, false],
    ["a list alone decides", STRANGER, { allowFrom: { telegram: ["666"] } }, true],
    ["a list alone decides", GUEST, { allowFrom: { telegram: ["666"] } }, false],
    ["numbers name people too", STRANGER, { allowFrom: { telegram: [666] } }, true],
    [
      "a number too long to be read is nobody",
      sender({ id: "9007199254740993" }),
      { allowFrom: { telegram: [9007199254740992] } },
      false,
    ],
    ["the list for all channels", STRANGER, { allowFrom: { "*": ["telegram:666"] } }, true],
    ["the channel's own list goes before it", STRANGER, { allowFrom: { telegram: [], "*": ["666"] } }, false],
    ["a list of another channel says nothing", GUEST, { allowFrom: { discord: ["5"] } }, true],
    ["an id of another channel", STRANGER, { allowFrom: { "*": ["discord:666"] } }, false],
    ["an empty list names nobody", GUEST, { allowFrom: { telegram: [] } }, false],
    ["everybody", STRANGER, { allowFrom: { telegram: ["*"] } }, true],
    ["everybody, but not somebody unknown", sender({ id: "" }), { allowFrom: { telegram: ["*", ""] } }, false],
    ["nobody is called *", sender({ id: "*" }), { allowFrom: { telegram: ["*"] } }, false],
    ["nobody is called blank", sender({ id: "  " }), { allowFrom: { telegram: ["  ", ""] } }, false],
    ["a channel called like a property", sender({ channel: "constructor" }), { allowFrom: {} }, false],
    ["operators are judged by their scopes", OWNER, { allowFrom: { "*": ["666"] } }, true],
    ["operators are judged by their scopes", { ...OWNER, isAuthorised: false }, { allowFrom: { "*": ["*"] } }, false],
  ])("%s (%#)", (_name, requester, settings, expected) => {
    expect(may(requester, AUTHORISED, settings).kind).toBe(expected ? "allowed" : "denied");
  });
});

describe("who is an owner", () => {
  it.each<[string, CommandRequester, CommandSettings, boolean]>([
    ["whom the channel says", CHANNEL_OWNER, {}, true],
    ["not who is merely authorised", GUEST, {}, false],
    ["only those of the list, when there is one", CHANNEL_OWNER, { ownerAllowFrom: ["123"] }, false],
    ["those of the list", GUEST, { ownerAllowFrom: ["telegram:123"] }, true],
    ["nobody by an empty list", CHANNEL_OWNER, { ownerAllowFrom: [] }, false],
    ["nobody by *", GUEST, { ownerAllowFrom: ["*"], allowFrom: { "*": ["*"] } }, false],
    ["nobody unknown", sender({ id: "", isAuthorised: true }), { ownerAllowFrom: [""] }, false],
    ["not who may give no commands at all", CHANNEL_OWNER, { allowFrom: { telegram: ["2"] } }, false],
    ["an operator by its scopes", OWNER, { ownerAllowFrom: ["5"] }, true],
    ["not an operator without them", { ...OWNER, isOwner: false }, { ownerAllowFrom: ["device-1"] }, false],
  ])("%s (%#)", (_name, requester, settings, expected) => {
    expect(may(requester, OWNERS, settings).kind).toBe(expected ? "allowed" : "denied");
  });
});

describe("what a role adds", () => {
  const known = (role: PersonRole, changes: Partial<CommandRequester> = {}) =>
    sender({ person: { id: "pat", role }, ...changes });
  const OWNING = { isAuthorised: true, isOwner: true, canApprove: true };
  it.each<[string, CommandRequester, Who, CommandSettings, boolean]>([
    ["an owner beside those of the list", known("owner", OWNING), "owner", { ownerAllowFrom: ["5"] }, true],
    ["an owner beside an empty list", known("owner", OWNING), "owner", { ownerAllowFrom: [] }, true],
    [
      "not one the door did not see as an owner",
      known("owner", { isAuthorised: true }),
      "owner",
      { ownerAllowFrom: [] },
      false,
    ],
    ["no owner who may give no commands", known("owner", OWNING), "owner", { allowFrom: { telegram: ["5"] } }, false],
    ["no owner by a lower role", known("approver", { ...OWNING, isOwner: false }), "owner", {}, false],
    [
      "an approver answers, also where they give no commands",
      known("approver", { canApprove: true }),
      "approver",
      {},
      true,
    ],
    ["an approver gives no commands by that", known("approver", { canApprove: true }), "authorised", {}, false],
    [
      "not where a list leaves them out",
      known("approver", { canApprove: true }),
      "approver",
      { allowFrom: { telegram: [] } },
      false,
    ],
    ["not one the door did not see as an approver", known("approver"), "approver", {}, false],
    ["a member answers nothing", known("member", { isAuthorised: true }), "approver", {}, false],
    ["a guest gives no commands", known("guest", OWNING), "authorised", { allowFrom: { telegram: ["666"] } }, false],
    ["a guest is no owner", known("guest", OWNING), "owner", { ownerAllowFrom: ["666"] }, false],
    ["a guest answers nothing", known("guest", OWNING), "approver", {}, false],
  ])("%s", (_name, requester, who, settings, expected) => {
    expect(may(requester, { who }, settings).kind).toBe(expected ? "allowed" : "denied");
  });
});

describe("the matrix of commands and people", () => {
  const OWNER_ONLY = ["send", "config", "debug", "restart", "export-session", "mcp"];
  const people = { stranger: STRANGER, guest: GUEST, owner: OWNER };
  const commands = commandsIn(fakeWorld().house);

  it.each(COMMANDS.map(({ name }) => name))("/%s", (name) => {
    const command = COMMANDS.find((row) => row.name === name);
    if (!command) throw new Error(name);
    const settings = { config: true, debug: true };
    const allowed = Object.entries(people)
      .filter(([, person]) => may(person, command, settings).kind === "allowed")
      .map(([who]) => who);
    const expected =
      name === "whoami"
        ? ["stranger", "guest", "owner"]
        : OWNER_ONLY.includes(name) || name === "approve"
          ? ["owner"]
          : ["guest", "owner"];
    expect(allowed).toEqual(expected);
  });

  it("lets only approvers approve, be they owners or not", () => {
    const rule = { who: "approver" } as const;
    expect(may({ ...OWNER, canApprove: false }, rule, {}).kind).toBe("denied");
    expect(may({ ...GUEST, canApprove: true }, rule, {}).kind).toBe("allowed");
    expect(may({ ...STRANGER, canApprove: true }, rule, {}).kind).toBe("denied");
  });

  it("never gives more when a right is taken away", () => {
    const lists = [undefined, [], ["*"], ["123"], ["666"]];
    for (const ownerAllowFrom of lists) {
      for (const allowed of lists) {
        for (const command of COMMANDS) {
          for (const person of [STRANGER, GUEST, CHANNEL_OWNER]) {
            const settings: CommandSettings = {
              ownerAllowFrom,
              ...(allowed ? { allowFrom: { telegram: allowed } } : {}),
            };
            const less = { ...person, isOwner: false, isAuthorised: false, canApprove: false };
            if (may(less, command, settings).kind === "allowed") {
              expect(may(person, command, settings).kind, command.name).toBe("allowed");
            }
            expect(may(person, { ...command, who: "owner" }, { ...settings, ownerAllowFrom: [] }).kind).toBe("denied");
          }
        }
      }
    }
  });

  it.each([
    ["config", {}, "⚠️ /config is switched off here.\nSet commands.config to true to use it."],
    ["debug", {}, "⚠️ /debug is switched off here.\nSet commands.debug to true to use it."],
    ["restart", { restart: false }, "⚠️ /restart is switched off here.\nSet commands.restart to true to use it."],
  ])("says that /%s is switched off", async (name, settings, text) => {
    const world = fakeWorld({ settings });
    const outcome = await commands.run(commands.recognise(`/${name}`, OWNER, settings), world);
    expect(outcome).toEqual({ kind: "reply", text });
    expect(world.done).toEqual([]);
  });

  it("asks for the right again when a command is run", async () => {
    const recognition = commands.recognise("/config set a=1", OWNER, { config: true });
    const world = fakeWorld({ requester: GUEST });
    expect(await commands.run(recognition, world)).toEqual({ kind: "ignored" });
    const directive = commands.recognise("/think high", OWNER, {});
    expect(await commands.run(directive, fakeWorld({ requester: STRANGER }))).toEqual({ kind: "ignored" });
    expect(world.done).toEqual([]);
  });
});

// What a menu of commands is made from.
import { describe, expect, it } from "vitest";
import type { CommandRequester } from "@chela/sdk";
import { describeCommands } from "../../../src/rooms/commands/room.ts";
import { COMMANDS } from "../../support/chat-commands.ts";

const OWNER: CommandRequester = {
  kind: "operator",
  channel: "webchat",
  account: "default",
  id: "page",
  isOwner: true,
  standing: "owner",
  isAuthorised: true,
  canApprove: true,
};
const READER: CommandRequester = { ...OWNER, isOwner: false, isAuthorised: false, canApprove: false };

describe("the description of commands", () => {
  const find = (name: string, requester = OWNER, settings = {}) =>
    describeCommands(COMMANDS, requester, settings).find((command) => command.name === name);

  it("is in the order that people know", () => {
    const order =
      "new reset stop compact checkpoint rewind fork export-session model think verbose reasoning elevated exec queue usage " +
      "help commands status whoami context models budget approve agents subagents kill steer activation send config debug " +
      "restart tools";
    const known = order.split(" ");
    expect(COMMANDS.map(({ name }) => name).filter((name) => known.includes(name))).toEqual(known);
  });

  it("has a row for each of them", () => {
    expect(describeCommands(COMMANDS, OWNER, {}).map(({ name }) => name)).toEqual(COMMANDS.map(({ name }) => name));
  });

  it.each([
    ["stop", undefined],
    ["new", [{ name: "model" }, { name: "message" }]],
    ["compact", [{ name: "what to keep" }]],
    ["rewind", [{ name: "turns or name or id" }]],
    ["model", [{ name: "number or name", choices: ["list", "status", "default"], isOpen: true }]],
    ["verbose", [{ name: "value", choices: ["on", "full", "off", "default"] }]],
    ["exec", [{ name: "host" }, { name: "security" }, { name: "ask" }, { name: "node" }]],
    [
      "queue",
      [
        { name: "mode", choices: ["collect", "followup", "steer", "steer-backlog", "interrupt"] },
        { name: "debounce" },
        { name: "cap" },
        { name: "drop" },
      ],
    ],
    ["models", [{ name: "provider" }, { name: "page" }]],
    [
      "approve",
      [
        { name: "id", required: true },
        { name: "value", choices: ["once", "always", "deny"], required: true },
      ],
    ],
    ["config", [{ name: "value", choices: ["show", "get", "set", "unset"] }]],
  ])("says what may stand behind /%s", (name, wanted) => {
    expect(find(name)?.arguments).toEqual(wanted);
  });

  it("says who may use them, and what is switched off", () => {
    expect(find("think")).toMatchObject({
      scope: "authorised",
      allowed: true,
      inline: true,
      aliases: ["thinking", "t"],
    });
    expect(find("think", READER)).toMatchObject({ allowed: false });
    expect(find("whoami", READER)).toMatchObject({ scope: "everyone", allowed: true });
    expect(find("config")).toMatchObject({ scope: "owner", allowed: false, off: "config" });
    expect(find("config", OWNER, { config: true })).toMatchObject({ allowed: true });
    expect(find("config", READER)).not.toHaveProperty("off");
  });
});

import { describe, expect, it } from "vitest";
import { canonicalSessionKey, type KeyDefaults } from "@chela/sdk";
import { defaultAgent, listAgents, resolveRoute } from "./room.ts";

const defaults: KeyDefaults = { defaultAgentId: "main", mainKey: "main", scope: "per-sender" };

describe("canonicalSessionKey", () => {
  it.each([
    ["main", "agent:main:main"],
    [" MAIN ", "agent:main:main"],
    ["agent:main:main", "agent:main:main"],
    ["Agent:Work:Telegram:DM:5", "agent:work:telegram:direct:5"],
    ["agent:main:dm:+49", "agent:main:direct:+49"],
    ["notes", "agent:main:notes"],
    ["hook:1", "hook:1"],
    ["node-7", "node-7"],
    ["global", "global"],
  ])("spells %j as %j", (written, canonical) => {
    expect(canonicalSessionKey(written, defaults)).toBe(canonical);
  });

  it.each(["", "  ", "agent:", "agent:main", "agent:main:", "agent::x", "agent:-x:y", "a b", "../etc", "a/b", "a\\b"])(
    "refuses %j",
    (written) => expect(canonicalSessionKey(written, defaults)).toBeUndefined(),
  );

  it("follows a configured main key and a global scope", () => {
    expect(canonicalSessionKey("main", { ...defaults, mainKey: "home" })).toBe("agent:main:home");
    expect(canonicalSessionKey("agent:x:main", { ...defaults, mainKey: "home" })).toBe("agent:x:home");
    expect(canonicalSessionKey("main", { ...defaults, scope: "global" })).toBe("global");
  });
});

describe("listAgents", () => {
  it("has one agent, main, without configuration", () => {
    expect(listAgents({})).toEqual([{ id: "main", isDefault: true }]);
  });
  it("takes the marked agent as default, else the first", () => {
    expect(defaultAgent({ agents: { list: [{ id: "a" }, { id: "b", default: true }] } }).id).toBe("b");
    expect(defaultAgent({ agents: { list: [{ id: "a" }, { id: "b" }] } }).id).toBe("a");
  });
  it("normalises ids", () => {
    expect(listAgents({ agents: { list: [{ id: " My Agent! " }] } })[0]?.id).toBe("my-agent");
  });
});

describe("resolveRoute", () => {
  const config = { agents: { list: [{ id: "main" }, { id: "work" }] } };
  it("goes to the main session of the default agent when nothing is named", () => {
    expect(resolveRoute({}, config, defaults)).toMatchObject({ sessionKey: "agent:main:main", matchedBy: "default" });
  });
  it("goes to the main session of a named agent", () => {
    expect(resolveRoute({ agentId: "work" }, config, defaults)).toMatchObject({ sessionKey: "agent:work:main" });
  });
  it("takes the agent from the session key", () => {
    expect(resolveRoute({ sessionKey: "agent:work:x" }, config, defaults)).toMatchObject({ agentId: "work" });
  });
  it.each([
    [{ agentId: "nobody" }, /unknown agent id "nobody"/],
    [{ sessionKey: "agent:nobody:x" }, /unknown agent id "nobody"/],
    [{ sessionKey: "agent:" }, /malformed session key/],
    [{ agentId: "main", sessionKey: "agent:work:x" }, /agent "main" does not match session key agent "work"/],
  ])("refuses %j", (request, why) => {
    expect(resolveRoute(request, config, defaults)).toMatchObject({
      kind: "unroutable",
      why: expect.stringMatching(why),
    });
  });
});

import { describe, expect, it } from "vitest";
import type { ModelInfo } from "@chela/sdk";
import { renderExplanation, type ToolSubject } from "../room.ts";
import { ALL_TOOLS, namesFor, openToolbox, STRANGER, subjectWith } from "../toolbox.test-support.ts";

const ALL = ALL_TOOLS.map(({ name }) => name);
const without = (...names: string[]): string[] => ALL.filter((name) => !names.includes(name));
const sorted = (names: readonly string[]): string[] => names.toSorted();

const CODING =
  "read write edit apply_patch exec process memory_search memory_get sessions_list sessions_history sessions_search sessions_send sessions_spawn subagents session_status cron image attach";
const SANDBOX =
  "exec process read write edit apply_patch image attach sessions_list sessions_history sessions_search sessions_send sessions_spawn subagents session_status web_search web_fetch memory_search memory_get message";
const GUEST = ["read", "web_search", "web_fetch", "image", "attach", "tts"];
const FS = ["read", "write", "edit", "apply_patch"];

describe("the tool policy", () => {
  it.each<[string, unknown, string[]]>([
    ["nothing is configured: everything", {}, ALL],
    ["profile minimal", { tools: { profile: "minimal" } }, ["session_status"]],
    ["profile coding", { tools: { profile: "coding" } }, CODING.split(" ")],
    [
      "profile messaging",
      { tools: { profile: "messaging" } },
      ["sessions_list", "sessions_history", "sessions_search", "sessions_send", "session_status", "message", "attach"],
    ],
    ["profile full", { tools: { profile: "full" } }, ALL],
    [
      "a profile and more",
      { tools: { profile: "minimal", alsoAllow: ["tts", "lobster"] } },
      ["session_status", "tts", "lobster"],
    ],
    [
      "an agent's profile in place of the general one",
      { tools: { profile: "coding" }, agents: { list: [{ id: "Main", tools: { profile: "minimal" } }] } },
      ["session_status"],
    ],
    ["another agent's profile", { agents: { list: [{ id: "other", tools: { profile: "minimal" } }] } }, ALL],
    ["an empty allow list", { tools: { allow: [] } }, ALL],
    ["an allow list", { tools: { allow: ["read", "Web_Fetch "] } }, ["read", "web_fetch"]],
    ["alsoAllow beside an allow list", { tools: { allow: ["read"], alsoAllow: ["tts"] } }, ["read", "tts"]],
    ["alsoAllow alone", { tools: { alsoAllow: ["lobster"] } }, ALL],
    ["a deny list", { tools: { deny: ["tts"] } }, without("tts")],
    ["deny wins over allow", { tools: { allow: ["read", "write"], deny: ["write"] } }, ["read"]],
    ["deny *", { tools: { deny: ["*"] } }, []],
    [
      "globs",
      { tools: { allow: ["memory_*", "*_fetch", "s*n*y"] } },
      ["memory_search", "memory_get", "web_fetch", "sessions_history"],
    ],
    ["a group", { tools: { allow: ["group:fs"] } }, FS],
    [
      "a group of a tool that a plugin brings",
      { tools: { allow: ["group:automation"] } },
      ["cron", "gateway", "lobster"],
    ],
    ["group:openclaw", { tools: { allow: ["group:openclaw"] } }, without("lobster")],
    ["group:plugins denied", { tools: { deny: ["group:plugins"] } }, without("lobster")],
    ["an older name", { tools: { deny: ["bash", "apply-patch"] } }, without("exec", "apply_patch")],
    ["apply_patch comes with exec", { tools: { allow: ["exec"] } }, ["exec", "apply_patch"]],
    [
      "apply_patch does not come with exec where it is denied",
      { tools: { allow: ["exec"], deny: ["apply_patch"] } },
      ["exec"],
    ],
    [
      "apply_patch does not come with exec where writing is denied",
      { tools: { allow: ["exec"], deny: ["write"] } },
      ["exec"],
    ],
    [
      "apply_patch does not come with exec where an earlier layer denies writing",
      { tools: { deny: ["write"] }, agents: { list: [{ id: "main", tools: { allow: ["exec"] } }] } },
      ["exec"],
    ],
    ["an allow list of plugins' tools only", { tools: { allow: ["lobster"] } }, ALL],
    ["an allow list of unknown names only", { tools: { allow: ["squid"] } }, without("lobster")],
    ["a provider's lists", { tools: { byProvider: { OpenAI: { deny: ["exec"] } } } }, without("exec")],
    [
      "a model's lists in place of its provider's",
      { tools: { byProvider: { openai: { deny: ["exec"] }, "openai/gpt-test": { deny: ["tts"] } } } },
      without("tts"),
    ],
    ["another provider's lists", { tools: { byProvider: { anthropic: { deny: ["exec"] } } } }, ALL],
    ["a provider named like a part of every object", { tools: { byProvider: { constructor: { deny: ["*"] } } } }, ALL],
    [
      "a provider's profile",
      { tools: { byProvider: { openai: { profile: "minimal", alsoAllow: ["tts"] } } } },
      ["session_status", "tts"],
    ],
    [
      "an agent's lists",
      { agents: { list: [{ id: "main", tools: { allow: ["group:runtime"], deny: ["process"] } }] } },
      ["exec", "apply_patch"],
    ],
    [
      "an agent's lists for a provider",
      { agents: { list: [{ id: "main", tools: { byProvider: { openai: { allow: ["read"] } } } }] } },
      ["read"],
    ],
    [
      "a later layer that allows what an earlier one denied",
      { tools: { deny: ["exec"] }, agents: { list: [{ id: "main", tools: { allow: ["exec", "read"] } }] } },
      ["read"],
    ],
  ])("%s", (_name, config, expected) => {
    expect(sorted(namesFor(config))).toEqual(sorted(expected));
  });

  it.each<[string, Partial<ToolSubject>, unknown, string[]]>([
    ["a stranger has no tools for owners", { requester: STRANGER }, {}, without("cron", "gateway", "nodes")],
    [
      "a guest is talked to and looked things up for, whatever lists allow",
      { requester: { ...STRANGER, isOwner: true, person: { id: "gus", role: "guest" } } },
      { tools: { alsoAllow: ["exec", "write"] } },
      GUEST,
    ],
    [
      "somebody who is no guest loses nothing by being known",
      { requester: { ...STRANGER, person: { id: "ann", role: "member" } } },
      {},
      without("cron", "gateway", "nodes"),
    ],
    ["a voice call needs no tts", { surface: "voice" }, {}, without("tts")],
    ["a group's tools", { group: { tools: { deny: ["exec"] } } }, {}, without("exec")],
    ["a sandbox", { sandboxed: true }, {}, SANDBOX.split(" ")],
    [
      "a sandbox with its own list, images included",
      { sandboxed: true },
      { tools: { sandbox: { tools: { allow: ["read", "browser"] } } } },
      ["read", "image"],
    ],
    [
      "an agent's sandbox in place of the general one",
      { sandboxed: true },
      {
        tools: { sandbox: { tools: { allow: ["read"], deny: [] } } },
        agents: { list: [{ id: "main", tools: { sandbox: { tools: { allow: ["browser"] } } } }] },
      },
      ["browser", "image"],
    ],
    [
      "a sandbox whose list names no tool we know",
      { sandboxed: true },
      { tools: { sandbox: { tools: { allow: ["squid"] } } } },
      ["image"],
    ],
    [
      "a sub-agent that may have sub-agents",
      { subagentDepth: 1 },
      { agents: { defaults: { subagents: { maxSpawnDepth: 2 } } } },
      without("gateway", "agents_list", "session_status", "cron", "memory_search", "memory_get", "sessions_send"),
    ],
    [
      "a sub-agent that may have none",
      { subagentDepth: 1 },
      {},
      without(
        "gateway",
        "agents_list",
        "session_status",
        "cron",
        "memory_search",
        "memory_get",
        "sessions_send",
        "sessions_list",
        "sessions_history",
        "sessions_search",
        "sessions_spawn",
      ),
    ],
    [
      "a sub-agent known by its session key only",
      { sessionKey: "agent:main:subagent:x" },
      { agents: { defaults: { subagents: { maxSpawnDepth: 5 } } } },
      without(
        "gateway",
        "agents_list",
        "session_status",
        "cron",
        "memory_search",
        "memory_get",
        "sessions_send",
        "sessions_list",
        "sessions_history",
        "sessions_search",
        "sessions_spawn",
      ),
    ],
    [
      "a sub-agent whose list names no tool we know",
      { subagentDepth: 1 },
      { tools: { subagents: { tools: { allow: ["squid"] } } } },
      [],
    ],
    [
      "a sub-agent that gets back a tool by its name, but not by a star",
      { subagentDepth: 1 },
      { tools: { subagents: { tools: { allow: ["memory_get", "read", "sessions_*"] } } } },
      ["memory_get", "read"],
    ],
  ])("%s", (_name, subject, config, expected) => {
    expect(sorted(namesFor(config, subject))).toEqual(sorted(expected));
  });
});

describe("tools by sender", () => {
  const names = (toolsBySender: unknown, requester: Partial<ToolSubject["requester"]>) =>
    sorted(
      namesFor(
        {},
        {
          requester: { ...STRANGER, ...requester },
          group: { tools: { allow: ["read", "write"] }, toolsBySender } as NonNullable<ToolSubject["group"]>,
        },
      ),
    );

  it.each<[string, unknown, Partial<ToolSubject["requester"]>, string[]]>([
    ["an id in place of the group's", { "id:42": { allow: ["exec"] } }, {}, ["apply_patch", "exec"]],
    ["a bare id, as older configurations have it", { "42": { allow: ["tts"] } }, {}, ["tts"]],
    ["somebody else's id", { "id:43": { allow: ["exec"] } }, {}, ["read", "write"]],
    ["a phone number", { "e164:+1 (555) 01": { allow: ["tts"] } }, { id: "+155501" }, ["tts"]],
    ["a number that is no phone number", { "e164:+42": { allow: ["tts"] } }, {}, ["read", "write"]],
    ["a star for all others", { "*": { allow: ["tts"] }, "id:43": { allow: ["exec"] } }, {}, ["tts"]],
    ["an id before a star", { "*": { allow: ["exec"] }, "id:42": { allow: ["tts"] } }, {}, ["tts"]],
    ["a name, which can only narrow", { "name:bob": { allow: ["exec", "read"] } }, {}, ["read"]],
    ["a user name, which can only narrow", { "username:@Bob": { deny: ["read"] } }, {}, ["write"]],
    ["a sender without an id", { "id:": { allow: ["exec"] }, "": { allow: ["exec"] } }, { id: "" }, ["read", "write"]],
  ])("%s", (_name, toolsBySender, requester, expected) => {
    expect(names(toolsBySender, requester)).toEqual(expected);
  });
});

describe("the tool policy fails closed", () => {
  const GARBAGE: unknown[] = [null, 7, "read", true, { read: true }, [7], [""], [["read"]], [null]];
  const PLACES: [string, (value: unknown) => [unknown, Partial<ToolSubject>?]][] = [
    ["tools", (value) => [{ tools: value === GARBAGE[4] ? [] : value }]],
    ["tools.allow", (allow) => [{ tools: { allow } }]],
    ["tools.alsoAllow", (alsoAllow) => [{ tools: { alsoAllow } }]],
    ["tools.deny", (deny) => [{ tools: { deny } }]],
    ["tools.profile", (profile) => [{ tools: { profile } }]],
    ["tools.byProvider.openai.allow", (allow) => [{ tools: { byProvider: { openai: { allow } } } }]],
    ["tools.byProvider.openai.profile", (profile) => [{ tools: { byProvider: { openai: { profile } } } }]],
    ["agents.list[].tools.deny", (deny) => [{ agents: { list: [{ id: "main", tools: { deny } }] } }]],
    ["the sandbox", (deny) => [{ tools: { sandbox: { tools: { deny } } } }, { sandboxed: true }]],
    ["sub-agents", (allow) => [{ tools: { subagents: { tools: { allow } } } }, { subagentDepth: 1 }]],
    ["a group", (deny) => [{}, { group: { tools: { deny } } as never }]],
    ["a sender", (deny) => [{}, { group: { toolsBySender: { "id:1": { deny } } } as never }]],
  ];

  it.each(PLACES)("on values in %s that cannot be understood", (_place, put) => {
    for (const value of GARBAGE) expect(namesFor(...put(value)), JSON.stringify(value)).toEqual([]);
  });

  it("on a profile that does not exist, even one named like a part of every object", () => {
    for (const profile of ["codeing", "Coding", "constructor", "__proto__"]) {
      expect(namesFor({ tools: { profile } }), profile).toEqual([]);
    }
  });

  it.each([
    { tools: { allow: ["*"] } },
    { tools: { profile: "full", alsoAllow: ["*", "cron", "group:automation"] } },
    { agents: { list: [{ id: "main", tools: { allow: ["*", "gateway"], alsoAllow: ["cron"] } }] } },
  ])("on tools for owners, which no list grants to others: %j", (config) => {
    const names = namesFor(config, {
      requester: STRANGER,
      group: { toolsBySender: { "*": { allow: ["*", "cron"] } } },
    });
    expect(names).toContain("exec");
    expect(names.filter((name) => ["cron", "gateway"].includes(name))).toEqual([]);
    expect(namesFor(config, { requester: { ...STRANGER, isOwner: "yes" as never } })).not.toContain("cron");
  });
});

describe("a later layer can only narrow", () => {
  /** Chance that is the same in every run. */
  function chance(seed: number): (below: number) => number {
    let state = seed;
    return (below) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
  }

  const ENTRIES = [...ALL, "*", "group:fs", "group:openclaw", "group:plugins", "group:nope", "s*", "squid", "bash"];
  type Pick = ReturnType<typeof chance>;
  const names = (pick: Pick): string[] => Array.from({ length: pick(4) }, () => ENTRIES[pick(ENTRIES.length)] ?? "*");
  const lists = (pick: Pick): object => ({
    ...(pick(2) ? { allow: names(pick) } : {}),
    ...(pick(3) ? {} : { alsoAllow: names(pick) }),
    ...(pick(2) ? { deny: names(pick) } : {}),
  });

  const LAYERS = ["tools", "provider", "agent", "agent-provider", "group", "sandbox", "subagent"] as const;
  type Said = Record<(typeof LAYERS)[number], object>;

  function allowed(said: Partial<Said>, requester = STRANGER): Set<string> {
    const agent = { ...said.agent, byProvider: { openai: said["agent-provider"] } };
    const config = {
      tools: {
        ...said.tools,
        byProvider: { openai: said.provider },
        sandbox: { tools: said.sandbox },
        subagents: { tools: said.subagent },
      },
      agents: { list: [{ id: "main", tools: agent }] },
    };
    const group = said.group ? { tools: said.group } : {};
    const inside = { sandboxed: said.sandbox !== undefined, ...(said.subagent ? { subagentDepth: 1 } : {}) };
    return new Set(namesFor(config, { requester, group, ...inside }));
  }

  it("whatever is configured, and whatever is removed from it", () => {
    for (let seed = 1; seed <= 60; seed++) {
      const pick = chance(seed);
      const said = Object.fromEntries(LAYERS.map((layer) => [layer, lists(pick)])) as Said;
      LAYERS.forEach((layer, index) => {
        const before = Object.fromEntries(LAYERS.slice(0, index).map((one) => [one, said[one]])) as Partial<Said>;
        const { [layer]: _removed, ...rest } = said;
        const earlier = allowed(before);
        for (const name of [...allowed(rest), ...allowed({ ...before, [layer]: said[layer] })]) {
          expect(earlier.has(name), `seed ${seed}: ${name} came back after "${layer}": ${JSON.stringify(said)}`).toBe(
            true,
          );
        }
      });
    }
  });
});

describe("an explanation", () => {
  const config = { tools: { deny: ["group:runtime"] }, agents: { list: [{ id: "main", tools: { allow: ["read"] } }] } };
  const { toolbox } = openToolbox({ config: () => config });
  const turn = toolbox.for(subjectWith());

  it("names the first layer that decided, and what every layer says", () => {
    const explanation = turn.explain("bash");
    expect(explanation).toMatchObject({ tool: "exec", allowed: false, decidedBy: "tools" });
    expect(explanation.steps.map(({ layer, verdict }) => `${layer} ${verdict}`)).toEqual([
      "available passed",
      "surface absent",
      "owner absent",
      "person absent",
      "profile absent",
      "provider-profile absent",
      "tools removed",
      "provider absent",
      "agent removed",
      "agent-provider absent",
      "group absent",
      "sandbox absent",
      "subagent absent",
      "errand absent",
    ]);
    expect(renderExplanation(explanation)).toContain('- tools             tools.deny names "group:runtime"');
    expect(renderExplanation(explanation)).toMatch(/^exec may not be used: the layer "tools" removed it\.\n/);
  });

  it("agrees with what is offered", () => {
    const offered = turn.allowed;
    expect(ALL.filter((name) => turn.explain(name).allowed)).toEqual(offered);
    expect(renderExplanation(turn.explain("read"))).toMatch(/^read may be used\.\n/);
  });

  it("says so when there is no such tool", () => {
    expect(turn.explain("squid")).toMatchObject({ allowed: false, decidedBy: "exists" });
  });

  it("tells why a tool does not work here", () => {
    const unavailable = ({ model }: { model: ModelInfo }) => (model.id === "gpt-test" ? "no key is set" : undefined);
    const tools = ALL_TOOLS.map((tool) => (tool.name === "web_search" ? { ...tool, unavailable } : tool));
    const explanation = openToolbox({ tools }).toolbox.for(subjectWith()).explain("web_search");
    expect(explanation.steps[0]).toEqual({ layer: "available", verdict: "removed", why: "no key is set" });
  });
});

it("mentions names in lists that stand for no tool, once", () => {
  const config = { tools: { allow: ["read", "raed", "browser"], deny: ["whatsapp_login", "group:plugins"] } };
  const { toolbox, logged } = openToolbox({
    tools: ALL_TOOLS.filter(({ name }) => name !== "browser"),
    config: () => config,
  });
  toolbox.for(subjectWith());
  toolbox.for(subjectWith());
  expect(logged).toEqual(['tools.allow names "raed", but there is no such tool']);
});

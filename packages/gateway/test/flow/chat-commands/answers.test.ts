// Answers to chat commands: every command with what it says, what it changes, and whom it refuses.
import { rmSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import {
  COMMANDS,
  commandsIn,
  fakeWorld,
  GUEST,
  NOW,
  OWNER,
  STRANGER,
  type FakeWorld,
  WORKSPACE,
} from "../../support/chat-commands.ts";

const run = (text: string, world: FakeWorld = fakeWorld()) => {
  const commands = commandsIn(world.house);
  return commands.run(commands.recognise(text, world.requester, world.settings), world);
};
const reply = async (text: string, world: FakeWorld = fakeWorld()) => {
  const outcome = await run(text, world);
  if (outcome.kind !== "reply") throw new Error(`${text} ended with ${outcome.kind}`);
  return outcome.text;
};
afterAll(() => rmSync(WORKSPACE, { recursive: true, force: true }));

const GROUP = "agent:main:telegram:group:-100";

/** Every command, with what it answers and what it changes. */
type Case = [text: string, says: string, patch?: object | undefined, done?: readonly unknown[]];
const MOVED = { totalTokensFresh: false };
const CASES: Case[] = [
  ["/help", "🦀 Help"],
  ["/help t", "Usage: /think"],
  ["/commands", "🦀 Commands 1/"],
  ["/commands 99", "Tools:\n/tools"],
  ["/status", "🦀 Chela 1.2.3\n🕒 Fri 2026-02-27 14:03 UTC\n🧠 Model: anthropic/claude-opus-4-6 · 🔑 env"],
  ["/whoami", "Id: device-1"],
  ["/compact keep names", "⚙️ Compacted (150k → 22k)\nContext 22k/200k (11%)", undefined, ["compact", "keep names"]],
  ["/model", "1. anthropic/claude-opus-4-6 (opus)"],
  ["/model list 2", "9. ollama/small-5"],
  ["/model status", "Then, when it fails:\n• openai/gpt-5.2"],
  ["/model 3", "🧠 Model: openai/gpt-5.2", { providerOverride: "openai", modelOverride: "gpt-5.2" }],
  ["/model #99", "There is no number #99; 1 to 13."],
  ["/model gpt@work", "(🔑 openai:work)", { authProfileOverride: "openai:work", authProfileOverrideSource: "user" }],
  ["/model gpt@other", 'No credential "other" for openai.\nThere are: openai:work, openai:home.'],
  ["/model opus", "(default)", { providerOverride: null, modelOverride: null, authProfileOverride: null }],
  ["/model default", "(default)", { providerOverride: null, modelOverride: null, authProfileOverride: null }],
  ["/model nonsense", 'There is no model "nonsense".'],
  ["/opus", "🧠 Model: anthropic/claude-opus-4-6", { providerOverride: null }],
  ["/models", "• anthropic (2)\n• openai (1)\n• ollama (10)"],
  ["/models ollama 2", "🧠 ollama 2/2\n• small-8\n• small-9"],
  ["/models nowhere", 'No models of "nowhere"'],
  ["/think", "⚙️ Thinking: low (default)"],
  ["/think ultrathink", "⚙️ Thinking: high", { thinkingLevel: "high" }],
  ["/think off", "⚙️ Thinking: off", { thinkingLevel: "off" }],
  ["/think default", "⚙️ Thinking: low (default)", { thinkingLevel: null }],
  ["/think xhigh", 'anthropic/claude-opus-4-6 cannot think "xhigh"'],
  ["/think about it", 'Thinking does not know "about"'],
  ["/verbose off", "⚙️ Verbose: off", { verboseLevel: "off" }],
  ["/reasoning stream", "⚙️ Reasoning: stream", { reasoningLevel: "stream" }],
  ["/elevated full", "⚙️ Elevated: full", { elevatedLevel: "full" }],
  ["/usage", "⚙️ Usage below replies: tokens", { responseUsage: "tokens" }],
  ["/usage off", "⚙️ Usage below replies: off", { responseUsage: null }],
  ["/usage cost", "Session: 16k tokens · $0.42\nToday: 120k tokens · $1.50\n30 days: 2.4M tokens · $8.00"],
  ["/usage much", "Allowed: off, tokens, full, cost."],
  ["/queue", "⚙️ Queue: collect (default)"],
  ["/queue steer cap:5", "⚙️ Queue: steer, cap 5", { queueMode: "steer", queueCap: 5 }],
  ["/queue debounce:1.5s drop:new", "debounce 1500 ms", { queueDebounceMs: 1_500, queueDrop: "new" }],
  ["/queue default", "collect (default)", { queueMode: null, queueDebounceMs: null, queueCap: null, queueDrop: null }],
  ["/queue cap:0", '/queue does not know "cap:0"'],
  ["/exec", "⚙️ Exec: host=sandbox security=allowlist ask=on-miss"],
  ["/exec security=full ask=off", "security=full ask=off", { execSecurity: "full", execAsk: "off" }],
  ["/exec ls", '/exec does not know "ls"'],
  ["/approve", "⏳ ab12, ends in 2m\n```\ngit push\\u{202e} origin\n```"],
  ["/approve ab12 once", "✅ Allowed once:\n```\ngit push", undefined, ["approve", "ab12", "allow-once"]],
  ["/approve ALWAYS ab12", "✅ Always allowed:", undefined, ["approve", "ab12", "allow-always"]],
  ["/approve ab12 block", "⛔ Denied:", undefined, ["approve", "ab12", "deny"]],
  ["/approve once", "Usage: /approve"],
  ["/approve once deny", "Usage: /approve"],
  ["/approve ab12 constructor", "Usage: /approve"],
  ["/approve zz deny", 'nothing waits under "zz"'],
  ["/context", "📚 Context: 16k/200k tokens (8%)"],
  ["/context detail", "Files: SOUL.md 20k (cut), AGENTS.md 3k"],
  ["/context json", '"usedTokens": 15678'],
  ["/context nonsense", "Allowed: list, detail, json."],
  ["/config", "agents, gateway"],
  ["/config get gateway", '"port": 18789'],
  ["/config get none.such", "none.such is not set."],
  [
    "/config set agents.defaults.userTimezone = {c: 1}",
    "✅ Set: agents.defaults.userTimezone\nIt takes effect after a /restart.",
    undefined,
    ["set", "agents.defaults.userTimezone", "{c: 1}"],
  ],
  ["/config set a.b", "Usage: /config set path=value"],
  [
    "/config unset agents.defaults.userTimezone",
    "✅ Removed: agents.defaults.userTimezone",
    undefined,
    ["unset", "agents.defaults.userTimezone"],
  ],
  ["/config frobnicate", "Allowed: show, get, set, unset."],
  ["/debug", "messages.prefix"],
  [
    "/debug set agents.defaults.userTimezone=1",
    "🐞 Until the next start: agents.defaults.userTimezone",
    undefined,
    ["debug", "agents.defaults.userTimezone", 1],
  ],
  [
    "/debug unset agents.defaults.userTimezone",
    "🐞 Removed: agents.defaults.userTimezone",
    undefined,
    ["undebug", "agents.defaults.userTimezone"],
  ],
  ["/debug reset", "🐞 All overrides removed.", undefined, ["debug-reset"]],
  ["/debug frobnicate", "Allowed: show, set, unset, reset."],
  ["/send off", "⚙️ Sending: off", { sendPolicy: "deny" }],
  ["/send inherit", "⚙️ Sending: inherit", { sendPolicy: null }],
  ["/send", "⚙️ Sending: inherit"],
  ["/activation always", "/activation is for groups."],
  ["/export-session", "session-3f0c1a2b-", undefined, ["exported"]],
  ["/export out.html", "out.html", undefined, ["exported"]],
  ["/restart", "🔄 Restarting", undefined, ["restart"]],
  ["/agents", "🤖 Agents\n→ main – Chela\n• work"],
  ["/subagents", "#1 sum – at work, 1m ago\n#2 old – stopped, 1m ago"],
  ["/subagents info sum", "Task: Add all the numbers up"],
  ["/subagents info nobody", '⚠️ No "nobody" here.'],
  ["/subagents log sum", "user: count\nassistant: three"],
  ["/subagents kill all", "🛑 Stopped: sum", undefined, ["kill", "all"]],
  ["/subagents send #1 be quick", "↪️ Told sum.", undefined, ["steer", "#1", "be quick"]],
  ["/subagents spawn", "Usage: /subagents spawn"],
  ["/subagents spawn count them", "▶️ Started 11112222.", undefined, ["spawn", "count them", undefined]],
  ["/subagents spawn work count them", "▶️ Started", undefined, ["spawn", "count them", "work"]],
  ["/subagents dance", "Allowed: list, kill, log, info, send, steer, spawn."],
  ["/acp", "🧰 No workers.\nName one with its command in acp.agents."],
  ["/acp sessions", "🧰 No worker of this chat is at work."],
  ["/acp spawn tidy up", "⚠️ No worker is configured (acp.agents)."],
  ["/acp dance", "Allowed: status, spawn, steer, cancel, sessions."],
  ["/kill", "Usage: /kill"],
  ["/kill nobody", "⚠️ Nothing is running."],
  ["/kill #1", "🛑 Stopped: sum", undefined, ["kill", "#1"]],
  ["/steer sum", "Usage: /steer"],
  ["/tell sum be quick", "↪️ Told sum.", undefined, ["steer", "sum", "be quick"]],
  ["/steer sum be quick", "↪️ Told sum.", undefined, ["steer", "sum", "be quick"]],
  ["/tools", "🧰 Tools (8)\nread, write, edit"],
  ["/checkpoint lunch", "📍 Checkpoint: lunch\nCome back with /rewind lunch", undefined, ["checkpoint", "lunch"]],
  ["/checkpoint", "📍 Checkpoint: 2026-02-27T14:03:00", undefined, ["checkpoint", "2026-02-27T14:03:00"]],
  ["/checkpoint 3", "A number cannot be a name."],
  ["/checkpoint two words", "A name is one word"],
  ["/rewind", "⏪ Back at a1b2c3d4, just now", MOVED, ["move", { turns: 1 }]],
  ["/rewind 3", "⏪ Back at", MOVED, ["move", { turns: 3 }]],
  ["/rewind 12345678", "⏪ Back at", MOVED, ["move", { ref: "12345678" }]],
  ["/rewind lunch", "⏪ Back at", MOVED, ["move", { ref: "lunch" }]],
  ["/rewind 0", "Between 1 and 1000 turns"],
  ["/fork", "→ a1b2c3d4, 1h ago"],
  ["/fork lunch", "🌿 Going on from a1b2c3d4", MOVED, ["move", { ref: "lunch" }]],
  ["/fork nowhere", 'there is no place "nowhere"'],
  ["/budget", "🟢 daily limit: $3.50 of $5.00 left, anew in 2h\n🔴 total limit: 0 tokens of 200k tokens left"],
];

describe("answers", () => {
  it.each<Case>(CASES)("%s", async (text, says, patch, done) => {
    const world = fakeWorld();
    expect(await reply(text, world)).toContain(says);
    if (patch) expect(world.patches).toEqual([expect.objectContaining(patch)]);
    else expect(world.patches).toEqual([]);
    expect(world.done).toEqual(done ? [done] : []);
  });

  it("are there for every command of the table", () => {
    const asked = new Set(CASES.map(([text]) => /^\/([\w-]+)/.exec(text)?.[1]));
    const elsewhere = ["new", "reset", "stop"];
    const missing = COMMANDS.filter(({ name }) => !asked.has(name) && !elsewhere.includes(name));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  // Paths and sentences of failures may be longer.
  it.each(CASES.map(([text]) => text).filter((text) => !/json$|^\/export|nowhere$|zz deny$/.test(text)))(
    "fit the screen of a phone: %s",
    async (text) => {
      const lines = (await reply(text)).split("\n");
      expect(lines.length).toBeLessThanOrEqual(12);
      for (const line of lines) expect([...line].length, line).toBeLessThanOrEqual(60);
    },
  );

  it("of /commands show every command once, page by page", async () => {
    const first = await reply("/commands");
    const count = Number(/1\/(\d+)/.exec(first)?.[1]);
    const pages = await Promise.all(Array.from({ length: count }, (_, index) => reply(`/commands ${index + 1}`)));
    for (const page of pages) expect(page.split("\n").length).toBeLessThanOrEqual(12);
    const names = pages.join("\n").match(/^\/[\w-]+(?= –)/gm);
    expect(names?.sort()).toEqual(COMMANDS.map(({ name }) => `/${name}`).sort());
  });

  it("of /help and /commands name only what the asker may use", async () => {
    const guest = await reply("/help", fakeWorld({ requester: GUEST }));
    expect(guest).toContain("/status");
    expect(guest).not.toMatch(/\/(?:config|debug|send|approve)\b/);
    expect(await reply("/help", fakeWorld({ settings: {} }))).not.toContain("/config");
  });

  it("tell a stranger who it is, and that it may not give commands", async () => {
    const text = await reply("/whoami", fakeWorld({ requester: STRANGER }));
    expect(text).toContain("In allow lists: telegram:666");
    expect(text).toContain("may not give commands");
  });

  it("survive a session and a world with nothing in it", async () => {
    const empty = fakeWorld({
      session: async () => undefined,
      house: { budgets: { view: async () => [] } },
      tools: async () => [],
    });
    expect(await reply("/status", empty)).toContain("📚 Context: ?/? · 🧹 Compactions: 0");
    expect(await reply("/budget", empty)).toContain("No spending limits");
    expect(await reply("/tools", empty)).toContain("No tools");
  });

  it("do not trust a count of tokens that is stale", async () => {
    expect(await reply("/status", fakeWorld({}, { totalTokensFresh: false }))).toContain("📚 Context: ?/200k ·");
  });

  it("go round for /usage without a word, from what the session says", async () => {
    for (const [now, next] of [
      ["off", "tokens"],
      ["tokens", "full"],
      ["on", "full"],
      ["full", "off"],
    ]) {
      expect(await reply("/usage", fakeWorld({}, { responseUsage: now }))).toContain(`: ${next}`);
    }
  });
});

describe("what needs more than being authorised", () => {
  it.each(COMMANDS.filter(({ changesConversation }) => changesConversation).map(({ name }) => [name]))(
    "leaves /%s to the owner in a conversation that others take part in, and to its person in one of their own",
    async (name) => {
      for (const sessionKey of ["agent:main:main", "agent:main:telegram:group:1", "agent:main:telegram:channel:1"]) {
        const world = fakeWorld({ requester: GUEST, sessionKey });
        expect(await reply(`/${name} 1`, world)).toContain("is for the owner here");
        expect(world.patches).toEqual([]);
      }
      const own = fakeWorld({ requester: GUEST, sessionKey: "agent:main:telegram:direct:123" });
      expect(JSON.stringify(await run(`/${name} 1`, own))).not.toContain("is for the owner");
    },
  );

  it("gives exec more room only to owners", async () => {
    const guest = (): FakeWorld => fakeWorld({ requester: GUEST, sessionKey: "agent:main:telegram:direct:123" });
    for (const wide of ["security=full", "ask=off", "host=gateway", "host=node", "node=mac"]) {
      const world = guest();
      expect(await reply(`/exec ask=always ${wide}`, world)).toContain("Only an owner");
      expect(world.patches).toEqual([]);
    }
    const world = guest();
    expect(await reply("/exec security=allowlist ask=always host=sandbox", world)).toContain("ask=always");
    expect(world.patches).toHaveLength(1);
  });

  it("elevates only whom the world allows, but lets everybody step down", async () => {
    const world = fakeWorld({
      house: { elevated: () => ({ kind: "refused", why: "Elevated is not enabled for you." }) },
    });
    for (const level of ["on", "ask", "full"]) {
      expect(await reply(`/elevated ${level}`, world)).toBe("⚠️ Elevated is not enabled for you.");
    }
    expect(world.patches).toEqual([]);
    expect(await reply("/elevated off", world)).toContain("off");
  });

  it("changes activation in groups", async () => {
    const world = fakeWorld({ sessionKey: GROUP });
    expect(await reply("/activation always", world)).toBe("⚙️ Activation: always");
    expect(world.patches).toEqual([{ groupActivation: "always", groupActivationNeedsSystemIntro: true }]);
    expect(await reply("/activation", fakeWorld({ sessionKey: GROUP }))).toContain("mention");
    expect(await reply("/activation sometimes", fakeWorld({ sessionKey: GROUP }))).toContain(
      "Allowed: mention, always.",
    );
    expect(await reply("/status", fakeWorld({ sessionKey: GROUP }))).toContain("👥 Activation: mention · 🪢 Queue:");
  });
});

describe("messages with something for the model", () => {
  it("go on without their directives, which are kept", async () => {
    const world = fakeWorld();
    expect(await run("/think high what is love /verbose on", world)).toEqual({
      kind: "none",
      text: "what is love",
      applied: ["⚙️ Thinking: high", "⚙️ Verbose: on"],
      replies: [],
    });
    expect(world.patches).toEqual([{ thinkingLevel: "high" }, { verboseLevel: "on" }]);
  });

  it("go on after a shortcut was answered", async () => {
    const outcome = await run("hey /status");
    expect(outcome).toMatchObject({ kind: "none", text: "hey", applied: [] });
    expect(outcome.kind === "none" && outcome.replies[0]).toContain("🦀 Chela");
  });

  it("wait when a directive was refused, and the person is told", async () => {
    const text = await reply("/think xhigh what is love");
    expect(text).toContain("cannot think");
    expect(text).toContain("Your message was not passed on.");
  });

  it("acknowledge directives alone in one reply", async () => {
    expect(await reply("/think high /verbose on")).toBe("⚙️ Thinking: high\n⚙️ Verbose: on");
  });

  it("pass untouched when there is nothing for us", async () => {
    const text = "  look at /usr/bin  ";
    expect(await run(text)).toEqual({ kind: "none", text, applied: [], replies: [] });
  });
});

describe("a new conversation", () => {
  const OPUS = "anthropic/claude-opus-4-6";
  it.each([
    ["/new", { rest: "" }],
    ["/reset hello there", { reason: "reset", rest: "hello there" }],
    ["/new opus hello", { model: OPUS, rest: "hello" }],
    ["/new OPUS", { model: OPUS, rest: "" }],
    ["/new openai/gpt-5.2\nhello  you", { model: "openai/gpt-5.2", rest: "hello  you" }],
    ["/new gpt-5.2 hi", { model: "openai/gpt-5.2", rest: "hi" }],
    ["/new anthropic claude-sonnet-4-6 hi", { model: "anthropic/claude-sonnet-4-6", rest: "hi" }],
    ["/new anthropic", { model: OPUS, rest: "" }],
    ["/new anthropic is a company", { rest: "anthropic is a company" }],
    ["/new read a/b please", { rest: "read a/b please" }],
    ["/new a/b please", { rest: "a/b please" }],
  ])("%s", async (text, expected) => {
    expect(await run(text)).toEqual({ kind: "reset", reason: "new", ...expected });
  });

  it("is not given to those without rights", async () => {
    expect(await run("/new", fakeWorld({ requester: STRANGER }))).toEqual({ kind: "ignored" });
    expect(await run("stop")).toEqual({ kind: "stop" });
  });
});

describe("a command that is run again after a crash", () => {
  it("restarts the gateway only once", async () => {
    const world = fakeWorld({ house: { startedAt: NOW + 2_000 } });
    expect(await reply("/restart", world)).toBe("✅ The gateway has restarted.");
    expect(world.done).toEqual([]);
  });

  it("names a checkpoint the same", async () => {
    const names = await Promise.all([reply("/checkpoint"), reply("/checkpoint")]);
    expect(names[0]).toBe(names[1]);
  });

  it.each(["/think high", "/model gpt", "/queue steer", "/send off", "/exec ask=always", "/usage full"])(
    "%s leaves what it left before",
    async (text) => {
      const world = fakeWorld({ requester: OWNER });
      await run(text, world);
      const once = await world.session();
      await run(text, world);
      expect(await world.session()).toEqual(once);
    },
  );
});

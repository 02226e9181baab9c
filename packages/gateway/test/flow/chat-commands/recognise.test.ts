import { describe, expect, it } from "vitest";
import { fakeWorld, GUEST, OWNER, STRANGER } from "../../support/chat-commands.ts";
import { COMMANDS, commandsIn } from "../../support/chat-commands.ts";
import type { CommandSettings } from "@chela/sdk";

const commands = commandsIn(fakeWorld().house);
const SETTINGS: CommandSettings = {
  config: true,
  debug: true,
  modelAliases: { opus: "anthropic/claude-opus-4-6", GPT: "openai/gpt-5.2" },
};
const recognise = (text: string, settings = SETTINGS) => commands.recognise(text, OWNER, settings);
const inline = (text: string, ...calls: ReadonlyArray<readonly [string, string]>) => ({
  kind: "inline",
  calls: calls.map(([name, args]) => ({ name, args })),
  text,
});

const TRAPS = [
  "/usr/bin",
  "/usr/bin/think high",
  "what is in /usr/local?",
  "/etc/hosts is broken",
  "http://x/model",
  "https://example.org/status",
  "see https://example.org/help for more",
  "and/or",
  "either/or /and",
  "1/2",
  "/",
  "//",
  "/ think high",
  "/ help",
  "// think high",
  "/thinker high",
  "/models-of-thought",
  "/stopwatch",
  "/newer",
  "/newsletter please",
  "/resetting",
  "/statuses",
  "/unknown",
  "/unknown command with words",
  "/tts on",
  "/bash ls",
  "/skills list",
  "! ls -la",
  "!poll",
  "\\/think high",
  '"/think high"',
  "(/think high)",
  "'/status'",
  "[/model](x)",
  "path/think high",
  "a/model opus",
  "~/model opus",
  "./model opus",
  "../model openai/gpt-5.2",
  "C:/think high",
  "/think/high",
  "/model/opus",
  "/think_high",
  "what does /think do?",
  "what does /think mean",
  "explain /model to me",
  "explain /model src/user.ts",
  "the /model folder",
  "is /verbose a good name",
  "the /reasoning behind it",
  "an /elevated place",
  "write /exec into the script",
  "run /exec ls -la",
  "the /queue is long",
  "the /queue default is collect",
  "set /think default there",
  "GET /status",
  "call POST /commands\nand look",
  "open the /status page",
  "the /help desk",
  "the route /id",
  "shutdown /t 0",
  "timeout /t high",
  "dir /v on",
  "`/think high`",
  "use ` /think high ` there",
  "```\n/think high\n```\nwhat is this",
  "```\n/status",
  "> /think high\nwhat did you mean",
  "  > /status\nwhy",
  "compact this",
  "think high",
  "model opus",
  "status",
  "please /new",
  "please /compact this",
  "then /restart the server",
  "I like /opus a lot",
  "/think@otherbot high",
  "/status@otherbot",
  "ｆｕｌｌ／think high",
  "",
];

describe("what is plain text", () => {
  it.each(TRAPS)("leaves %j as it is", (text) => {
    const settings = { ...SETTINGS, botName: "chelabot" };
    expect(recognise(text, settings)).toEqual({ kind: "text", text });
  });

  it("is found in time that grows with the length of the message", () => {
    const text = `x ${"/think ` > ".repeat(20_000)}`;
    expect(recognise(text)).toEqual({ kind: "text", text });
    expect(recognise(`hi ${"/think high ".repeat(5_000)}`)).toMatchObject({ kind: "inline" });
  });
});

describe("directives inside a message", () => {
  it.each([
    ["/think high what is love", inline("what is love", ["think", "high"])],
    ["what is love /think high", inline("what is love", ["think", "high"])],
    ["what /think:high is love", inline("what is love", ["think", "high"])],
    ["/THINK: High\nwhat", inline("what", ["think", "High"])],
    ["/t high", inline("", ["think", "high"])],
    ["/think@chelabot high hello", inline("hello", ["think", "high"])],
    ["please /think high.", inline("please.", ["think", "high"])],
    ["please /think high, then go", inline("please, then go", ["think", "high"])],
    ["one\n/think high\ntwo", inline("one\ntwo", ["think", "high"])],
    ["one\n\n  /think high  \n\ntwo", inline("one\n\n\ntwo", ["think", "high"])],
    ["/think high /verbose on go", inline("go", ["think", "high"], ["verbose", "on"])],
    ["go /think low now /verbose full", inline("go now", ["think", "low"], ["verbose", "full"])],
    ["/think", inline("", ["think", ""])],
    ["/think about life", inline("", ["think", "about life"])],
    ["/think high /verbose blah", inline("", ["think", "high"], ["verbose", "blah"])],
    ["/model openai/gpt-5.2 hi", inline("hi", ["model", "openai/gpt-5.2"])],
    ["hi /model openai/gpt-5.2@work there", inline("hi there", ["model", "openai/gpt-5.2@work"])],
    ["hi /model opus there", inline("hi there", ["model", "opus"])],
    ["/model nonsense hi", inline("hi", ["model", "nonsense"])],
    ["/model list 2", inline("", ["model", "list 2"])],
    ["/opus hi", inline("hi", ["model", "opus"])],
    ["/gpt", inline("", ["model", "gpt"])],
    ["/think high /opus hi", inline("hi", ["think", "high"], ["model", "opus"])],
    ["/queue steer cap:5 drop:old hi", inline("hi", ["queue", "steer cap:5 drop:old"])],
    ["hi /queue collect debounce:2s", inline("hi", ["queue", "collect debounce:2s"])],
    ["/queue default", inline("", ["queue", "default"])],
    ["/exec host=gateway ask=always do it", inline("do it", ["exec", "host=gateway ask=always"])],
    ["/exec ls -la", inline("", ["exec", "ls -la"])],
    ["/reasoning stream", inline("", ["reasoning", "stream"])],
    ["do it /elevated ask", inline("do it", ["elevated", "ask"])],
  ])("reads %j", (text, expected) => {
    expect(recognise(text, { ...SETTINGS, botName: "@ChelaBot" })).toEqual(expected);
  });

  it.each([
    ["hey /status", inline("hey", ["status", ""])],
    ["/status how are you", inline("how are you", ["status", ""])],
    ["/id", inline("", ["whoami", ""])],
    ["/help think", inline("", ["help", "think"])],
    ["/help me with this", inline("me with this", ["help", ""])],
    ["/commands 2", inline("", ["commands", "2"])],
    ["first\n/whoami\nsecond", inline("first\nsecond", ["whoami", ""])],
  ])("answers the shortcut in %j", (text, expected) => {
    expect(recognise(text)).toEqual(expected);
  });

  it.each(["/think high what is love", "what is love /think high", "/model opus hi", "/status hello"])(
    "leaves %j as it is when the sender may not",
    (text) => {
      expect(commands.recognise(text, STRANGER, SETTINGS)).toEqual({ kind: "text", text });
    },
  );
});

describe("commands", () => {
  const spellings = (name: string) => [
    `/${name}`,
    `/${name.toUpperCase()}`,
    `  /${name}  `,
    `/${name}:`,
    `/${name}@chelabot`,
    `/${name} something else`,
    `/${name}: something else`,
    `/${name}\nsomething`,
  ];
  const names = COMMANDS.flatMap(({ name, aliases }) => [name, ...aliases]);

  it.each(names)("/%s never reaches the model, however it is spelt", async (name) => {
    for (const text of spellings(name)) {
      const outcome = await commands.run(recognise(text, { ...SETTINGS, botName: "chelabot" }), fakeWorld());
      if (outcome.kind === "none") expect(outcome.text, text).not.toContain("/");
      else expect(["reply", "stop", "reset"], text).toContain(outcome.kind);
    }
  });

  it.each(names)("/%s of somebody without rights is passed over in silence", (name) => {
    const recognition = commands.recognise(`/${name}`, STRANGER, SETTINGS);
    expect(recognition.kind).toBe(["whoami", "id"].includes(name) ? "inline" : "ignored");
  });

  it("have names of their own", () => {
    expect(new Set(names).size).toBe(names.length);
  });

  it("cannot be shadowed by the alias of a model", () => {
    expect(recognise("/status", { modelAliases: { status: "a/b" } })).toEqual(inline("", ["status", ""]));
  });

  it("are plain JSON once recognised, so that they can be kept and run later", () => {
    for (const text of ["/compact x", "/think high hello", "stop", "hello"]) {
      expect(JSON.parse(JSON.stringify(recognise(text)))).toEqual(recognise(text));
    }
  });

  it("stop by word or command, for those who may", () => {
    for (const text of ["stop", "Please stop!", "/stop", "/stop now", "/STOP@bot"]) {
      expect(recognise(text)).toEqual({ kind: "stop" });
    }
    expect(commands.recognise("stop", STRANGER, SETTINGS)).toEqual({ kind: "text", text: "stop" });
    expect(commands.recognise("/stop", STRANGER, SETTINGS)).toEqual({ kind: "ignored" });
  });

  it("know the operator's own words for a new start", () => {
    const settings = { resetTriggers: ["fresh"] };
    expect(recognise("Fresh start", settings)).toEqual({ kind: "command", call: { name: "new", args: "start" } });
    expect(commands.recognise("fresh", STRANGER, settings)).toEqual({ kind: "text", text: "fresh" });
    expect(commands.recognise("fresh", GUEST, settings)).toMatchObject({ kind: "command" });
  });
});

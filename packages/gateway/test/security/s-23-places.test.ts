// S-23: wherever a reply can go, it sends no file that was not attached for that very conversation.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf, type ToolResultMessage } from "@chela/sdk";
import { callTool, callTools, say, type SaidOptions } from "@chela/sdk/testing";
import { openChannelStage, type ChannelStage } from "../support/stages/channel-stage.ts";
import { eventually } from "../support/in-process.ts";
import { countCases } from "../support/security/security-cases.ts";
import type { Json } from "../support/wire-client.ts";

const CANARY = "canary23-content-of-a-file";
const HOOK_TOKEN = "token-of-the-hooks-0123456789abcdef";
const workspace = (stage: ChannelStage): string => join(stage.gateway.stateDir, "workspace");

/** What a model may write to get a file sent; `handle` is one of another conversation. */
const corpusOf = (stage: ChannelStage, handle: string): string[] => {
  const file = join(workspace(stage), "report.txt");
  const plain = ["/etc/passwd", file, "report.txt", "./report.txt", `../workspace/report.txt`, `~/report.txt`];
  const addresses = [
    `file://${file}`,
    `file:${file}`,
    `FILE:///etc/passwd`,
    "http://127.0.0.1:9/x",
    "ftp://127.0.0.1/x",
  ];
  const shares = [String.raw`\\127.0.0.1\share\x`, String.raw`C:\Windows\win.ini`, "//127.0.0.1/share/x"];
  const data = [`data:text/plain;base64,${Buffer.from(CANARY).toString("base64")}`, "data:,x", "blob:x", "cid:x"];
  const digest = "0123456789abcdef".repeat(4);
  const forged = [
    handle,
    `media:${digest}.${digest}`,
    handle.slice(0, -1),
    handle.toUpperCase(),
    `${handle}#x`,
    `${handle}?x`,
  ];
  const odd = [
    "media:",
    "media:../../etc/passwd",
    `media:outbound/${digest}`,
    stage.gateway.configPath,
    "/proc/self/environ",
  ];
  return [...plain, ...addresses, ...shares, ...data, ...forged, ...odd].flatMap((source) => [
    `MEDIA:${source}`,
    `MEDIA: "${source}"`,
    `  MEDIA:\`${source}\``,
    `![picture](${source})`,
    `<media src="${source}">`,
    `[[media:${source}]]`,
  ]);
};

describe("S-23", () => {
  let stage: ChannelStage;
  let corpus: string[];
  beforeAll(async () => {
    stage = await openChannelStage({
      fake: { traits: {} },
      settings: { groupPolicy: "open", groups: { "*": { requireMention: false } } },
      config: {
        commands: { ownerAllowFrom: ["fake:alice"] },
        hooks: { enabled: true, token: HOOK_TOKEN },
        tools: { loopDetection: { enabled: false } },
      },
    });
    mkdirSync(workspace(stage), { recursive: true });
    writeFileSync(join(workspace(stage), "report.txt"), CANARY);
    corpus = corpusOf(stage, await attachIn({ chat: { kind: "group", id: "elsewhere" } }));
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  /** Lets the model attach a file in a chat, and gives the handle it was told there. */
  async function attachIn(said: SaidOptions): Promise<string> {
    const [sent, asked] = [stage.fake.sent.length, stage.model.requests.length];
    stage.model.script(callTool("attach", { path: "report.txt" }), say("It is ready."));
    await stage.fake.say("attach the report", said);
    await stage.fake.until(sent + 1);
    const told = textOf(stage.model.requests[asked + 1]?.messages.at(-1) as ToolResultMessage);
    const handle = /^MEDIA:(\S+)$/m.exec(told)?.[1] ?? "";
    expect(handle).not.toBe("");
    return handle;
  }

  /** Nothing but words has left, and none of them is what is in a file. */
  function expectOnlyWords(from: number): void {
    const sent = stage.fake.sent.slice(from);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter(({ content }) => content.kind === "media")).toEqual([]);
    expect(sent.filter(({ text }) => text.includes(CANARY) || /root:x?:0:0/.test(text))).toEqual([]);
  }

  const CHATS: ReadonlyArray<readonly [string, SaidOptions]> = [
    ["a direct chat", {}],
    ["a group", { chat: { kind: "group", id: "g1" } }],
    ["a channel", { chat: { kind: "channel", id: "c1" } }],
    ["a thread of a group", { chat: { kind: "group", id: "g1", threadId: "t1" } }],
  ];

  test.each(CHATS)("%s: an answer sends words, whatever it names", async (_where, said) => {
    const before = stage.fake.sent.length;
    // Several lines at once; one answer cannot be longer than a message.
    for (let at = 0; at < corpus.length; at += 12) {
      const lines = corpus.slice(at, at + 12);
      stage.model.script(say(["Here it is:", ...lines, "Done."].join("\n")));
      await stage.ask("show me", said);
    }
    countCases("S-23", corpus.length);
    stage.model.script(say("next"));
    await stage.ask("and?", said);
    expectOnlyWords(before);
  });

  test("the tool that writes messages sends words, whatever its text names, and refuses files that are none of its", async () => {
    const before = stage.fake.sent.length;
    const texts = corpus.slice(0, 60).map((line) => ({ action: "send", message: `Here:\n${line}` }));
    const sources = corpus.filter((line) => /^MEDIA:(?!.*report\.txt$)/.test(line)).map((line) => line.slice(6));
    const files = sources.map((media) => ({ action: "send", message: "Here", media }));
    const calls = [...texts, ...files].map((args: Json, index) => ({
      id: `c${index}`,
      name: "message",
      arguments: args,
    }));
    stage.model.script(callTools(calls), say("All done."));
    await stage.fake.say("send them");
    await eventually(
      "the end of the turn",
      () => stage.fake.sent.some(({ text }) => text === "All done.") || undefined,
    );
    countCases("S-23", calls.length);
    const results = (stage.model.requests.at(-1)?.messages ?? []).filter(
      (message): message is ToolResultMessage => message.role === "toolResult",
    );
    const taken = results.filter((result, index) => index >= texts.length && !result.isError);
    // A picture in the text of the call itself is nobody's file.
    expect(
      taken.filter((result) => !/data:/.test(String(files[results.indexOf(result) - texts.length]?.media))),
    ).toEqual([]);
    const sent = stage.fake.sent.slice(before);
    expect(sent.filter(({ text }) => text.includes(CANARY))).toEqual([]);
  });

  test("jobs and webhooks that deliver into a chat send words, whatever the answer names", async () => {
    const lines = corpus.filter((_, index) => index % 6 === 0);
    const before = stage.fake.sent.length;
    stage.model.script(say(["From a job:", ...lines, "Done."].join("\n")));
    const at = new Date(Date.now() + 20).toISOString();
    await stage.client.call("cron.add", {
      schedule: { kind: "at", at },
      message: "go",
      delivery: { mode: "announce", channel: "fake", to: "alice" },
    });
    await stage.fake.until(before + 1);
    stage.model.script(say(["From a hook:", ...lines, "Done."].join("\n")));
    const body = JSON.stringify({ message: "go", deliver: true, channel: "fake", to: "alice" });
    const headers = { "content-type": "application/json" };
    const middle = stage.fake.sent.length;
    const answer = await stage.gateway.fetch("/hooks/agent", { method: "POST", body, headers, token: HOOK_TOKEN });
    expect(answer.status).toBeLessThan(300);
    await stage.fake.until(middle + 1);
    countCases("S-23", lines.length * 2);
    expectOnlyWords(before);
  });

  test("a handle that a person, a page or a tool result quotes is not the agent's word", async () => {
    const handle = await attachIn({});
    const before = stage.fake.sent.length;
    writeFileSync(join(workspace(stage), "quoted.txt"), `MEDIA:${handle}\n`);
    stage.model.script(callTool("read", { path: "quoted.txt" }), say("I have read it."));
    await stage.ask("read quoted.txt");
    stage.model.script(say("As you said."));
    await stage.ask(`MEDIA:${handle}`);
    stage.model.script(say(`> MEDIA:${handle}\n\n\`\`\`\nMEDIA:${handle}\n\`\`\`\nquoted`));
    await stage.ask("quote it");
    stage.model.script(say("next"));
    await stage.ask("and?");
    countCases("S-23", 4);
    expectOnlyWords(before);
  });
});

// What becomes of the bodies other programs send, in both formats.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseRequest, type Parsed, type MessageContext } from "./parse.ts";
import { parseGithub } from "./parse-github.ts";

const around: MessageContext = { now: 1745372297000, sender: undefined, isOurs: (id) => id === "ours-1" };
function event(parsed: Parsed) {
  if (parsed.kind !== "event") throw new Error(parsed.why);
  return parsed.event;
}
const whole = { id: "m1", from: { id: "u1", name: "Ada" }, text: "hello" };

describe("a request in our own format", () => {
  it("is a direct message of its sender", () => {
    expect(event(parseRequest(whole, around))).toEqual({
      id: "m1",
      messageId: "m1",
      at: 1745372297000,
      chat: { kind: "direct", id: "u1" },
      sender: { id: "u1", name: "Ada" },
      replyTarget: { to: "user:u1" },
      content: { kind: "message", text: "hello", mentionsUs: false },
    });
  });

  it("can name a place, a thread, a time, a mention and what it answers", () => {
    const chat = { id: "g1", kind: "group", title: "Lunch", threadId: "t1" };
    expect(
      event(parseRequest({ ...whole, at: 1745372290000, chat, mentionsUs: true, replyTo: "ours-1" }, around)),
    ).toMatchObject({
      at: 1745372290000,
      chat,
      replyTarget: { to: "group:g1", threadId: "t1" },
      content: { mentionsUs: true, replyTo: { id: "ours-1", isOurs: true } },
    });
  });

  it("keeps two people with one name apart", () => {
    const one = event(parseRequest(whole, around)).sender;
    const other = event(parseRequest({ ...whole, from: { id: "u2", name: "Ada" } }, around)).sender;
    expect(other.name).toBe(one.name);
    expect(other.id).not.toBe(one.id);
  });

  it("has the sender of the settings when it names none", () => {
    const { from: _from, ...rest } = whole;
    expect(event(parseRequest(rest, { ...around, sender: "printer" })).sender).toEqual({ id: "printer" });
    expect(parseRequest(rest, around)).toMatchObject({
      kind: "wrong",
      why: expect.stringContaining("from.id") as unknown,
    });
  });

  it.each<[string, unknown, string]>([
    ["no object", [], "the body"],
    ["no id", { ...whole, id: "" }, "id"],
    ["a number as an id", { ...whole, id: 7 }, "id"],
    ["everybody as a sender", { ...whole, from: { id: "*" } }, "nobody"],
    ["no text", { ...whole, text: "  " }, "text is empty"],
    ["a text that is too long", { ...whole, text: "x".repeat(100_001) }, "text"],
    ["an unknown kind of chat", { ...whole, chat: { id: "g", kind: "room" } }, "chat.kind"],
    ["a chat without a kind", { ...whole, chat: { id: "g" } }, "chat.kind"],
    ["a direct chat of somebody else", { ...whole, chat: { id: "u9", kind: "direct" } }, "chat.id"],
  ])("is told what is wrong: %s", (_name, body, word) => {
    expect(parseRequest(body, around)).toMatchObject({ kind: "wrong", why: expect.stringContaining(word) as unknown });
  });
});

describe("an event of GitHub", () => {
  const raw = readFileSync(new URL("fixtures/issue-opened.json", import.meta.url));
  const body = JSON.parse(raw.toString()) as Record<string, unknown>;
  const call = { headers: { "x-github-event": "issues", "x-github-delivery": "1" }, body: raw };
  const parse = (changed: unknown = body, template?: string, more: object = {}) =>
    parseGithub(changed, { ...call, ...more }, template, around);

  it("is a sentence and what it says, without the noise", () => {
    const { sender, content, replyTarget } = event(parse());
    expect(sender).toEqual({ id: "583231", name: "ada", username: "ada" });
    expect(replyTarget).toEqual({ to: "user:583231" });
    const text = content.kind === "message" ? content.text : "";
    expect(text.split("\n")[0]).toBe("issues opened in ada/roses by ada");
    expect(text).toContain('"title": "Thorns"');
    expect(text).not.toMatch(/https:|node_id/);
  });

  it("is what the template makes of it, and only of its own fields", () => {
    const template =
      "{{@event}} #{{ issue.number }} {{issue.title}} {{issue.labels.0.name}}{{issue.none}}{{constructor.name}}{{issue.labels}}";
    const labels = JSON.stringify((body["issue"] as { labels: unknown }).labels);
    expect(event(parse(body, template)).content).toMatchObject({ text: `issues #7 Thorns bug${labels}` });
    expect(parse(body, "{{nothing}}")).toMatchObject({ kind: "passed" });
  });

  it("is the same event when somebody changes what is not signed", () => {
    const headers = { "x-github-event": "<script>", "x-github-delivery": "2" };
    const copy = event(parse(body, undefined, { headers }));
    expect(copy.id).toBe(event(parse()).id);
    expect(copy.content).toMatchObject({ text: expect.stringMatching(/^event opened/) as unknown });
  });

  it("says that a bot sent it, and passes over the first hello", () => {
    expect(event(parse({ ...body, sender: { id: 1, login: "x[bot]", type: "Bot" } })).sender.isBot).toBe(true);
    expect(parse({ zen: "" }, undefined, { headers: { "x-github-event": "ping" } }).kind).toBe("passed");
  });

  it("needs a sender, of its own or of the settings", () => {
    const { sender: _sender, ...rest } = body;
    expect(parse(rest).kind).toBe("wrong");
    expect(event(parseGithub(rest, call, undefined, { ...around, sender: "ci" })).sender.id).toBe("ci");
    expect(parse("hello").kind).toBe("wrong");
  });
});

// What becomes of the frames signal-cli hands over.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseFrame, type Reader } from "./parse.ts";

const frames = JSON.parse(readFileSync(new URL("fixtures/frames.json", import.meta.url), "utf8")) as Record<
  string,
  { envelope: Record<string, unknown> }
>;
const ADA = "uuid:7ccae375-cd51-4c82-8b1e-7be3280aa485";
const OUR_UUID = "99999999-8888-4777-8666-555555555555";
const reader: Reader = {
  isUs: ({ number, uuid }) => number === "+15550100000" || uuid === OUR_UUID,
  isAddressee: (account) => account === "+15550100000",
  nameOf: (id) => (id === "+15550100002" ? "Bob" : undefined),
  takesAttachments: true,
};
function event(frame: unknown, by = reader) {
  const parsed = parseFrame(frame, by);
  if (parsed.kind !== "event") throw new Error(parsed.why);
  return parsed.event;
}
const dropped = (frame: unknown) => parseFrame(frame, reader);

describe("a message", () => {
  it("is from a uuid, with the number beside it", () => {
    expect(event(frames["direct"])).toEqual({
      id: "1745372297238:7ccae375-cd51-4c82-8b1e-7be3280aa485",
      messageId: "1745372297238:7ccae375-cd51-4c82-8b1e-7be3280aa485",
      at: 1745372297238,
      chat: { kind: "direct", id: ADA },
      sender: { id: ADA, otherIds: ["+15550100001"], name: "Ada" },
      replyTarget: { to: ADA },
      content: { kind: "message", text: "Hello there", mentionsUs: false },
    });
  });

  it("is from the same person whatever they call themselves, and from another one with the same name", () => {
    const victim = event(frames["direct"]);
    const attacker = event(frames["uuidOnly"]);
    expect(attacker.sender.name).toBe(victim.sender.name);
    expect([attacker.sender.id, ...(attacker.sender.otherIds ?? [])]).toEqual([
      "uuid:11111111-2222-4333-8444-555555555555",
    ]);
    expect(attacker.sender.id).not.toBe(victim.sender.id);
  });

  it("in a group names the group, who is mentioned and what is answered", () => {
    expect(event(frames["group"])).toMatchObject({
      chat: { kind: "group", id: "VGhpc0lzQUdyb3VwSWQ=", title: "Lunch" },
      replyTarget: { to: "group:VGhpc0lzQUdyb3VwSWQ=" },
      content: {
        text: "@+15550100000 and @Bob, what about lunch?",
        mentionsUs: true,
        replyTo: { id: "1745372200000", isOurs: true, text: "I can help", sender: { id: `uuid:${OUR_UUID}` } },
      },
    });
  });

  it("brings its files, as far as they can be fetched", () => {
    expect(event(frames["files"]).content).toEqual({
      kind: "message",
      text: "",
      mentionsUs: false,
      media: [
        { kind: "image", ref: `attachment Yx81.jpg ${ADA}`, mimeType: "image/jpeg", name: "cat.jpg", bytes: 21000 },
        { kind: "voice", ref: `attachment Zz99.aac ${ADA}`, mimeType: "audio/aac", bytes: 5000 },
        { kind: "sticker", ref: "sticker a1b2 3" },
      ],
    });
    expect(parseFrame(frames["files"], { ...reader, takesAttachments: false }).kind).toBe("dropped");
  });
});

describe("other events", () => {
  it.each([
    ["reaction", { kind: "reaction", emoji: "👍", isRemoved: true, on: "1745372200000", onOurs: true }],
    ["edit", { kind: "edit", of: "1745372297238:7ccae375-cd51-4c82-8b1e-7be3280aa485", text: "Hello again" }],
    ["deleted", { kind: "notice", text: "deleted the message 1745372297238:7ccae375-cd51-4c82-8b1e-7be3280aa485" }],
    ["poll", { kind: "notice", text: "started a poll: Lunch?\n1. yes\n2. no" }],
  ])("%s", (name, content) => {
    expect(event(frames[name]).content).toEqual(content);
  });
});

describe("dropped is", () => {
  const direct = frames["direct"]?.envelope ?? {};
  const data = direct["dataMessage"] as Record<string, unknown>;
  it.each<[string, unknown]>([
    ["what is no frame", "hello"],
    ["a frame with an error", { account: "+15550100000", exception: { message: "no", type: "X" } }],
    ["a receipt", { envelope: { ...direct, dataMessage: undefined, receiptMessage: { isRead: true } } }],
    ["a typing sign", { envelope: { ...direct, dataMessage: undefined, typingMessage: { action: "STARTED" } } }],
    ["a story", { envelope: { ...direct, dataMessage: undefined, storyMessage: {} } }],
    ["what we wrote elsewhere", { envelope: { ...direct, syncMessage: { sentMessage: {} } } }],
    ["what we wrote ourselves", { envelope: { ...direct, sourceNumber: null, sourceUuid: OUR_UUID } }],
    ["what is for another account", { envelope: direct, account: "+15550100009" }],
    ["what has no sender", { envelope: { ...direct, sourceNumber: null, sourceUuid: "" } }],
    ["an empty message", { envelope: { ...direct, dataMessage: { ...data, message: " " } } }],
    ["a message with a strange time", { envelope: { ...direct, dataMessage: { ...data, timestamp: "now" } } }],
  ])("%s", (_name, frame) => {
    expect(dropped(frame)).toMatchObject({ kind: "dropped", why: expect.stringMatching(/\w/) as unknown });
  });

  it("a message in a group that cannot be read: it never becomes a direct one", () => {
    for (const groupInfo of [{}, { groupId: "" }, { groupId: 7 }, "group", []]) {
      expect(dropped({ envelope: { ...direct, dataMessage: { ...data, groupInfo } } }).kind).toBe("dropped");
    }
  });

  it("a mention that lies outside the text, and nothing else of the message", () => {
    const mentions = [{ start: 500, length: 1, number: "+15550100002" }];
    const found = event({ envelope: { ...direct, dataMessage: { ...data, mentions } } });
    expect(found.content).toMatchObject({ text: "Hello there" });
  });
});

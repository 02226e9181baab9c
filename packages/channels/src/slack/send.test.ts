// What Slack is told about a message that is changed.
import { expect, it } from "vitest";
import type { SlackApi } from "./api.ts";
import type { SlackAccount } from "./config.ts";
import { createSender } from "./send.ts";
import type { MediaSender } from "./upload.ts";

it("an edit is not read as if a person had typed it: nobody is called by a name in it", async () => {
  const asked: Array<Record<string, unknown>> = [];
  const api = {
    ask: async (_method: string, args: Record<string, unknown>) => {
      asked.push(args);
      return { kind: "answered", answer: { channel: "C0ROOM", ts: "1.0" } };
    },
  } as unknown as SlackApi;
  const sender = createSender({
    api,
    account: { sendsMarkdownBlocks: false } as SlackAccount,
    self: { userId: "U0US", teamId: "T0", name: "us" },
    places: { find: async () => ({ kind: "answered", answer: "C0ROOM" }) },
    media: {} as MediaSender,
    now: () => 0,
  });
  expect(await sender.edit({ to: "channel:C0ROOM" }, "1.0", "@channel look")).toMatchObject({ kind: "sent" });
  expect(asked).toMatchObject([{ text: "@channel look", parse: "none" }]);
});

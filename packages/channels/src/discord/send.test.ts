// What a message that could not be prepared means for its delivery.
import { expect, it } from "vitest";
import { GatewayError, type OutboundMessage } from "@chela/sdk";
import type { DiscordApi } from "./api.ts";
import { Sender } from "./send.ts";

const message = (markdown: string): OutboundMessage => ({
  key: "k",
  target: { to: "channel:300000000000000001" },
  content: { kind: "text", markdown, buttons: [[{ text: "Allow", data: "x".repeat(200) }]] },
  mayHaveArrived: false,
});

it.each([
  ["is tried again when what its buttons stand for cannot be kept at the moment", "yes or no?", "unavailable"],
  ["is given up when there is nothing in it", "", "rejected"],
])("a message %s", async (_what, markdown, reason) => {
  const full = {
    recall: async () => undefined,
    remember: async () => {
      throw new GatewayError("STORE_FULL", "the disk is full");
    },
  };
  const sender = new Sender({ call: async () => ({ id: "1" }) } as unknown as DiscordApi, full, "1");
  const content =
    markdown === "" ? { ...message(markdown), content: { kind: "text" as const, markdown } } : message(markdown);
  expect(await sender.send(content, new AbortController().signal)).toMatchObject({ kind: "failed", reason });
});

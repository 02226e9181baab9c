// What a mail that could not be written means for its delivery.
import { expect, it } from "vitest";
import { GatewayError, type OutboundContent } from "@chela/sdk";
import { createFakeHost } from "@chela/sdk/testing";
import { sendMail, type SendParts } from "./send.ts";
import { Threads } from "./threads.ts";

const missing = { kind: "file" as const, path: "/nowhere/a.txt", mimeType: "text/plain", name: "a.txt", bytes: 1 };

it.each<[string, OutboundContent, boolean, string]>([
  [
    "is tried again when its thread cannot be looked up at the moment",
    { kind: "text", markdown: "hi" },
    true,
    "unavailable",
  ],
  ["is given up when its file is gone", { kind: "media", media: missing }, false, "rejected"],
])("a mail %s", async (_what, content, isStoreDown, reason) => {
  const host = createFakeHost({ directory: "/nowhere" });
  const recall = async (): Promise<undefined> => {
    if (isStoreDown) throw new GatewayError("STORE_FAILED", "the store does not answer");
  };
  const parts = {
    account: { address: "bot@example.net", maxMessageBytes: 1_000_000 },
    host,
    threads: new Threads({ recall, remember: host.remember }),
  } as unknown as SendParts;
  const message = { key: "k", target: { to: "ann@example.org", threadId: "1@x" }, content, mayHaveArrived: false };
  expect(await sendMail(parts, message, new AbortController().signal)).toMatchObject({ kind: "failed", reason });
});

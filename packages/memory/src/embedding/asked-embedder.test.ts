// Vectors of a remote model come from the gateway; the keeper only asks.
import { setImmediate } from "node:timers/promises";
import { GatewayError } from "@chela/sdk";
import { expect, it } from "vitest";
import { testEmbedder } from "../embedder-contract.test-support.ts";
import { createAskedEmbedder, type AskedParts } from "./asked-embedder.ts";

const open = (ask: AskedParts["ask"]) => createAskedEmbedder({ provider: "openai", model: "m", providerKey: "k", ask });
const unit = Float32Array.of(1, 0);

testEmbedder("a service the gateway asks", () =>
  open(async (texts) => {
    await setImmediate();
    return texts.map(() => unit);
  }),
);

it("hands texts and purpose on, and gives what comes back", async () => {
  const asked: unknown[] = [];
  const embedder = open(async (...question) => (asked.push(question), [unit]));
  expect(await embedder.embed(["a"], "query")).toEqual([unit]);
  expect(asked).toEqual([[["a"], "query"]]);
});

it("refuses fewer vectors than texts", async () => {
  await expect(open(async () => [unit]).embed(["a", "b"], "document")).rejects.toMatchObject({
    code: "MEMORY_EMBEDDING",
    detail: "openai gave 1 vectors for 2 texts",
  });
});

it("lets a failure through as it is, with how long to wait", async () => {
  const failure = new GatewayError("MEMORY_EMBEDDING", "busy", { cause: { retryAfterMs: 5000 } });
  await expect(open(() => Promise.reject(failure)).embed(["a"], "document")).rejects.toBe(failure);
});

// Vectors of a remote model come from the gateway; the keeper only asks.
import { GatewayError } from "@chela/sdk";
import { expect, it } from "vitest";
import { createAskedEmbedder, type AskedParts } from "./asked-embedder.ts";

const open = (ask: AskedParts["ask"]) => createAskedEmbedder({ provider: "openai", model: "m", providerKey: "k", ask });
const unit = Float32Array.of(1, 0);

it("hands texts and purpose on, and gives what comes back", async () => {
  const asked: unknown[] = [];
  const embedder = open(async (...question) => (asked.push(question), [unit]));
  expect(await embedder.embed(["a"], "query")).toEqual([unit]);
  expect(asked).toEqual([[["a"], "query"]]);
});

it("asks nobody for no texts", async () => {
  const embedder = open(() => Promise.reject(new Error("asked")));
  expect(await embedder.embed([], "document")).toEqual([]);
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

it("does not wait for an answer nobody wants any more", async () => {
  const abort = new AbortController();
  const work = open(() => new Promise(() => {})).embed(["a"], "query", abort.signal);
  abort.abort();
  await expect(work).rejects.toThrow("aborted");
});

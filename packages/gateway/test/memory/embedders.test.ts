// Who makes vectors: the model on this machine by itself, a service once it is configured, and the one for the other when it fails.
import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmbeddingServer, type EmbeddingServer } from "../support/models/embedding-server.ts";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import {
  endKeepers,
  indexPath,
  keepersOf,
  megabytesOf,
  remembering,
  untilStatus,
  useTool,
  writeNote,
  type FoundPlace,
} from "../support/stages/memory-stage.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

const NOTES: Readonly<Record<string, string>> = {
  anna: "Anna is allergic to peanuts.",
  rent: "The rent is due on the third of each month.",
  boat: "The boat lies in the harbour of Kappeln all winter.",
  meeting: "The board meets on Tuesdays at four.",
};
const KEY = "key-of-the-loopback-service";

function writeAll(stateDir: string): void {
  for (const [name, text] of Object.entries(NOTES)) writeNote(stateDir, `memory/${name}.md`, `${text}\n`);
}

describe("vectors", () => {
  let server: EmbeddingServer;
  let gateway: TestGateway;
  let client: WireClient;
  let megabytesBefore: number;
  const remote = () => ({ baseUrl: server.baseUrl, apiKey: KEY });
  beforeAll(async () => {
    server = await startEmbeddingServer();
    gateway = await startTestGateway({
      config: remembering({ enabled: true, remote: remote() }),
      env: { OPENAI_API_KEY: KEY },
    });
    client = await gateway.connect();
    writeAll(gateway.stateDir);
    await client.agent("hello");
    megabytesBefore = megabytesOf(process.pid);
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  const search = async (query: string): Promise<Json & { results: FoundPlace[] }> =>
    (await useTool({ client, model: gateway.model }, "memory_search", { query })) as Json & { results: FoundPlace[] };
  function configure(memorySearch: Json): void {
    const config = JSON.parse(readFileSync(gateway.configPath, "utf8")) as { agents: { defaults: Json } };
    config.agents.defaults["memorySearch"] = memorySearch;
    writeFileSync(gateway.configPath, JSON.stringify(config, null, 2));
  }
  const hasAllVectors = ({ vectors, chunks, isIndexing }: Json) =>
    vectors === chunks && chunks === Object.keys(NOTES).length && isIndexing === false;

  it("of the model on this machine find a note by what it means, in a turn", async () => {
    await client.call("memory.index", {});
    expect(await untilStatus(client, "all have vectors", hasAllVectors)).toMatchObject({
      provider: "local",
      mode: "hybrid",
    });
    const told = await search("What does she not tolerate in meals?");
    expect(told).toMatchObject({ provider: "local", mode: "hybrid" });
    expect(told).not.toHaveProperty("fallback");
    expect(told.results[0]).toMatchObject({ path: "memory/anna.md", citation: "memory/anna.md#L1-L1" });
  });

  it("are made in a process of their own: the gateway does not grow by the model", () => {
    const [keeper = 0] = keepersOf();
    const grown = megabytesOf(process.pid) - megabytesBefore;
    expect(megabytesOf(keeper)).toBeGreaterThan(100);
    expect(grown).toBeLessThan(megabytesOf(keeper) / 2);
  });

  it("are asked of nobody else, though there is an address and a key", () => {
    expect(server.texts).toEqual([]);
  });

  it("are asked of a service once it is named, for every note anew", async () => {
    configure({ enabled: true, provider: "openai", model: "tiny", remote: remote() });
    const isRemote = (status: Json) => status["provider"] === "openai" && hasAllVectors(status);
    expect(await untilStatus(client, "the service made all vectors", isRemote)).toMatchObject({
      model: "tiny",
      dimensions: 64,
    });
    expect(server.texts.join("\n")).toContain("peanuts");
    expect([...server.keys]).toEqual([KEY]);
    const told = await search("harbour winter boat");
    expect(told).toMatchObject({ provider: "openai", model: "tiny", mode: "hybrid" });
    expect(told.results[0]).toMatchObject({ path: "memory/boat.md" });
  });

  it("come from this machine again while the service fails, with a word about why", async () => {
    server.failWith(401);
    const told = await search("What does she not tolerate in meals?");
    expect(told["fallback"]).toMatch(/^tiny cannot be used just now \(openai does not accept the key\); \S/);
    expect(told).not.toMatchObject({ provider: "openai" });
    expect(told.results.map(({ path }) => path)).toContain("memory/anna.md");
    const [status] = (await client.call("memory.status", { agentId: "main" })).agents;
    expect(status.fallback).toMatchObject({ why: "openai does not accept the key" });
    expect(status.notes.join(" ")).toContain("tiny makes no vectors just now: openai does not accept the key.");
    expect(await client.call("doctor.memory.status", {})).toMatchObject({ embedding: { ok: false } });
  });

  it("are not asked of the service any more once it is not named", async () => {
    server.failWith(undefined);
    configure({ enabled: true, remote: remote() });
    await untilStatus(
      client,
      "the own model is back",
      (status) => status["provider"] === "local" && hasAllVectors(status),
    );
    const before = server.texts.length;
    writeNote(gateway.stateDir, "memory/anna.md", "Anna is allergic to peanuts and to bees.\n");
    expect((await search("Which insects are a danger for her?")).results[0]).toMatchObject({ path: "memory/anna.md" });
    expect(server.texts).toHaveLength(before);
  });

  it("that were made here serve while a service makes its own, also where nobody stands in for it later", async () => {
    const held = server.holdNext();
    configure({ enabled: true, provider: "openai", model: "tiny-too", fallback: "none", remote: remote() });
    await untilStatus(client, "the service is configured", ({ provider }) => provider === "openai");
    const letGo = await held;
    const told = await search("What does she not tolerate in meals?");
    letGo();
    expect(told).toMatchObject({ provider: "local", mode: "hybrid" });
    expect(told["fallback"]).toMatch(/^Vectors of tiny-too are not complete yet/);
    expect(told.results[0]).toMatchObject({ path: "memory/anna.md" });
  });
});

describe("a keeper that is killed while it waits for vectors", () => {
  it("is followed by one that makes what is missing, and nothing twice", async () => {
    await using server = await startEmbeddingServer();
    const memorySearch = {
      enabled: true,
      provider: "openai",
      model: "tiny",
      fallback: "none",
      remote: { baseUrl: server.baseUrl, apiKey: KEY },
    };
    await using gateway = await startTestGateway({ config: remembering(memorySearch) });
    const client = await gateway.connect();
    const count = 150;
    for (let at = 0; at < count; at++) writeNote(gateway.stateDir, `memory/n${at}.md`, `Shelf ${at} has ${at} jars.\n`);
    const first = server.holdNext();
    await client.call("memory.index", {});
    const letGo = await first;
    await endKeepers();
    letGo();
    const second = server.holdNext();
    await client.call("memory.index", {});
    const letGoAgain = await second;
    await endKeepers();
    letGoAgain();
    await client.call("memory.index", {});
    const status = await untilStatus(client, "all have vectors", ({ vectors }) => vectors === count);
    expect(status).toMatchObject({ files: count, chunks: count });
    await untilStatus(client, "it rests", ({ isIndexing }) => isIndexing === false);
    const db = new DatabaseSync(indexPath(gateway.stateDir), { readOnly: true });
    const kept = db.prepare("SELECT count(*) AS kept FROM embedding_cache WHERE provider = 'openai'").get();
    db.close();
    expect(kept).toEqual({ kept: count });
    expect(new Set(server.texts).size).toBe(count);
    expect(await client.call("memory.check", {})).toMatchObject({ ok: true });
  });
});

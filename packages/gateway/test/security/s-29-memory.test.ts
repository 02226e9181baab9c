// S-29: a secret that somebody noted down, or told the agent, is in no answer of memory, in no prompt, and goes to no service.
import { createServer, type Server } from "node:http";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import { indexPath, useTool, writeNote } from "../support/stages/memory-stage.ts";
import { countCases } from "../support/security/security-cases.ts";
import type { WireClient } from "../support/wire-client.ts";

const SECRET = "canary-9f41-of-the-provider-77ab";
const WORD = "harbour";

let service: Server;
let gateway: TestGateway;
let client: WireClient;
const sent: string[] = [];

beforeAll(async () => {
  service = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString("utf8")));
    request.on("end", () => {
      sent.push(body);
      const { input } = JSON.parse(body) as { input: string[] };
      const data = input.map((_text, index) => ({ index, embedding: [1, 0, 0, index] }));
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ data }));
    });
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const { port } = service.address() as AddressInfo;
  const remote = { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: SECRET };
  gateway = await startTestGateway({
    config: {
      agents: {
        defaults: {
          memorySearch: {
            enabled: true,
            provider: "openai",
            model: "m",
            fallback: "none",
            sources: ["memory", "sessions"],
            remote,
          },
        },
      },
    },
  });
  client = await gateway.connect();
  writeNote(gateway.stateDir, "memory/keys.md", `# Keys\n\nThe key of the ${WORD} is ${SECRET} as of today.\n`);
  await client.agent(`My ${WORD} master is called Rolf. We decided to use ${SECRET} at the ${WORD}.`);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  service.close();
});

test("S-29: what memory answers has no known secret in it", async () => {
  const found = await client.call("memory.search", { query: `key of the ${WORD}`, minScore: 0 });
  expect(JSON.stringify(found)).toContain("[redacted]");
  const answers = [
    found,
    await client.call("memory.facts", {}),
    await client.call("memory.subjects", {}),
    await client.call("memory.block", {}),
    await client.call("memory.status", {}),
    await client.call("doctor.memory.status", {}),
  ];
  countCases("S-29", answers.length);
  expect(JSON.stringify(answers)).toContain(WORD);
  expect(JSON.stringify(answers)).not.toContain(SECRET);
});

test("S-29: what the model is told of memory has none", async () => {
  const told = [
    await useTool({ client, model: gateway.model }, "memory_search", { query: `key of the ${WORD}` }),
    await useTool({ client, model: gateway.model }, "memory_get", { path: "memory/keys.md" }),
  ];
  countCases("S-29", told.length);
  expect(JSON.stringify(told)).toContain(WORD);
  expect(JSON.stringify(told)).not.toContain(SECRET);
  expect(gateway.model.requests.map(({ system }) => system).filter((system) => system.includes(SECRET))).toEqual([]);
});

test("S-29: what goes to a service that makes vectors has none, and what was said is kept without it", async () => {
  expect(sent.join("\n")).toContain(WORD);
  expect(sent.filter((body) => body.includes(SECRET))).toEqual([]);
  countCases("S-29", sent.length);
  // The note itself is the owner's file and is kept as it is: once with its words, once among its pieces.
  const kept = readFileSync(indexPath(gateway.stateDir), "latin1");
  expect(kept).not.toContain(`We decided to use ${SECRET}`);
});

test("S-29: who may only read is shown notes and files without it; who may change them, to the letter", async () => {
  const reader = await gateway.connect({ scopes: ["operator.read"] });
  writeNote(gateway.stateDir, "USER.md", `The ${WORD} is ${SECRET}.\n`);
  const asked = [
    ["memory.notes.get", { path: "memory/keys.md" }],
    ["agents.files.get", { agentId: "main", name: "USER.md" }],
  ] as const;
  for (const [method, params] of asked) {
    const shown = JSON.stringify(await reader.call(method, params));
    expect(shown).toContain(WORD);
    expect(shown).not.toContain(SECRET);
    expect(JSON.stringify(await client.call(method, params))).toContain(SECRET);
  }
  countCases("S-29", asked.length);
});

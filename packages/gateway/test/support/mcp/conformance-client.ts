// A program the conformance suite drives: our client of MCP, which does what each scenario asks for and ends.
import { parseJson, systemClock } from "@chela/sdk/base";
import { createHttpFetch } from "@chela/sdk/http";
import type { Inward, McpClient } from "../../../src/rooms/mcp/client/client.ts";
import type { ToolDefinition } from "../../../src/rooms/mcp/client/protocol.ts";
import { connect } from "../../../src/rooms/mcp/client/connect.ts";
import { fillForm, readElicitation } from "../../../src/rooms/mcp/client/elicitation.ts";
import { discoverAccess } from "../../../src/rooms/mcp/oauth/discovery.ts";
import { beginSignIn, finishSignIn, type SignedIn } from "../../../src/rooms/mcp/oauth/sign-in.ts";
import { createSignedExchange } from "../../../src/rooms/mcp/oauth/signed-exchange.ts";
import { exchangeBy, HttpWire } from "../../../src/rooms/mcp/wire/http-wire.ts";
import type { RpcParams } from "../../../src/rooms/mcp/wire/messages.ts";
import { openSseWire } from "../../../src/rooms/mcp/wire/sse-wire.ts";

const url = process.argv.at(-1) ?? "";
const scenario = process.env["MCP_CONFORMANCE_SCENARIO"] ?? "";
const context = (parseJson(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}") ?? {}) as Record<string, string | undefined>;

const fetch = createHttpFetch({ onlyRepeatsReads: true });
const plain = exchangeBy(fetch);
let signedIn: SignedIn | undefined;

const exchange = createSignedExchange({
  url,
  plain,
  clock: systemClock,
  load: async () => signedIn,
  keep: async (next) => void (signedIn = next),
  async signIn(challenge) {
    const access = await discoverAccess(url, challenge, plain);
    const wishes = {
      redirectUri: "http://localhost:3000/callback",
      clientMetadataUrl: "https://conformance-test.local/client-metadata.json",
      ...(context["client_id"] ? { clientId: context["client_id"] } : {}),
      ...(context["client_secret"] ? { clientSecret: context["client_secret"] } : {}),
    };
    const known = signedIn?.client;
    const held = signedIn?.tokens.scope;
    const begun = await beginSignIn(access, challenge, wishes, { exchange: plain, known, held });
    // A person would open it in a browser, which is then sent back to us.
    const sent = await plain({ method: "GET", url: begun.url, headers: {} });
    sent.discard();
    const back = new URL(sent.headers.get("location") ?? "http://nowhere/");
    signedIn = await finishSignIn(begun, back.searchParams, { exchange: plain, now: systemClock.now() });
  },
});

const inward: Inward = {
  clientInfo: { name: "chela", version: "1" },
  roots: () => [],
  // Somebody who takes what the server suggests.
  async elicit(params) {
    const asked = readElicitation(params);
    const filled = asked?.kind === "form" ? fillForm(asked, {}) : undefined;
    return filled?.kind === "fits" ? { action: "accept", content: filled.content } : { action: "decline" };
  },
  changed: () => {},
  closed: () => {},
};

let first: ToolDefinition | undefined;

async function work(client: McpClient): Promise<void> {
  const tools = await client.listTools();
  [first] = tools;
  const calls = context["toolCalls"] as unknown as Array<{ name: string; arguments: RpcParams }> | undefined;
  for (const call of calls ?? tools.map(({ name, inputSchema }) => ({ name, arguments: argumentsFor(inputSchema) }))) {
    if (!tools.some(({ name }) => name === call.name)) continue;
    await client.callTool(call.name, call.arguments);
  }
  if (client.welcome.capabilities.resources)
    for (const { uri } of await client.listResources()) await client.readResource(uri);
  if (client.welcome.capabilities.prompts)
    for (const { name } of await client.listPrompts()) await client.getPrompt(name, {});
}

/** Something of the right type for everything that is needed. */
function argumentsFor(schema: RpcParams): RpcParams {
  const properties = (schema["properties"] ?? {}) as Record<string, { type?: string }>;
  const example = (type?: string) =>
    type === "object"
      ? first?.inputSchema
      : type === "number" || type === "integer"
        ? 2
        : type === "boolean"
          ? true
          : "text";
  return Object.fromEntries(Object.entries(properties).map(([name, { type }]) => [name, example(type)]));
}

const wireParts = { url, exchange, clock: systemClock };
const client = await connect({
  clock: systemClock,
  inward,
  transport: "http-or-sse",
  timeoutMs: 10_000,
  open: async (kind) => (kind === "sse" ? openSseWire(wireParts) : new HttpWire(wireParts)),
});
client.hearOfChanges();
try {
  await work(client);
} finally {
  await client.close();
  fetch.close();
}
if (scenario === "") process.exit(2);

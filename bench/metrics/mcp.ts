// MCP: what a call of a server's tool costs, searching among a thousand tools, and the prompt of a gateway with very many.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { atMost, type Figure } from "../figure.ts";
import { TOKEN } from "../gateway-process.ts";
import { summarize } from "../statistics.ts";
import { withGateway, type TurnRunner } from "../workbench.ts";

const SERVER = join(import.meta.dirname, "../../packages/gateway/test/support/mcp/small-server.mjs");
/** Tools the server has by itself. */
const OWN = 7;
const WARM_UP = 10;
const ROUNDS = 100;

export async function measureMcp(bench: TurnRunner): Promise<Figure[]> {
  return withGateway(bench, async ({ client }, { dir, port }) => {
    const more = join(dir, "more-tools.json");
    const offer = async (name: string, count: number): Promise<void> => {
      writeFileSync(more, JSON.stringify(toolsOf(count - OWN)));
      const server = { command: process.execPath, args: [SERVER], env: { MORE: more }, sandbox: { mode: "off" } };
      await client.request("mcp.put", { name, server });
      await client.request("mcp.approve", { name });
    };
    const invoke = async (tool: string, args: object): Promise<number> => {
      const body = JSON.stringify({ tool, args });
      const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
      const begun = performance.now();
      const response = await fetch(`http://127.0.0.1:${port}/tools/invoke`, { method: "POST", headers, body });
      const text = await response.text();
      if (!response.ok) throw new Error(`${tool}: ${text}`);
      return performance.now() - begun;
    };
    const timed = async (tool: string, args: (round: number) => object): Promise<number[]> => {
      for (let round = 0; round < WARM_UP; round += 1) await invoke(tool, args(round));
      const samples: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) samples.push(await invoke(tool, args(WARM_UP + round)));
      return samples;
    };
    await offer("many", 155);
    await client.turn("agent:main:mcp-prompt", "ping");
    const bytes = await bench.model.newestSize();
    const beyond = (samples: readonly number[], base: readonly number[]): number[] => {
      const { median } = summarize(base);
      return samples.map((sample) => Math.max(0, sample - median));
    };
    const plain = await timed("session_status", () => ({}));
    const calls = beyond(await timed("many__echo", (round) => ({ text: String(round) })), plain);
    await client.request("mcp.remove", { name: "many" });
    await offer("more", 1000);
    const plainAmongMany = await timed("session_status", () => ({}));
    const query = (round: number) => ({ query: `invoices of customer ${round} in the ledger` });
    const searches = beyond(await timed("tool_search", query), plainAmongMany);
    return [
      { metric: "MCP call, beyond a call of a built-in tool", unit: "ms", samples: calls, limits: [atMost(8)] },
      { metric: "tool_search among 1,000 tools, the same way", unit: "ms", samples: searches, limits: [atMost(5)] },
      {
        metric: 'request body for "ping" with 155 MCP tools',
        unit: "KiB",
        samples: [bytes / 1024],
        limits: [atMost(24)],
      },
    ];
  });
}

function toolsOf(count: number): Record<string, object> {
  const inputSchema = { type: "object", properties: { invoice: { type: "string", description: "Its number" } } };
  const said = (at: number) =>
    `Handles invoices of customer ${at} in the ledger of the ${at % 2 === 0 ? "blue" : "red"} office, and says what became of it.`;
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`tool_${at}`, { description: said(at), inputSchema }]),
  );
}

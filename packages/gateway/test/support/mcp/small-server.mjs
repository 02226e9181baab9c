// A server of MCP for tests, on pipes: small, of the older era, and as strange as a test wants it to be.
import { appendFileSync, existsSync, readFileSync } from "node:fs";

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const text = (words) => ({ content: [{ type: "text", text: words }] });
const note = (line) => process.env.NOTES && appendFileSync(process.env.NOTES, `${line}\n`);
const object = (properties = {}) => ({ type: "object", properties });

note(`started ${process.pid}`);
if (process.env.FALLS) process.exit(3);

const TOOLS = {
  echo: {
    description: "Says what it is told.",
    inputSchema: object({ text: { type: "string" } }),
    run: ({ text: words }) => text(`echo ${words}`),
  },
  env: {
    description: "Tells its variables.",
    inputSchema: object(),
    run: () => text(Object.keys(process.env).toSorted().join(" ")),
  },
  pid: { description: "Tells its number.", inputSchema: object(), run: () => text(String(process.pid)) },
  fall: { description: "Ends itself.", inputSchema: object(), run: () => process.exit(7) },
  hang: { description: "Never answers.", inputSchema: object(), run: () => (note("hangs"), new Promise(() => {})) },
  ask: {
    description: "Asks the person.",
    inputSchema: object(),
    run: async () =>
      text(
        JSON.stringify(
          await ask("elicitation/create", {
            message: "Who are you?",
            requestedSchema: {
              type: "object",
              properties: { name: { type: "string", default: "Ada" }, age: { type: "integer" } },
              required: ["age"],
            },
          }),
        ),
      ),
  },
  picture: {
    description: "Shows a picture.",
    inputSchema: object(),
    run: () => ({ content: [{ type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" }] }),
  },
};

let lastId = 0;
const waiting = new Map();
function ask(method, params) {
  const id = `s${(lastId += 1)}`;
  say({ id, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
}

/** A file may say more about the tools, also while it runs. */
function listed() {
  const more =
    process.env.MORE && existsSync(process.env.MORE) ? JSON.parse(readFileSync(process.env.MORE, "utf8")) : {};
  const all = { ...TOOLS, ...more };
  return Object.entries(all).map(([name, tool]) => {
    const { description, inputSchema = object() } = { ...TOOLS[name], ...tool };
    return { name, description, inputSchema };
  });
}

async function answer({ id, method, params = {}, result }) {
  if (method === undefined) return waiting.get(id)?.(result);
  if (id === undefined) return;
  if (method === "initialize") {
    const capabilities = { tools: { listChanged: true } };
    return say({
      id,
      result: { protocolVersion: params.protocolVersion, capabilities, serverInfo: { name: "small", version: "1" } },
    });
  }
  if (method === "tools/list") return say({ id, result: { tools: listed() } });
  if (method === "tools/call") {
    note(`called ${params.name}`);
    return say({ id, result: (await TOOLS[params.name]?.run(params.arguments ?? {})) ?? text("done") });
  }
  say({ id, error: { code: -32601, message: `no method ${method}` } });
}

let rest = "";
process.stdin.setEncoding("utf8").on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  for (const line of lines.filter(Boolean)) void answer(JSON.parse(line));
});
process.stdin.on("end", () => process.env.STAYS || process.exit(0));
if (process.env.STAYS) setInterval(() => {}, 1000);

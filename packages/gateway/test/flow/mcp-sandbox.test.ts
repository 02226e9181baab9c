// Local MCP servers in a sandbox of their own: they see their program and what the configuration names, and reach nothing else.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { callTool, say } from "@chela/sdk/testing";
import { startTestGateway } from "../support/in-process.ts";
import { lastResult, smallServer } from "../support/mcp/mcp-servers.ts";
import { ensureDebianPackage, warnNotTested } from "../support/stages/debian-package.ts";
import type { Json } from "../support/wire-client.ts";

const isInstalled = process.platform === "linux" && ensureDebianPackage("bubblewrap", "bwrap");

test.skipIf(!isInstalled)("a local server is kept in a sandbox unless somebody said otherwise", async (context) => {
  await using gateway = await startTestGateway();
  const client = await gateway.connect();
  const { backends } = await client.call("sandbox.status");
  if (!backends.some(({ id, check }: Json) => id === "bubblewrap" && (check as Json)["kind"] === "ready")) {
    warnNotTested("MCP servers in a sandbox", "bubblewrap cannot keep one here");
    return context.skip();
  }
  const shown = join(gateway.stateDir, "..", `shown-${process.pid}`);
  mkdirSync(shown, { recursive: true });
  writeFileSync(join(shown, "look.sh"), LOOK, { mode: 0o755 });
  const looker = { command: "/bin/sh", args: [join(shown, "look.sh")] };
  await client.call("mcp.put", { name: "small", server: smallServer({ sandbox: null }) });
  await client.call("mcp.put", { name: "looker", server: looker });
  await client.call("mcp.approve", { name: "small" });
  await client.call("mcp.approve", { name: "looker" });
  const { servers } = await client.call("mcp.status");
  expect(servers.map(({ name, sandbox }: Json) => [name, sandbox])).toEqual([
    ["small", "bubblewrap"],
    ["looker", "bubblewrap"],
  ]);
  const use = async (name: string, args: Json) => {
    gateway.model.script(callTool(name, args), say("done"));
    await client.agent("use it", { sessionKey: "agent:main:sandboxed" });
    return lastResult(gateway.model.requests.at(-1)?.messages ?? []);
  };
  expect(await use("small__echo", { text: "inside" })).toContain("echo inside");
  const seen = await use("looker__look", {});
  expect(seen).toContain("own folder: yes");
  expect(seen).toContain("state: no");
  expect(seen).toContain("network: no");
  await client.call("mcp.reload");
});

/** A server of a few lines of shell, which looks around and says what it sees. */
const LOOK = `
id() { printf '%s' "$1" | sed 's/.*"id":\\([0-9]*\\).*/\\1/'; }
while read -r line; do
  case "$line" in
    *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"look","version":"1"}}}\\n' "$(id "$line")" ;;
    *'"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"look","inputSchema":{"type":"object"}}]}}\\n' "$(id "$line")" ;;
    *'"tools/call"'*)
      touch "$HOME/mine" 2>/dev/null && own=yes || own=no
      ls /root/* /home/* /tmp/chela-test-*/openclaw.json >/dev/null 2>&1 && state=yes || state=no
      ls /sys/class/net 2>/dev/null | grep -qv lo && net=yes || net=no
      printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"own folder: %s; state: %s; network: %s"}]}}\\n' "$(id "$line")" "$own" "$state" "$net" ;;
    *'"id"'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}\\n' "$(id "$line")" ;;
  esac
done
`;

// `chela mcp serve`: the gateway as a server of MCP over the pipes of a program, for clients that start their servers.
import { parseJson } from "@chela/sdk/base";
import type { CommandCall } from "@chela/sdk/command-line";
import { failureOf } from "../client/peer.ts";
import { META } from "../client/protocol.ts";
import { isObject } from "@chela/sdk/base";
import { isRequest, readMessage, RPC, type RpcAnswer } from "../wire/messages.ts";
import { serveGateway } from "./gateway-tools.ts";
import { legacyAnswers, modernAnswers } from "./server.ts";

/** Of the revision of these tools: which version the gateway is of, it may be asked. */
const OWN_VERSION = "1";
const LONGEST_LINE = 16 * 1024 * 1024;
const ANSWER_MS = 11 * 60_000;

export async function serveOverStdio(call: CommandCall): Promise<number> {
  const link = await call.gateway.connect({ timeoutMs: ANSWER_MS });
  const served = serveGateway(link.ask, OWN_VERSION);
  const [legacy, modern] = [legacyAnswers(served), modernAnswers(served)];
  const say = (answer: RpcAnswer): void => call.terminal.write(`${JSON.stringify(answer)}\n`);

  const hear = async (line: string): Promise<void> => {
    const message = readMessage(parseJson(line));
    if (!message)
      return say({ jsonrpc: "2.0", id: "", error: { code: RPC.parse, message: "this is no message of JSON-RPC" } });
    if (!isRequest(message)) return;
    const { id, method, params = {} } = message;
    const meta = params["_meta"];
    const isModern = method === "server/discover" || (isObject(meta) && meta[META.version] !== undefined);
    await (isModern ? modern : legacy)(method, params).then(
      (result) => say({ jsonrpc: "2.0", id, result }),
      (error: unknown) => say({ jsonrpc: "2.0", id, error: failureOf(error) }),
    );
  };
  const running = new Set<Promise<void>>();
  let rest = "";
  for await (const chunk of process.stdin.setEncoding("utf8") as AsyncIterable<string>) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > LONGEST_LINE) break;
    for (const line of lines.filter((one) => one.trim() !== "")) {
      const work = hear(line).finally(() => running.delete(work));
      running.add(work);
    }
  }
  await Promise.all(running);
  link.close();
  return 0;
}

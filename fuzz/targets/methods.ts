// Parameters of every method, on their way through the dispatcher to a handler that does nothing.
import { METHODS, SCOPES, type Client } from "@chela/sdk/protocol";
import { createFakeClock } from "@chela/sdk/testing";
import { createIds } from "../../packages/gateway/src/base/ids.ts";
import { Dispatcher } from "../../packages/gateway/src/server/dispatch.ts";
import { hashOf } from "../random.ts";
import { promise, type Target } from "../target.ts";
import { parseOr } from "./json-text.ts";
import { silentLog } from "../../packages/gateway/src/base/terminal/command-log.ts";

type Audit = ConstructorParameters<typeof Dispatcher>[1]["audit"];

const NAMES = Object.keys(METHODS);

export const methods: Target = {
  name: "methods",
  promises: "Any parameters of any method reach its handler as its schema says, or are refused with a sentence.",
  kind: "json",
  seeds: () => [
    ...NAMES.map((method) => JSON.stringify({ method, params: {} })),
    JSON.stringify({ method: "chat.send", params: { sessionKey: "main", message: "hi", idempotencyKey: "k" } }),
    JSON.stringify({ method: "config.patch", params: { raw: "{a: 1}", baseHash: "x" } }),
    JSON.stringify({ method: "sessions.patch", params: { key: "main", thinkingLevel: "high", model: null } }),
    JSON.stringify({
      method: "cron.add",
      params: { name: "n", schedule: { kind: "every", everyMs: 60000 }, payload: { kind: "systemEvent", text: "t" } },
    }),
    JSON.stringify({ method: "node.invoke", params: { nodeId: "n", command: "c", params: {}, idempotencyKey: "k" } }),
  ],
  words: ["sessionKey", "key", "agentId", "limit", "cursor", "raw", "baseHash", "message", "attachments", "main"],
  open() {
    const clock = createFakeClock();
    let reached = 0;
    const handle = () => {
      reached += 1;
      return {};
    };
    const methods = {
      byName: new Map(Object.entries(METHODS).map(([name, spec]) => [name, { spec, handle }])),
      listed: [],
    };
    const audit = {
      inNameOf: (_actor: unknown, work: () => unknown) => work(),
      isUnsettled: false,
    } as unknown as Audit;
    const client = fakeClient();
    return {
      async run(input) {
        // Budgets are for others to try.
        const dispatcher = new Dispatcher(methods, { clock, log: silentLog, audit });
        const { method, params } = (parseOr(input) ?? {}) as { method?: unknown; params?: unknown };
        const name = typeof method === "string" ? method : "";
        const before = reached;
        const outcome = await dispatcher.call(name, params, {
          client: { ...client, role: name.startsWith("node.") && hashOf(input) % 2 === 0 ? "node" : "operator" },
          size: input.length,
          ip: "192.0.2.1",
          early: () => undefined,
          withLastWord: (work) => work(),
        });
        if (outcome.ok) return promise(reached === before + 1, "a method answered without its handler");
        promise(reached === before, "a handler was called for what was refused");
        promise(outcome.error.code === "INVALID_REQUEST", () => `the dispatcher failed: ${outcome.error.message}`);
        promise(outcome.error.message !== "", "a refusal says nothing");
      },
    };
  },
};

function fakeClient(): Client {
  return {
    connId: createIds().uuid(),
    role: "operator",
    scopes: [...SCOPES],
    caps: new Set(),
    method: "token",
    info: { id: "test", mode: "test" },
    buffered: 0,
    send: () => undefined,
    close: () => undefined,
  };
}

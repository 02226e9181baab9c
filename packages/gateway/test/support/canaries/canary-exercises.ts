// Uses everything that a gateway has, in a stage full of canaries; what comes out is kept under the name of its way out.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { METHODS, type MethodName } from "@chela/sdk/protocol";
import { callTool, say } from "@chela/sdk/testing";
import { PROVIDERS, type CanaryStage } from "./canary-stage.ts";
import { listDoorRoutes } from "../security/door-routes.ts";
import { eventually } from "../in-process.ts";
import { METHOD_CASES } from "../security/method-cases.ts";
import type { Json, WireClient } from "../wire-client.ts";

/** Ways out, each with all that came out there. */
export type Outputs = Map<string, Array<string | Uint8Array>>;

export function keep(outputs: Outputs, way: string, ...what: ReadonlyArray<string | Uint8Array>): void {
  outputs.set(way, [...(outputs.get(way) ?? []), ...what]);
}

/** Every provider refuses, and repeats what it was told. */
export async function failModels({ scene: { client } }: CanaryStage): Promise<void> {
  for (const provider of PROVIDERS) {
    const sessionKey = `agent:main:${provider}`;
    await client.call("sessions.patch", { key: sessionKey, model: `${provider}/m` });
    await client.chat("call the provider", { sessionKey });
  }
}

/** Files that the gateway reads. Of others, such as an old oauth.json, it cannot know what in them is secret. */
const PRINT_ALL =
  "env; cat /proc/self/environ /proc/self/cmdline; cat ../openclaw.json ../.env ../credentials/vault.json";

/** Tools that look where secrets are, and those that call services. */
export async function runTools({ scene: { client, gateway }, stateDir }: CanaryStage): Promise<void> {
  const files = ["openclaw.json", ".env", "agents/main/agent/auth-profiles.json", "credentials/oauth.json"];
  const calls: ReadonlyArray<readonly [tool: string, args: Json]> = [
    ["exec", { command: PRINT_ALL }],
    ["exec", { command: PRINT_ALL, pty: true }],
    ["exec", { command: `${PRINT_ALL}; sleep 0.2`, background: true }],
    ["exec", { command: `cd ${stateDir}; cat agents/main/agent/*.json | tee /dev/stderr; exit 3` }],
    ["process", { action: "list" }],
    ...files.map((file) => ["read", { path: join(stateDir, file) }] as const),
    ["attach", { path: join(stateDir, "openclaw.json") }],
    ["web_search", { query: "anything" }],
    ["web_fetch", { url: "http://127.0.0.1:9/?q=1" }],
    ["session_status", {}],
    ["sessions_list", { messageLimit: 5 }],
    ["agents_list", {}],
    ["cron", { action: "list" }],
    ["nodes", { action: "status" }],
  ];
  const box = [
    ["exec", { command: "env; cat /proc/*/environ /proc/*/cmdline; cat /etc/shadow; find / -name openclaw.json" }],
    ["read", { path: "/proc/self/environ" }],
  ] as const;
  for (const [sessionKey, some] of [
    ["agent:main:tools", calls],
    ["agent:boxed:tools", box],
  ] as const) {
    gateway.model.script(...some.map(([tool, args]) => callTool(tool, args)), say("done"));
    await client.agent("use them", { sessionKey, agentId: sessionKey.split(":")[1] ?? "" });
  }
  await eventually("the command in the background is over", async () => {
    gateway.model.script(callTool("process", { action: "list" }), say("done"));
    await client.agent("look", { sessionKey: "agent:main:tools" });
    return JSON.stringify(gateway.model.requests.at(-1)?.messages.at(-1)).includes("running") ? undefined : true;
  });
}

/** A channel, a receiver of webhooks and a job that fail in the words of the one who was told a secret. */
export async function failDeliveries(stage: CanaryStage): Promise<void> {
  const { client, operated } = stage.scene;
  const why = `refused: ${JSON.stringify(stage.env)}`;
  operated.fake.failNext({ kind: "failed", reason: "unreachable", why });
  await operated.fake.say("hello", { from: "friend" });
  const at = new Date().toISOString();
  const job = (payload: Json, name: string) =>
    client.call("cron.add", {
      name,
      schedule: { kind: "at", at },
      payload,
      sessionTarget: "isolated",
      delivery: { mode: "webhook", to: `${stage.origin}/webhook` },
    });
  await job({ kind: "exec", command: `cat ${stage.stateDir}/openclaw.json; env` }, "prints");
  await job({ kind: "agentTurn", message: "say something" }, "says");
  await eventually(
    "both results were posted",
    () => stage.heard.filter(({ path }) => path === "/webhook").length >= 2 || undefined,
  );
}

/** Every method with good parameters and with none; gives those that were refused. */
export async function callMethods({ scene }: CanaryStage): Promise<string[]> {
  const { client } = scene;
  const refused: string[] = [];
  for (const method of Object.keys(METHODS) as MethodName[]) {
    await client.request(method, {});
    const caller = METHODS[method].role === "node" ? (await scene.node()).client : client;
    const { ok } = await caller.request(method, await METHOD_CASES[method](scene));
    if (!ok) refused.push(method);
  }
  return refused;
}

/** Secrets where they do not belong. What a client says is repeated to that client, so its own answers do not count. */
export async function misplaceSecrets(
  { scene: { gateway } }: CanaryStage,
  secrets: readonly string[],
): Promise<WireClient> {
  const client = await gateway.connect();
  for (const secret of secrets) {
    for (const params of [
      { message: "hello", sessionKey: `${secret}/x`, idempotencyKey: randomUUID() },
      { message: "hello", agentId: secret, idempotencyKey: randomUUID() },
    ]) {
      await client.request("agent", params);
    }
    await gateway.fetch(`/nowhere?token=${secret}`, { token: secret });
    await gateway.dial({ token: secret }).tryConnect();
  }
  return client;
}

export async function askRoutes({ scene: { gateway } }: CanaryStage, outputs: Outputs): Promise<void> {
  for (const { method, path } of listDoorRoutes()) {
    for (const token of [null, gateway.token, "wrong"]) {
      const hasBody = ["POST", "PUT", "PATCH"].includes(method);
      for (const body of hasBody
        ? ["{", '{"model":"openclaw","messages":[{"role":"user","content":"hello"}]}']
        : [undefined]) {
        // `fetch` knows no TRACE.
        if (method === "TRACE") continue;
        const answer = await gateway.fetch(path, { method, token, redirect: "manual", ...(body ? { body } : {}) });
        const headers = JSON.stringify([answer.status, answer.statusText, ...answer.headers]);
        keep(outputs, `HTTP ${method} ${path}`, headers, new Uint8Array(await answer.arrayBuffer()));
      }
    }
  }
}

// A node written from the outside, which can also be told to misbehave.
import { randomUUID } from "node:crypto";
import type { TestGateway } from "./in-process.ts";
import type { ClientOptions, EventFrame, Json, ResponseFrame, WireClient } from "./wire-client.ts";

export interface NodeOptions extends Partial<ClientOptions> {
  readonly commands?: readonly string[];
  readonly permissions?: Readonly<Record<string, boolean>>;
  readonly platform?: string;
  readonly name?: string;
}

export interface TestNode {
  readonly client: WireClient;
  readonly nodeId: string;
  /** The next call after those that were seen already. */
  nextCall(): Promise<{ id: string; command: string; paramsJSON: string | null }>;
  answer(id: string, answer: Json): Promise<ResponseFrame>;
  /** Answers every call from now on. */
  answerAll(answer: Json): void;
}

/** What the gateway answers to a node that says it can do this. */
export async function tryNode(
  gateway: TestGateway,
  options: NodeOptions = {},
): Promise<{ client: WireClient; response: ResponseFrame }> {
  const { commands = [], permissions, platform = "linux", name, caps = [], ...more } = options;
  const client = gateway.dial({
    role: "node",
    scopes: [],
    caps,
    client: { id: "node-host", mode: "node", platform, ...(name ? { displayName: name } : {}) },
    ...more,
  });
  const response = await client.tryConnect((params) => ({
    ...params,
    commands,
    ...(permissions ? { permissions } : {}),
  }));
  return { client, response };
}

export async function connectNode(gateway: TestGateway, options: NodeOptions = {}): Promise<TestNode> {
  const { client, response } = await tryNode(gateway, options);
  if (!response.ok) throw new Error(`not let in: ${response.error?.code} ${response.error?.message}`);
  const nodeId = String(client.device?.id);
  let seen = 0;
  const callAt = (index: number): Promise<EventFrame> =>
    client.until("a call", () => client.eventsOf("node.invoke.request")[index]);
  const answer = (id: string, of: Json) => client.request("node.invoke.result", { id, nodeId, ...of });
  return {
    client,
    nodeId,
    answer,
    nextCall: async () => (await callAt(seen++)).payload,
    answerAll(of) {
      const next = async (index: number): Promise<void> => {
        await answer((await callAt(index)).payload.id, of);
        return next(index + 1);
      };
      // Ends with the connection.
      void next(seen).catch(() => undefined);
    },
  };
}

/** The parameters of a call. */
export function callOf(nodeId: string, command: string, more: Json = {}): Json {
  return { nodeId, command, idempotencyKey: randomUUID(), ...more };
}

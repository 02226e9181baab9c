// A gateway with everything at its door that can be there: channels that take requests, webhooks, a picture, a second
// listener; and somebody who asks it whatever a test wants, over connections that stay open.
import { mkdirSync, writeFileSync } from "node:fs";
import { Agent, request, type IncomingHttpHeaders } from "node:http";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import type { Channel } from "@chela/sdk";
import { createFakeChannel } from "@chela/sdk/testing";
import { MOUNT_PATH } from "./door-routes.ts";
import { startTestGateway, type TestGateway, type TestGatewayOptions } from "../in-process.ts";
import { findFreePort } from "../in-process-http.ts";
import { SMALL_PNG } from "../durability/small-files.ts";
import type { Json } from "../wire-client.ts";

export const HOOK_TOKEN = "token-of-the-webhooks-0123456789";
export const MOUNT_SECRET = "secret-of-the-channel-0123456789";
export const SCRIPT_SECRET = "secret-of-the-scripts-0123456789";

/** An address of this machine that is not loopback: whoever uses it comes as a stranger would. */
export const OUTSIDE = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === "IPv4" && !one.internal)?.address;

export interface Question {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Where to knock; 127.0.0.1 unless told. */
  readonly host?: string;
  /** As whom: an address of this machine. */
  readonly from?: string;
  /** The second listener instead of the first. */
  readonly port?: number;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface DoorStage extends AsyncDisposable {
  readonly gateway: TestGateway;
  readonly port: number;
  /** Of the second listener. */
  readonly scriptPort: number;
  ask(question: Question): Promise<Answer>;
  /** Looks at every case, several at a time; gives what was expected and came otherwise. */
  findWrong<Case>(cases: readonly Case[], look: (one: Case) => Promise<Verdict>): Promise<unknown[]>;
}

interface Verdict {
  readonly expected: unknown;
  readonly got: unknown;
}

const AT_ONCE = 8;
/** Enough to see what is wrong. */
const MOST_SHOWN = 5;

/** So many guesses are made here that the limit on them would be all one sees. */
const PATIENT = { rateLimit: { maxAttempts: 1_000_000, exemptLoopback: true } };

export async function openDoorStage(options: TestGatewayOptions & { readonly door?: Json } = {}): Promise<DoorStage> {
  const { door = {}, ...rest } = options;
  const { auth, http, ...gatewayBlock } = door as { auth?: Json; http?: Json };
  const scriptPort = await findFreePort();
  const channel = servingChannel();
  const gateway = await startTestGateway({
    ...rest,
    channels: { fake: channel },
    env: { OPENCLAW_CLI_SECRET: SCRIPT_SECRET, OPENCLAW_CLI_PORT: String(scriptPort), ...rest.env },
    config: {
      gateway: {
        http: { endpoints: { chatCompletions: { enabled: true }, responses: { enabled: true } }, ...http },
        auth: { ...PATIENT, ...auth },
        ...gatewayBlock,
      },
      hooks: {
        enabled: true,
        token: HOOK_TOKEN,
        mappings: [{ match: { path: "mapped" }, action: "wake", textTemplate: "x" }],
      },
      channels: { fake: { token: "t", dmPolicy: "allowlist", allowFrom: ["alice"] } },
      agents: { defaults: { model: "scripted/test" }, list: [{ id: "main", identity: { avatar: "face.png" } }] },
      ...rest.config,
    },
  });
  await channel.connected;
  const workspace = join(gateway.stateDir, "workspace");
  mkdirSync(workspace, { recursive: true });
  writeFileSync(join(workspace, "face.png"), Buffer.from(SMALL_PNG, "base64"));
  const agents = new Map<string, Agent>();
  const { port } = gateway.gateway;
  const stage: DoorStage = {
    gateway,
    port,
    scriptPort,
    ask: (question) => askOver(agents, { port, ...question }),
    async findWrong(cases, look) {
      const wrong: unknown[] = [];
      let next = 0;
      const work = async (): Promise<void> => {
        while (next < cases.length && wrong.length < MOST_SHOWN) {
          const one = cases[next++] as (typeof cases)[number];
          const { expected, got } = await look(one);
          if (JSON.stringify(expected) !== JSON.stringify(got)) wrong.push({ case: one, expected, got });
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return wrong;
    },
    async [Symbol.asyncDispose]() {
      for (const agent of agents.values()) agent.destroy();
      await gateway[Symbol.asyncDispose]();
    },
  };
  return stage;
}

/** A channel that takes requests from whoever knows its secret. */
function servingChannel(): Channel & { readonly connected: Promise<void> } {
  const fake = createFakeChannel();
  return {
    ...fake.channel,
    connected: fake.untilConnected(),
    start(account, host) {
      host.serve(MOUNT_PATH, {
        mostBytes: 2 * 1024 * 1024,
        answerHead: ({ headers }) => (headers["x-mount"] === MOUNT_SECRET ? undefined : { status: 401 }),
        answer: async () => ({ status: 200 }),
      });
      return fake.channel.start(account, host);
    },
  };
}

function askOver(agents: Map<string, Agent>, question: Question & { readonly port: number }): Promise<Answer> {
  const { host = "127.0.0.1", port, from, method = "GET", path = "/", headers = {}, body } = question;
  const line = `${host} ${port} ${from ?? ""}`;
  const agent = agents.get(line) ?? new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  agents.set(line, agent);
  return new Promise((resolve, reject) => {
    const options = { host, port, method, path, headers, agent, ...(from ? { localAddress: from } : {}) };
    const asked = request(options, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(parts).toString("utf8"),
        }),
      );
    });
    asked.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text: "" });
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

// Requests to the gateway's port, byte by byte, through Node's own reader to the routes.
import type { HolderCall, HttpRoute } from "@chela/sdk";
import { createServer, type Server } from "node:http";
import { duplexPair, type Duplex } from "node:stream";
import { createFakeClock } from "@chela/sdk/testing";
import { createRateLimiter } from "../../packages/gateway/src/server/auth/index.ts";
import { readDoorRules } from "../../packages/gateway/src/server/door-rules.ts";
import { readBody, readRawBody, sendJson } from "../../packages/gateway/src/base/http/request.ts";
import { createRouter } from "../../packages/gateway/src/server/http/router.ts";
import { promise, type OpenTarget, type Target } from "../target.ts";
import { silentLog } from "../../packages/gateway/src/base/terminal/command-log.ts";
import { RequestFrame } from "@chela/sdk/protocol";

const SECRET = "the-secret-of-the-gateway";

export const http: Target = {
  name: "http",
  promises:
    "Every request is answered or its connection is closed; none finds a route that asks for the secret without it, and none makes the router fail.",
  kind: "bytes",
  seeds: () => [
    "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost:18789\r\nAuthorization: Bearer wrong\r\nContent-Length: 2\r\n\r\n{}",
    "GET /a/../v1/models?x=%00 HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: 127.0.0.1\r\nOrigin: null\r\n\r\n",
    'POST /hook HTTP/1.1\r\nHost: [::1]\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n',
    "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET http://localhost//v1/models HTTP/1.1\r\nHost: localhost\r\nAuthorization: bearer\r\n\r\n",
    "GET /avatar/main HTTP/1.1\r\nHost: localhost\r\nForwarded: for=1.2.3.4\r\nConnection: close\r\n\r\nGET /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n",
  ],
  words: [
    "\r\n",
    ..."GET POST HEAD /v1/models //v1 /V1/models /v1/models/ %2fv1 /%76 ? # ; \\ .. HTTP/1.0 Host: Origin: Bearer".split(
      " ",
    ),
    ..."Authorization: X-Forwarded-For: X-Forwarded-Proto: Via: Upgrade: Connection: Content-Length: chunked %00 %ff \\t".split(
      " ",
    ),
  ],
  maxLength: 3000,
  open: openDoor,
};

const BODY_LIMIT = 10_000;

function openDoor(): OpenTarget {
  const clock = createFakeClock();
  let failure: string | undefined;
  let reached = 0;
  const secret = async ({ response }: HolderCall): Promise<void> => {
    reached += 1;
    sendJson(response, 200, {});
  };
  const routes: Array<HttpRoute<undefined>> = [
    {
      methods: ["GET", "HEAD"],
      path: "/health",
      auth: "public",
      handle: async ({ response }) => sendJson(response, 200, { ok: true }),
    },
    { methods: ["GET"], path: "/v1/models", auth: "bearer", handle: secret },
    { methods: ["POST"], path: "/v1/chat/completions", auth: "bearer", handle: secret },
    {
      methods: ["POST"],
      path: "/hook",
      auth: "own-secret",
      handle: async ({ request, response }) =>
        sendJson(response, 200, { length: (await readRawBody(request, BODY_LIMIT)).length }),
    },
    {
      methods: ["POST"],
      path: "/frame",
      auth: "public",
      handle: async ({ request, response }) =>
        sendJson(response, 200, await readBody(request, BODY_LIMIT, RequestFrame())),
    },
    {
      methods: ["GET", "HEAD"],
      path: (path) => !/^\/(api|v1|hooks|tools)(\/|$)/.test(path),
      auth: "page",
      handle: async ({ response }) => sendJson(response, 200, {}),
    },
  ];
  const config = { gateway: { auth: { mode: "token" as const, token: SECRET } } };
  const parts = {
    limiter: createRateLimiter(clock),
    whois: async () => undefined,
    listenHosts: ["127.0.0.1"],
    override: {},
  };
  const log = {
    ...silentLog,
    error: (says: string, fields?: Record<string, unknown>) => void (failure = `${says}: ${String(fields?.["error"])}`),
  };
  const callMethod = (): never => {
    throw new Error("no route here calls a method");
  };
  const rules = () => readDoorRules(config, {}, parts);
  const router = createRouter({
    routes: () => routes,
    house: undefined,
    callMethod,
    log,
    rules,
    turnedAway: () => undefined,
  });
  const server = createServer((request, response) => router.answer(request, response, () => void (reached += 1)));
  return {
    async run(input) {
      [failure, reached] = [undefined, 0];
      const said = await converse(server, input);
      promise(failure === undefined, () => `the router failed: ${failure}`);
      promise(reached === 0 || input.includes(SECRET), "a route was reached without the secret");
      promise(said === "" || said.startsWith("HTTP/1.1 "), () => `the answer begins with ${said.slice(0, 40)}`);
      promise(!said.startsWith("HTTP/1.1 500"), "the answer is a failure of ours");
    },
    close: () => void server.close(),
  };
}

/** Says it all, hangs up, and listens to the end. */
async function converse(server: Server, input: string): Promise<string> {
  const [near, far] = duplexPair();
  const addressed: Duplex = Object.assign(far, { remoteAddress: "127.0.0.1", localAddress: "127.0.0.1" });
  Object.assign(addressed, { setTimeout: () => addressed, setNoDelay: () => addressed, setKeepAlive: () => addressed });
  server.emit("connection", addressed);
  const parts: Buffer[] = [];
  const ended = new Promise<void>((resolve) => {
    near.on("data", (part: Buffer) => parts.push(part));
    for (const event of ["end", "close", "error"]) near.on(event, () => resolve());
    far.on("close", () => resolve());
  });
  near.end(Buffer.from(input, "latin1"));
  await ended;
  far.destroy();
  near.destroy();
  return Buffer.concat(parts).toString("latin1");
}

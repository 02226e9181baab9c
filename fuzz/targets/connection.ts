// Fuzzes what a stranger sends over a fresh connection: frames before and during the handshake.
import { EventEmitter } from "node:events";
import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WebSocket } from "ws";
import { createFakeClock } from "@chela/sdk/testing";
import { believesAll } from "../../packages/gateway/src/base/files/believed.test-support.ts";
import { createIds } from "../../packages/gateway/src/base/ids.ts";
import { buildPayload, deviceIdOf } from "../../packages/gateway/src/rooms/devices/identity.ts";
import { createDevices } from "../../packages/gateway/src/rooms/devices/room.ts";
import { createAccessCodes, createRateLimiter } from "../../packages/gateway/src/server/auth/index.ts";
import { serveConnection, type ConnectionParts } from "../../packages/gateway/src/server/connection.ts";
import { readDoorRules } from "../../packages/gateway/src/server/door-rules.ts";
import { promise, type OpenTarget, type Target } from "../target.ts";
import { silentLog } from "../../packages/gateway/src/base/terminal/command-log.ts";

const NONCE = "00000000-0000-4000-8000-000000000000";
const AT = 1_700_000_000_000;
/** Always the same one, so that the same seed gives the same inputs. */
const KEY = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, 7)]);
const MOST_ANSWERED_BYTES = 100_000;

export const connection: Target = {
  name: "connection",
  promises:
    "Nobody is let in without the secret; whatever is sent is answered or the line is closed, and never for long.",
  kind: "json",
  seeds: () => [
    JSON.stringify(connectFrame({})),
    JSON.stringify(connectFrame({ auth: { token: "wrong" } })),
    JSON.stringify(connectFrame({ auth: { bootstrapToken: "code" }, device: deviceProof("code") })),
    JSON.stringify(connectFrame({ auth: { deviceToken: "t" }, device: deviceProof("t"), scopes: ["operator.admin"] })),
    JSON.stringify(connectFrame({ role: "node", device: deviceProof(""), caps: ["a"], commands: ["c"] })),
    JSON.stringify(connectFrame({ client: { id: "openclaw-control-ui", version: "1", platform: "web", mode: "ui" } })),
    '{"type":"req","id":"1","method":"health"}',
  ],
  words: ["connect", "operator", "node", "device", "auth", "token", "nonce", NONCE, "operator.admin", "__proto__"],
  open: openConnections,
};

const CLIENT = { id: "cli", version: "1", platform: "linux", mode: "cli" };

function connectFrame(more: object): object {
  const params = { minProtocol: 3, maxProtocol: 3, client: CLIENT, ...more };
  return { type: "req", id: "1", method: "connect", params };
}

/** Right in every way, for the connection as `connectFrame` describes it. */
function deviceProof(token: string): object {
  const privateKey = createPrivateKey({ key: KEY, format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(privateKey);
  const raw = publicKey.export({ type: "spki", format: "der" }).subarray(-32);
  const id = deviceIdOf(raw);
  const about = { clientId: CLIENT.id, clientMode: CLIENT.mode, role: "operator", scopes: [], token, nonce: NONCE };
  const signature = sign(null, Buffer.from(buildPayload("v2", id, AT, about)), privateKey).toString("base64url");
  return { id, publicKey: raw.toString("base64url"), signature, signedAt: AT, nonce: NONCE };
}

function openConnections(): OpenTarget {
  const stateDir = mkdtempSync(join(tmpdir(), "chela-fuzz-"));
  const clock = createFakeClock(AT);
  const ids = { ...createIds(), uuid: () => NONCE };
  const devices = createDevices({ stateDir, clock, ids: createIds(), log: silentLog, believed: believesAll });
  const config = { gateway: { auth: { mode: "token" as const, token: "the-secret-of-the-gateway" } } };
  const rules = () =>
    readDoorRules(
      config,
      {},
      {
        limiter: createRateLimiter(clock),
        whois: async () => undefined,
        listenHosts: ["127.0.0.1"],
        override: {},
      },
    );
  const parts = {
    gateway: { clock, devices, audit: { refusedLogins: { add: () => undefined } } },
    handshake: { devices, accessCodes: createAccessCodes({ clock, ids }), clock, log: silentLog, rules },
    dispatcher: undefined,
    ids,
    log: {
      ...silentLog,
      child: () => parts.log,
      error: (says: string, { error }: { error?: unknown } = {}) => fail(says, error),
    },
    authMode: () => "token",
  } as unknown as ConnectionParts;
  const link = { headers: { host: "127.0.0.1:18789" }, isEncrypted: false, localAddress: "127.0.0.1" };
  let failed: string | undefined;
  const fail = (says: string, error: unknown): void => void (failed = `${says}: ${String(error)}`);
  return {
    async run(input) {
      failed = undefined;
      const socket = new FakeSocket();
      const client = { ip: "127.0.0.1", isLocal: false, isLoopback: true } as never;
      serveConnection(socket as unknown as WebSocket, { ...link, client }, { leave: () => undefined } as never, parts);
      socket.emit("message", Buffer.from(input));
      socket.emit("message", Buffer.from('{"type":"req","id":"2","method":"health"}'));
      await socket.ended;
      promise(failed === undefined, () => `the handshake failed: ${failed}`);
      promise(!/"ok":true/.test(socket.said), "somebody without the secret was let in");
      promise(socket.said.length < MOST_ANSWERED_BYTES, "a stranger was told far too much");
    },
    close: () => rmSync(stateDir, { recursive: true, force: true }),
  };
}

class FakeSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  said = "";
  #end: () => void = () => undefined;
  readonly ended = new Promise<void>((resolve) => (this.#end = resolve));

  send(text: string): void {
    this.said += text;
  }

  close(code: number, reason = ""): void {
    promise(Buffer.byteLength(reason) <= 123, () => `a reason to close is too long for a WebSocket: ${reason}`);
    promise(code >= 1000 && code < 5000, () => `${code} is no code to close with`);
    this.readyState = 3;
    this.emit("close");
    this.#end();
  }

  terminate(): void {
    this.close(1006);
  }
}

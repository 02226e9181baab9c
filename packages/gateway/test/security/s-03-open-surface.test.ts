// S-03: nothing is there for strangers but a sign of life and the files of the control page.
import { networkInterfaces } from "node:os";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { METHODS } from "@chela/sdk/protocol";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import { rawRequest } from "../support/in-process-http.ts";
import { listRoutes } from "../support/in-process-routes.ts";

const PUBLIC = ["/health", "/healthz", "/ready", "/readyz"];

describe("S-03", () => {
  let gateway: TestGateway;
  beforeAll(async () => void (gateway = await startTestGateway()));
  afterAll(() => gateway[Symbol.asyncDispose]());

  test("every route says who may use it, and only signs of life are public", () => {
    for (const { path, auth } of listRoutes()) {
      expect(["public", "page", "bearer", "own-secret"]).toContain(auth);
      if (auth === "public") expect(PUBLIC).toContain(path);
    }
  });

  test.for(listRoutes())("$method $path ($auth) without a credential", async ({ method, path, auth, letIn }) => {
    const ask = (headers: Record<string, string>, query = "") =>
      rawRequest(gateway.gateway.port, {
        method,
        path: path + query,
        headers,
        ...(method === "POST" ? { body: '{"text":"hi","messages":[{"role":"user","content":"hi"}]}' } : {}),
      });
    if (auth === "public" || auth === "page") {
      const { status, text } = await ask({});
      expect(status).toBe(letIn);
      for (const secret of [gateway.token, gateway.stateDir, "agent:main"]) expect(text).not.toContain(secret);
      return;
    }
    const wrong = ["", "Bearer", "Bearer wrong", `Basic ${gateway.token}`, `Bearer ${gateway.token}x`, gateway.token];
    for (const authorization of wrong) expect((await ask({ authorization })).status).toBe(401);
    for (const query of [`?token=${gateway.token}`, `?access_token=${gateway.token}`]) {
      expect((await ask({}, query)).status).toBe(401);
    }
    expect((await ask({ cookie: `token=${gateway.token}`, "x-openclaw-token": gateway.token })).status).toBe(401);
    expect(gateway.model.requests).toEqual([]);
  });

  test("no method can be called before the handshake", async () => {
    for (const method of [...Object.keys(METHODS), "no.such.method"]) {
      const client = gateway.dial();
      await client.challenge();
      const { error } = await client.request(method, {});
      expect(error?.message).toBe("invalid handshake: first request must be connect");
      expect((await client.closed).code).toBe(1008);
    }
  });

  test("a token in the address of the socket is worth nothing", async () => {
    const url = `${gateway.url}/?token=${gateway.token}`;
    const response = await gateway.dial({ url, token: undefined, device: null }).tryConnect();
    expect(response.error?.code).toBe("NOT_PAIRED");
  });

  const outside = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === "IPv4" && !one.internal)?.address;
  test.skipIf(outside === undefined)("nothing listens beyond this machine", async () => {
    const refused = await new Promise((resolve) => {
      const socket = connect(gateway.gateway.port, outside);
      socket.once("connect", () => resolve("connected"));
      socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code));
    });
    expect(refused).toBe("ECONNREFUSED");
  });
});

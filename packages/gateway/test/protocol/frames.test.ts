// Frames after the handshake: what is not understood gets an answer that says why.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../support/in-process.ts";
import type { WireClient } from "../support/wire-client.ts";

describe("requests", () => {
  let gateway: TestGateway;
  let client: WireClient;
  beforeAll(async () => {
    gateway = await startTestGateway();
    client = await gateway.connect();
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  test.for([
    ["without a method", { type: "req", id: "nm" }, "nm", "must have required property 'method'"],
    ["without an id", { type: "req", method: "health" }, "invalid", "must have required property 'id'"],
    ["with a number as id", { type: "req", id: 7, method: "health" }, "invalid", "at /id: must be string"],
    ["with an empty method", { type: "req", id: "em", method: "" }, "em", /at \/method: must NOT have fewer than 1/],
    [
      "with one property too many",
      { type: "req", id: "x1", method: "health", token: 1 },
      "x1",
      "at root: unexpected property 'token'",
    ],
    ["that are responses", { type: "res", id: "rs", ok: true }, "rs", /^at \/type: must be/],
    ["that are no objects", ["req"], "invalid", /^at root: must be object/],
  ] as const)("%s are answered as invalid", async ([, frame, id, why]) => {
    const seen = client.frames.length;
    client.send(frame);
    const answer = await client.until("an answer", () =>
      client.frames.slice(seen).find((one) => one.type === "res" && one.id === id),
    );
    expect(answer).toMatchObject({ ok: false, error: { code: "INVALID_REQUEST" } });
    const message = answer.type === "res" ? (answer.error?.message ?? "") : "";
    expect(message.slice(0, 23)).toBe("invalid request frame: ");
    if (typeof why === "string") expect(message.slice(23)).toBe(why);
    else expect(message.slice(23)).toMatch(why);
  });

  test("text that is no JSON is ignored, and the connection stays", async () => {
    client.sendText("what?");
    client.sendText("{");
    expect((await client.request("health")).ok).toBe(true);
  });

  test("binary frames are read as text", async () => {
    client.sendText(Buffer.from(JSON.stringify({ type: "req", id: "bin", method: "health" })));
    expect((await client.until("an answer", () => client.responsesTo("bin")[0])).ok).toBe(true);
  });

  test.for([
    ["no.such.method", {}, "unknown method: no.such.method"],
    ["__proto__", {}, "unknown method: __proto__"],
    ["constructor", {}, "unknown method: constructor"],
    ["connect", {}, "connect is only valid as the first request"],
    [
      "agent",
      {},
      "invalid agent params: must have required property 'message'; must have required property 'idempotencyKey'",
    ],
    [
      "device.token.rotate",
      {},
      "invalid device.token.rotate params: must have required property 'deviceId'; must have required property 'role'",
    ],
    ["models.list", { view: "configured" }, "invalid models.list params: at root: unexpected property 'view'"],
    ["chat.history", { sessionKey: 5 }, "invalid chat.history params: at /sessionKey: must be string"],
    ["chat.history", { sessionKey: "main", limit: 1001 }, "invalid chat.history params: at /limit: must be <= 1000"],
    ["chat.history", { sessionKey: "main", limit: 0.5 }, "invalid chat.history params: at /limit: must be integer"],
    ["sessions.list", [], "invalid sessions.list params: at root: must be object"],
    ["sessions.list", "all", "invalid sessions.list params: at root: must be object"],
  ] as const)("%s with %j is refused in the words clients know", async ([method, params, message]) => {
    expect((await client.request(method, params)).error).toEqual({ code: "INVALID_REQUEST", message });
  });

  test("absent parameters are the same as none", async () => {
    const response = await client.request("agents.list");
    expect(response.payload).toMatchObject({
      defaultId: "main",
      mainKey: "main",
      scope: "per-sender",
      agents: [{ id: "main" }],
    });
  });

  test("the same id may be used again, and answers come as they are ready", async () => {
    const gate = gateway.gate();
    gateway.model.script(gate.step("", "late"));
    const slow = client.request("agent", { message: "take your time", idempotencyKey: "slow" }, "same");
    await gate.reached;
    expect((await client.request("health", {}, "quick")).ok).toBe(true);
    gate.open();
    expect((await slow).payload.status).toBe("ok");
    expect(client.responsesTo("same").map((one) => one.payload.status)).toEqual(["accepted", "ok"]);
  });

  test("a node that keeps calling what it may not is closed", async () => {
    const node = await gateway.connect({ role: "node", scopes: [], client: { id: "node-host", mode: "node" } });
    for (let call = 1; call <= 11; call++) {
      expect((await node.request("status")).error?.message).toBe("unauthorized role: node");
    }
    expect(await node.closed).toEqual({ code: 1008, reason: "repeated unauthorized calls" });
  });
});

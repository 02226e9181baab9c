// S-05: being on this machine is a fact of the socket; no header makes it true, and any header of a proxy makes it false.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DOOR_BODY, listDoorRoutes } from "../support/security/door-routes.ts";
import { FORWARDED_VALUES, FORWARDING_HEADERS } from "../support/security/door-rules.ts";
import { openDoorStage, OUTSIDE, type DoorStage, type Question } from "../support/security/door-stage.ts";
import { startTestGateway, TEST_TOKEN } from "../support/in-process.ts";
import { countCases } from "../support/security/security-cases.ts";
import { WireClient } from "../support/wire-client.ts";

const TOKEN = { authorization: `Bearer ${TEST_TOKEN}` };
/** For this machine only, unless somebody opens it: tells whether a request counts as one of this machine. */
const LOCAL_ONLY: Question = { method: "POST", path: "/v1/chat/completions", body: DOOR_BODY };
const [LOCAL, ELSEWHERE] = [400, 404];

interface Sent {
  readonly name: string;
  readonly value: string;
}

const SENT: readonly Sent[] = FORWARDING_HEADERS.flatMap((name) => FORWARDED_VALUES.map((value) => ({ name, value })));

const asInstalled = { door: { http: { endpoints: {} } } };

async function isLocal(stage: DoorStage, question: Question): Promise<boolean> {
  const { status } = await stage.ask({ ...LOCAL_ONLY, ...question, headers: { ...TOKEN, ...question.headers } });
  expect([LOCAL, ELSEWHERE]).toContain(status);
  return status === LOCAL;
}

describe("S-05: from this machine", () => {
  let stage: DoorStage;
  beforeAll(async () => void (stage = await openDoorStage(asInstalled)));
  afterAll(() => stage[Symbol.asyncDispose]());

  test("a request is of this machine without a header of a proxy, and with any of them it is not", async () => {
    expect(await isLocal(stage, {})).toBe(true);
    expect(await isLocal(stage, { headers: { "x-unheard-of": "127.0.0.1", accept: "*/*" } })).toBe(true);
    const wrong = await stage.findWrong(SENT, async ({ name, value }) => ({
      expected: false,
      got: await isLocal(stage, { headers: { [name]: value } }),
    }));
    expect(wrong).toEqual([]);
    countCases("S-05", SENT.length);
  });

  test("a socket with any of them has to be approved, and is told its own address", async () => {
    for (const name of FORWARDING_HEADERS) {
      const response = await stage.gateway.dial({ headers: { [name]: "127.0.0.1" } }).tryConnect();
      expect([name, response.error?.details?.["code"]]).toEqual([name, "PAIRING_REQUIRED"]);
    }
    const admin = await stage.gateway.connect();
    const { pending } = await admin.call("device.pair.list");
    expect(new Set(pending.map((one: { remoteIp?: string }) => one.remoteIp))).toEqual(new Set(["127.0.0.1"]));
    countCases("S-05", FORWARDING_HEADERS.length);
  });

  test("a name that is not this machine's is not this machine, whoever says it", async () => {
    for (const host of ["localhost", "127.0.0.1", "[::1]"])
      expect(await isLocal(stage, { headers: { host } })).toBe(true);
    const { status } = await stage.ask({ ...LOCAL_ONLY, headers: { ...TOKEN, host: "gateway.example" } });
    expect(status).toBe(403);
  });

  test("what a client calls itself does not make it local", async () => {
    for (const client of [
      { id: "cli", mode: "cli" },
      { id: "gateway-client", mode: "backend" },
      { id: "test", mode: "test" },
      { id: "openclaw-macos", mode: "ui" },
      { id: "openclaw-probe", mode: "probe" },
    ]) {
      const response = await stage.gateway.dial({ client, headers: { "x-real-ip": "127.0.0.1" } }).tryConnect();
      expect(response.error?.details?.["code"]).toBe("PAIRING_REQUIRED");
    }
  });
});

test("S-05: without a credential, a request with a header of a proxy is let in nowhere", async () => {
  await using stage = await openDoorStage({ door: { auth: { mode: "none" } } });
  const routes = listDoorRoutes().filter(({ auth }) => auth === "bearer");
  const cases = FORWARDING_HEADERS.flatMap((name) => routes.map((route) => ({ name, route })));
  const wrong = await stage.findWrong(cases, async ({ name, route: { method, path } }) => {
    const body = method === "POST" ? { body: DOOR_BODY } : {};
    const { status } = await stage.ask({ method, path, headers: { [name]: "127.0.0.1" }, ...body });
    return { expected: 401, got: status };
  });
  expect(wrong).toEqual([]);
  for (const name of FORWARDING_HEADERS) {
    const response = await stage.gateway.dial({ token: undefined, headers: { [name]: "127.0.0.1" } }).tryConnect();
    expect([name, response.ok]).toEqual([name, false]);
  }
  expect((await stage.ask({ path: "/v1/models" })).status).toBe(200);
  countCases("S-05", cases.length + FORWARDING_HEADERS.length);
});

describe("S-05: with a list of proxies", () => {
  let stage: DoorStage;
  beforeAll(async () => {
    const auth = { rateLimit: { maxAttempts: 3 } };
    stage = await openDoorStage({
      door: { http: { endpoints: {} }, auth, trustedProxies: ["127.0.0.7", "10.0.0.0/8"] },
    });
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  test("whom a listed proxy names is not this machine, even if it names it", async () => {
    const cases = [{ headers: {} }, ...SENT.map(({ name, value }) => ({ headers: { [name]: value } }))];
    const wrong = await stage.findWrong(cases, async ({ headers }) => ({
      expected: false,
      got: await isLocal(stage, { from: "127.0.0.7", headers }),
    }));
    expect(wrong).toEqual([]);
    countCases("S-05", cases.length);
  });

  test("a neighbour of a listed proxy is none, and gains nothing by its headers", async () => {
    expect(await isLocal(stage, { from: "127.0.0.8" })).toBe(true);
    expect(await isLocal(stage, { from: "127.0.0.8", headers: { "x-forwarded-for": "127.0.0.1" } })).toBe(false);
  });

  const guess = async (from: string, forwardedFor: string): Promise<number> => {
    const headers = { authorization: "Bearer wrong", "x-forwarded-for": forwardedFor };
    return (await stage.ask({ path: "/v1/models", from, headers })).status;
  };

  test("guesses are counted by whom a listed proxy saw, however the client calls itself", async () => {
    const answers: number[] = [];
    for (const invented of ["1.1.1.1", "2.2.2.2", "127.0.0.1", "10.1.1.1", "", "::1"])
      answers.push(await guess("127.0.0.7", `${invented}, 203.0.113.5`));
    expect(answers).toEqual([401, 401, 401, 429, 429, 429]);
    // Hops of our own are skipped from the right, and what is further left is not looked at.
    expect(await guess("127.0.0.7", "9.9.9.9, 203.0.113.5, 10.2.3.4")).toBe(429);
    expect(await guess("127.0.0.7", "203.0.113.6")).toBe(401);
    countCases("S-05", 8);
  });

  test("a proxy that names its client in X-Real-IP alone is believed only where that is allowed", async () => {
    const ask = async (address: string) =>
      (
        await stage.ask({
          path: "/v1/models",
          from: "127.0.0.7",
          headers: { authorization: "Bearer wrong", "x-real-ip": address },
        })
      ).status;
    for (const address of ["203.0.113.21", "203.0.113.22", "203.0.113.23"]) expect(await ask(address)).toBe(401);
    expect(await ask("203.0.113.24")).toBe(429);
    stage.gateway.gateway.config.setPath("gateway.allowRealIpFallback", true);
    expect(await ask("203.0.113.25")).toBe(401);
    stage.gateway.gateway.config.unsetPath("gateway.allowRealIpFallback");
    expect(await ask("203.0.113.26")).toBe(429);
    countCases("S-05", 6);
  });

  test("guesses of somebody who is no proxy are counted by the socket", async () => {
    const answers: number[] = [];
    for (const invented of ["3.3.3.1", "3.3.3.2", "3.3.3.3", "3.3.3.4", "127.0.0.1"])
      answers.push(await guess("127.0.0.9", invented));
    expect(answers).toEqual([401, 401, 401, 429, 429]);
    countCases("S-05", 5);
  });
});

describe.skipIf(OUTSIDE === undefined)("S-05: from another machine", () => {
  const door = { bind: "lan", controlUi: { enabled: false }, http: { endpoints: {} } };
  // Plain text is let in here, so that what is seen is where somebody comes from.
  const env = { OPENCLAW_ALLOW_INSECURE_PRIVATE_WS: "1" };

  test.each([[[]], [[OUTSIDE ?? ""]], [["127.0.0.1"]]])(
    "nothing makes a request one of this machine (proxies: %j)",
    async (trustedProxies) => {
      await using stage = await openDoorStage({ door: { ...door, trustedProxies }, env });
      const from = { host: OUTSIDE ?? "" };
      const hosts = ["localhost", "127.0.0.1", "[::1]", `${OUTSIDE}`];
      const cases = [{}, ...SENT.map(({ name, value }) => ({ [name]: value }))].flatMap((headers, at) =>
        (at < 20 ? hosts : hosts.slice(0, 1)).map((host) => ({ ...headers, host })),
      );
      const wrong = await stage.findWrong(cases, async (headers) => ({
        expected: false,
        got: await isLocal(stage, { ...from, headers }),
      }));
      expect(wrong).toEqual([]);
      const url = `ws://${OUTSIDE}:${stage.port}`;
      for (const headers of [{}, { host: "localhost" }, { "x-forwarded-for": "127.0.0.1" }]) {
        const client = new WireClient({ url, token: TEST_TOKEN, headers });
        expect((await client.tryConnect()).error?.details?.["code"]).toBe("PAIRING_REQUIRED");
        await client.close();
      }
      countCases("S-05", cases.length + 3);
    },
  );
});

test("S-05: a list of proxies that holds everybody holds nobody", async () => {
  const trustedProxies = ["0.0.0.0/0", "::/0", "localhost", "*", "127.0.0.1/33", ""];
  await using gateway = await startTestGateway({ config: { gateway: { trustedProxies } } });
  const response = await gateway.dial({ headers: { "x-forwarded-for": "127.0.0.1" } }).tryConnect();
  expect(response.error?.details?.["code"]).toBe("PAIRING_REQUIRED");
  expect((await gateway.connect()).hello.type).toBe("hello-ok");
});

// S-03: nothing is there for strangers but a sign of life and the files of the control page.
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { METHODS } from "@chela/sdk/protocol";
import { AWAY, nearMisses, openKeyedDoor, otherSecrets, PASSWORD } from "../support/security/door-credentials.ts";
import { DOOR_BODY, listDoorRoutes, routeTable, type DoorRoute } from "../support/security/door-routes.ts";
import {
  HOOK_TOKEN,
  MOUNT_SECRET,
  openDoorStage,
  OUTSIDE,
  SCRIPT_SECRET,
  type DoorStage,
} from "../support/security/door-stage.ts";
import { startTestGateway, TEST_TOKEN, type TestGateway } from "../support/in-process.ts";
import { countCases } from "../support/security/security-cases.ts";

const PUBLIC = ["/health", "/healthz", "/ready", "/readyz"];

/** Which doors a request opens, by the rules of this file. */
type Door = "bearer" | "hooks" | "mount";

interface Knock {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query?: string;
  /** As another address of this machine. */
  readonly from?: string;
  readonly opens: readonly Door[];
}

const bearer = (secret: string): Record<string, string> => ({ authorization: `Bearer ${secret}` });
const mountOnly = { "x-mount": MOUNT_SECRET };

/** The ways in which somebody may put a secret into a request. */
function waysOf(name: string, secret: string, opens: readonly Door[]): Knock[] {
  const hooksOnly = opens.filter((door) => door === "hooks");
  return [
    { name: `${name} as bearer`, headers: bearer(secret), opens },
    { name: `${name} as BEARER`, headers: { authorization: `BEARER  ${secret}` }, opens },
    { name: `${name} as basic`, headers: { authorization: `Basic ${btoa(`user:${secret}`)}` }, opens: [] },
    { name: `${name} as it is`, headers: { authorization: secret }, opens: [] },
    { name: `${name} as a webhook's`, headers: { "x-openclaw-token": secret }, opens: hooksOnly },
    { name: `${name} in a cookie`, headers: { cookie: `token=${secret}; session=${secret}` }, opens: [] },
    { name: `${name} as a key`, headers: { "x-api-key": secret, "x-auth-token": secret }, opens: [] },
    { name: `${name} of a proxy`, headers: { "proxy-authorization": `Bearer ${secret}` }, opens: [] },
    { name: `${name} in the address`, headers: {}, query: `access_token=${encodeURIComponent(secret)}`, opens: [] },
  ];
}

const NOTHING: readonly Knock[] = [
  { name: "nothing", headers: {}, opens: [] },
  { name: "an empty bearer", headers: { authorization: "Bearer " }, opens: [] },
  { name: "no scheme", headers: { authorization: "Bearer" }, opens: [] },
  { name: "two secrets", headers: { authorization: `Bearer ${TEST_TOKEN} ${TEST_TOKEN}` }, opens: [] },
  { name: "the secret of the mount", headers: mountOnly, opens: ["mount"] },
];

function doorOf({ auth, path }: DoorRoute): Door | undefined {
  if (auth === "public" || auth === "page") return undefined;
  if (auth === "bearer") return "bearer";
  return path.startsWith("/hooks") ? "hooks" : "mount";
}

async function expectOnly(stage: DoorStage, knocks: readonly Knock[]): Promise<void> {
  const cases = listDoorRoutes().flatMap((route) => {
    // What is open to everybody is so with a secret, too; a few of them show it.
    const tried = doorOf(route) === undefined ? knocks.slice(0, NOTHING.length * 2) : knocks;
    return tried.map((knock) => ({ route, knock }));
  });
  const isOpened = ({ route, knock }: (typeof cases)[number]): boolean =>
    knock.opens.some((door) => door === doorOf(route));
  // Guesses at webhooks are counted even here, so whoever is right comes before those who are not.
  const ordered = [...cases.filter(isOpened), ...cases.filter((one) => !isOpened(one))];
  const wrong = await stage.findWrong(ordered, async ({ route, knock }) => {
    const { method, path, letIn } = route;
    const body = method === "POST" || method === "PUT" ? { body: DOOR_BODY } : {};
    const address = knock.query ? `${path}${path.includes("?") ? "&" : "?"}${knock.query}` : path;
    const { status } = await stage.ask({
      method,
      path: address,
      headers: knock.headers,
      ...body,
      ...(knock.from ? { from: knock.from } : {}),
    });
    const door = doorOf(route);
    // What stands behind the question mark never reaches the page.
    const isPage = route.auth === "page" && (path === "/" || path === "/index.html") && knock.query !== undefined;
    const expected = door === undefined || knock.opens.includes(door) ? (isPage ? 302 : letIn) : 401;
    return { expected, got: door === "hooks" && status === 429 ? 401 : status };
  });
  expect(wrong).toEqual([]);
  expect(stage.gateway.model.requests).toEqual([]);
  countCases("S-03", cases.length);
}

describe("S-03", () => {
  test("every route says who may use it, and only signs of life are public", () => {
    for (const { path, auth } of routeTable()) {
      expect(["public", "page", "bearer", "own-secret"]).toContain(auth);
      if (auth === "public") expect(PUBLIC).toContain(path);
    }
    for (const { method, auth } of listDoorRoutes()) {
      if (auth === "public" || auth === "page") expect(["GET", "HEAD"]).toContain(method);
    }
  });

  test("with a token, every route opens for the token alone", async () => {
    await using door = await openKeyedDoor();
    const { gateway, keys } = door;
    const others = { ...otherSecrets(keys, await keys.freshCode()), ...nearMisses(gateway.token), password: PASSWORD };
    await expectOnly(door, [
      ...NOTHING,
      ...waysOf("the token", gateway.token, ["bearer"]),
      ...Object.entries(others).flatMap(([name, secret]) =>
        secret === HOOK_TOKEN ? waysOf(name, secret, ["hooks"]) : waysOf(name, secret, []).slice(0, 5),
      ),
    ]);
  });

  test("with a password, every route opens for the password alone", async () => {
    await using stage = await openDoorStage({ door: { auth: { mode: "password", password: PASSWORD } } });
    await expectOnly(stage, [
      ...NOTHING,
      ...waysOf("the password", PASSWORD, ["bearer"]),
      ...waysOf("the token of another mode", TEST_TOKEN, []),
      ...waysOf("the token of the webhooks", HOOK_TOKEN, ["hooks"]),
    ]);
  });

  test("without a credential, every route opens for this machine, and for nobody behind anything", async () => {
    await using stage = await openDoorStage({ door: { auth: { mode: "none" } } });
    const local = { name: "this machine", headers: {}, opens: ["bearer"] } as const;
    await expectOnly(stage, [
      local,
      { ...local, name: "with a secret nobody asked for", headers: bearer("wrong") },
      { name: "somebody behind a proxy", headers: AWAY, opens: [] },
      { name: "somebody behind a proxy, with a token", headers: { ...AWAY, ...bearer(TEST_TOKEN) }, opens: [] },
    ]);
  });

  test("with a proxy that vouches, every route opens for whom the listed proxy names", async () => {
    await using stage = await openDoorStage({
      door: {
        auth: {
          mode: "trusted-proxy",
          token: "",
          trustedProxy: { userHeader: "x-user", requiredHeaders: ["x-forwarded-proto"], allowUsers: ["ada"] },
        },
        trustedProxies: ["127.0.0.1"],
      },
    });
    const named = { "x-user": "ada", "x-forwarded-proto": "https" };
    const refused = (name: string, headers: Knock["headers"], from?: string): Knock => ({
      name,
      headers,
      opens: [],
      ...(from ? { from } : {}),
    });
    await expectOnly(stage, [
      { name: "ada", headers: named, opens: ["bearer"] },
      refused("nobody", { "x-forwarded-proto": "https" }),
      refused("an empty name", { ...named, "x-user": " " }),
      refused("mallory", { ...named, "x-user": "mallory" }),
      refused("ADA", { ...named, "x-user": "ADA" }),
      refused("ada and mallory", { ...named, "x-user": "ada, mallory" }),
      refused("ada, without what the proxy adds", { "x-user": "ada" }),
      refused("ada, by another proxy", named, "127.0.0.2"),
      refused(
        "ada, by another proxy that names the listed one",
        { ...named, "x-forwarded-for": "127.0.0.1" },
        "127.0.0.3",
      ),
      refused("a token", bearer(TEST_TOKEN)),
    ]);
  });

  test("the second listener opens for its own secret alone", async () => {
    await using door = await openKeyedDoor();
    const { gateway, keys, scriptPort: port } = door;
    const others = Object.entries({ ...otherSecrets(keys, await keys.freshCode()), token: gateway.token });
    const knocks = [
      ...NOTHING,
      ...others.flatMap(([name, secret]) => waysOf(name, secret, secret === SCRIPT_SECRET ? ["bearer"] : [])),
      { name: "behind a proxy", headers: { ...AWAY, ...bearer(SCRIPT_SECRET) }, opens: [] },
    ];
    const paths = ["/api/sessions/home", "/", "/v1/models", "/healthz"];
    const cases = knocks.flatMap((knock) =>
      ["GET", "POST"].flatMap((method) => paths.map((path) => ({ knock, method, path }))),
    );
    const wrong = await door.findWrong(cases, async ({ knock, method, path }) => {
      const address = knock.query ? `${path}?${knock.query}` : path;
      const body = method === "POST" ? { body: DOOR_BODY } : {};
      const { status } = await door.ask({ port, method, path: address, headers: knock.headers, ...body });
      const letIn = path === "/api/sessions/home" ? (method === "GET" ? 200 : 400) : 404;
      const refusal = knock.name === "behind a proxy" ? 403 : 401;
      return { expected: knock.opens.includes("bearer") ? letIn : refusal, got: status };
    });
    expect(wrong).toEqual([]);
    countCases("S-03", cases.length);
  });
});

describe("S-03: a stranger", () => {
  let gateway: TestGateway;
  beforeAll(async () => void (gateway = await startTestGateway()));
  afterAll(() => gateway[Symbol.asyncDispose]());

  test("learns nothing about anybody from what is open", async () => {
    for (const { method, path, auth } of listDoorRoutes()) {
      if (auth !== "public" && auth !== "page") continue;
      const text = await (await gateway.fetch(path, { method, token: null, redirect: "manual" })).text();
      for (const secret of [gateway.token, gateway.stateDir, "agent:main", "scripted"])
        expect([path, text.includes(secret)]).toEqual([path, false]);
      countCases("S-03", 1);
    }
    for (const path of PUBLIC) {
      const answer: unknown = await (await gateway.fetch(path, { token: null })).json();
      expect([{ ok: true, status: "live" }, { ready: true }]).toContainEqual(answer);
    }
  });

  test("can call no method before the handshake, nor behind one that fails", async () => {
    const methods = [...Object.keys(METHODS), "no.such.method", "__proto__", "constructor"];
    for (const method of methods) {
      const client = gateway.dial();
      await client.challenge();
      const { error } = await client.request(method, {});
      expect(error?.message).toBe("invalid handshake: first request must be connect");
      expect((await client.closed).code).toBe(1008);
    }
    for (const options of [{ token: "wrong" }, { token: undefined }, { token: undefined, device: null }]) {
      const client = gateway.dial(options);
      client.send({ type: "req", id: "shake", method: "connect", params: await client.connectParams() });
      for (const method of methods) client.send({ type: "req", id: `behind ${method}`, method, params: {} });
      await client.closed;
      expect(client.frames.filter((frame) => frame.type === "res" && frame.id !== "shake")).toEqual([]);
    }
    countCases("S-03", methods.length * 4);
  });

  test("gains nothing by a token in the address of the socket", async () => {
    for (const name of ["token", "access_token", "password", "auth", "deviceToken", "bootstrapToken", "code"]) {
      const url = `${gateway.url}/?${name}=${gateway.token}`;
      const response = await gateway.dial({ url, token: undefined, device: null }).tryConnect();
      expect(response.error?.code).toBe("NOT_PAIRED");
    }
    countCases("S-03", 7);
  });

  test.skipIf(OUTSIDE === undefined)("finds nothing that listens beyond this machine", async () => {
    const refused = await new Promise((resolve) => {
      const socket = connect(gateway.gateway.port, OUTSIDE);
      socket.once("connect", () => resolve("connected"));
      socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code));
    });
    expect(refused).toBe("ECONNREFUSED");
  });
});

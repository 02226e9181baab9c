// S-02: pages of other sites and names that point here by somebody else's DNS get nowhere, on any route.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DOOR_BODY, EVERY_METHOD, listDoorRoutes, type DoorRoute } from "../support/security/door-routes.ts";
import {
  LISTED_ORIGIN,
  listHosts,
  listOrigins,
  mayKnock,
  type DoorSetup,
  type Host,
  type Origin,
} from "../support/security/door-rules.ts";
import {
  HOOK_TOKEN,
  MOUNT_SECRET,
  openDoorStage,
  SCRIPT_SECRET,
  type DoorStage,
} from "../support/security/door-stage.ts";
import { UPGRADE_HEADERS } from "../support/in-process-http.ts";
import { countCases } from "../support/security/security-cases.ts";

const SETUPS: ReadonlyArray<readonly [string, DoorSetup, object]> = [
  ["as it is installed", { lists: false, fallback: false, tailnet: false }, {}],
  [
    "with a listed origin",
    { lists: true, fallback: false, tailnet: false },
    { controlUi: { allowedOrigins: [LISTED_ORIGIN] } },
  ],
  [
    "with the host as origin",
    { lists: false, fallback: true, tailnet: false },
    { controlUi: { dangerouslyAllowHostHeaderOriginFallback: true } },
  ],
  ["behind Tailscale", { lists: false, fallback: false, tailnet: true }, { tailscale: { mode: "serve" } }],
];

/** Everything that opens anything here, so that what is refused is refused for where it comes from. */
const secretsOf = (stage: DoorStage, auth: DoorRoute["auth"], path: string): Record<string, string> => {
  if (auth === "bearer") return { authorization: `Bearer ${stage.gateway.token}` };
  return path.startsWith("/hooks") ? { "x-openclaw-token": HOOK_TOKEN } : { "x-mount": MOUNT_SECRET };
};
const originHeader = ({ text }: Origin): Record<string, string> => (text === undefined ? {} : { origin: text });
const bodyFor = (method: string) => (method === "POST" || method === "PUT" ? { body: DOOR_BODY } : {});

interface Knock {
  readonly host: Host;
  readonly origin: Origin;
}

const knocks = (hosts: readonly Host[], origins: readonly Origin[]): Knock[] =>
  hosts.flatMap((host) => origins.map((origin) => ({ host, origin })));

/** The first of each kind: what the others of a kind do is seen on one route. */
const firstOfKind = <One extends { readonly kind: string }>(all: readonly One[]): One[] => [
  ...new Map(all.toReversed().map((one) => [one.kind, one])).values(),
];

/** Every host with an origin of each kind, and every origin with a host of each kind. */
const pairs = (hosts: readonly Host[], origins: readonly Origin[]): Knock[] => [
  ...knocks(hosts, firstOfKind(origins)),
  ...knocks(firstOfKind(hosts), origins),
];

describe.each(SETUPS)("S-02: a door %s", (_name, setup, door) => {
  let stage: DoorStage;
  beforeAll(async () => void (stage = await openDoorStage({ door: { ...door } })));
  afterAll(() => stage[Symbol.asyncDispose]());

  const look = (route: DoorRoute) => async (knock: Knock) => {
    const { method, path, auth, letIn } = route;
    const headers = { host: knock.host.text, ...originHeader(knock.origin), ...secretsOf(stage, auth, path) };
    const answer = await stage.ask({ method, path, headers, ...bodyFor(method) });
    return {
      expected: [mayKnock(knock.origin, knock.host, setup) ? letIn : 403, undefined],
      got: [answer.status, answer.headers["access-control-allow-origin"]],
    };
  };

  test("every host and every origin there is meet at one door", async () => {
    const [hosts, origins] = [listHosts(stage.port), listOrigins(stage.port)];
    const isInstalled = !setup.lists && !setup.fallback && !setup.tailnet;
    const cases = isInstalled ? knocks(hosts, origins) : pairs(hosts, origins);
    const route = listDoorRoutes().find(({ method, path }) => `${method} ${path}` === "GET /v1/models");
    expect(await stage.findWrong(cases, look(route as DoorRoute))).toEqual([]);
    countCases("S-02", cases.length);
  });

  test("every route answers only our own hosts and origins", async () => {
    const hosts = firstOfKind(listHosts(stage.port));
    const origins = firstOfKind(listOrigins(stage.port));
    const cases = listDoorRoutes().flatMap((route) => knocks(hosts, origins).map((knock) => ({ route, knock })));
    expect(await stage.findWrong(cases, ({ route, knock }) => look(route)(knock))).toEqual([]);
    countCases("S-02", cases.length);
  });

  test("an upgrade is made only for our own hosts and origins", async () => {
    const cases = pairs(listHosts(stage.port), listOrigins(stage.port));
    const wrong = await stage.findWrong(cases, async ({ host, origin }) => {
      const headers = { host: host.text, ...originHeader(origin), ...UPGRADE_HEADERS };
      const { status } = await stage.ask({ headers });
      return { expected: mayKnock(origin, host, setup) ? 101 : 403, got: status };
    });
    expect(wrong).toEqual([]);
    countCases("S-02", cases.length);
  });
});

describe("S-02", () => {
  let stage: DoorStage;
  beforeAll(async () => void (stage = await openDoorStage()));
  afterAll(() => stage[Symbol.asyncDispose]());

  test("what a browser says another site wants to load or change is refused, even without an Origin; a link is not", async () => {
    const sites = ["cross-site", "same-site", "same-origin", "none", "", "nonsense"];
    const kinds = ["", "navigate document", "navigate iframe", "no-cors image", "no-cors script", "navigate"];
    const cases = listDoorRoutes().flatMap((route) =>
      sites.flatMap((site) => kinds.map((kind) => ({ route, site, kind }))),
    );
    const wrong = await stage.findWrong(cases, async ({ route: { method, path, auth, letIn }, site, kind }) => {
      const [mode, dest] = kind.split(" ");
      const fetched = { ...(mode ? { "sec-fetch-mode": mode } : {}), ...(dest ? { "sec-fetch-dest": dest } : {}) };
      const headers = { "sec-fetch-site": site, ...fetched, ...secretsOf(stage, auth, path) };
      const { status } = await stage.ask({ method, path, headers, ...bodyFor(method) });
      const isOwn = ["same-origin", "none"].includes(site);
      const isLink = kind === "navigate document" && ["GET", "HEAD"].includes(method);
      return { expected: isOwn || isLink ? letIn : 403, got: status };
    });
    expect(wrong).toEqual([]);
    countCases("S-02", cases.length);
  });

  test("a method no route has does nothing, and no question of a browser is answered with leave", async () => {
    const routes = listDoorRoutes();
    const paths = [...new Set(routes.map(({ path }) => path)), "/v1/no-such", "/tools/x"];
    const cases = paths.flatMap((path) =>
      EVERY_METHOD.filter((method) => !routes.some((route) => route.path === path && route.method === method)).map(
        (method) => ({ method, path }),
      ),
    );
    const wrong = await stage.findWrong(cases, async ({ method, path }) => {
      const preflight = { origin: "http://localhost:5173", "access-control-request-method": "POST" };
      const { status, headers } = await stage.ask({ method, path, headers: preflight });
      const granted = Object.keys(headers).filter((name) => name.startsWith("access-control-"));
      return { expected: [true, []], got: [status === 404 || status === 405, granted] };
    });
    expect(wrong).toEqual([]);
    countCases("S-02", cases.length);
  });

  test("the second listener answers no page, and no name but ours", async () => {
    const cases = pairs(listHosts(stage.scriptPort), listOrigins(stage.scriptPort));
    const wrong = await stage.findWrong(cases, async ({ host, origin }) => {
      const headers = { host: host.text, ...originHeader(origin), authorization: `Bearer ${SCRIPT_SECRET}` };
      const { status } = await stage.ask({ port: stage.scriptPort, path: "/api/sessions/home", headers });
      return { expected: host.kind === "loopback" && origin.kind === "none" ? 200 : 403, got: status };
    });
    expect(wrong).toEqual([]);
    countCases("S-02", cases.length);
  });
});

// Every HTTP route of the gateway, each with addresses that only it answers: read from the router's own table.
import type { HttpRoute } from "@chela/sdk";
import { CONTRIBUTIONS } from "../../../src/house/contributions.ts";
import type { House } from "../../../src/house/house.ts";
import { fits } from "../../../src/server/http/router.ts";
import { collectRoutes } from "../../../src/server/http/routes.ts";
import { WebhookMounts } from "../../../src/server/http/webhook-mounts.ts";

type Route = HttpRoute<House>;

export interface DoorRoute {
  readonly method: string;
  readonly path: string;
  readonly auth: Route["auth"];
  /** What somebody gets who is let in and sends `DOOR_BODY`. */
  readonly letIn: number;
}

/** No JSON: whoever is let in stumbles over it and does nothing. */
export const DOOR_BODY = "{";
/** Where the channel of `openDoorStage` takes requests. */
export const MOUNT_PATH = "/mounted/by-a-channel";
export const EVERY_METHOD = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"] as const;

/** Addresses for the routes whose path is a rule, with what a reader gets there. */
const SAMPLES: Readonly<Record<string, number>> = {
  [MOUNT_PATH]: 200,
  "/hooks/agent": 400,
  "/hooks/wake": 400,
  "/hooks/mapped": 400,
  "/": 200,
  "/index.html": 200,
  "/?session=main&token=x": 302,
  "/chat": 302,
  "/assets/app.js": 200,
  "/sw.js": 200,
  "/viewer": 200,
  "/viewer.html": 200,
  "/__openclaw/control-ui-config.json": 200,
  "/avatar/main": 200,
  "/avatar/main?meta=1": 200,
  "/no-such-page": 404,
  "/v1/models": 200,
  "/v1/models/openclaw": 200,
  "/sessions/main/history": 404,
  "/sessions/main/kill": 404,
};

/** The table as every gateway has it. */
export const routeTable = (): readonly Route[] => collectRoutes(CONTRIBUTIONS);

/** A house whose channels and webhooks are all there. */
function fullHouse(): House {
  const mounts = new WebhookMounts({ read: async () => Buffer.alloc(0) });
  mounts.serve(MOUNT_PATH, {
    mostBytes: 0,
    answerHead: () => ({ status: 200 }),
    answer: async () => ({ status: 200 }),
  });
  const hooks = { enabled: true, token: "a-token-that-is-long-enough-to-be-one" };
  return { mounts, config: { current: () => ({ hooks }) } } as never;
}

/** Throws when a route is in the table that no address here leads to: then no suite would look at it. */
export function listDoorRoutes(): DoorRoute[] {
  const table = routeTable();
  const house = fullHouse();
  const exact = table.flatMap(({ path }) => (typeof path === "string" ? [path] : []));
  const seen = new Set<Route>();
  const routes = [...new Set([...exact, ...Object.keys(SAMPLES)])].flatMap((path) =>
    EVERY_METHOD.flatMap((method): DoorRoute[] => {
      const route = table.find((one) => one.methods.includes(method) && leadsTo(one, path, house));
      if (!route) return [];
      seen.add(route);
      return [{ method, path, auth: route.auth, letIn: statusOf(path, method, route.auth) }];
    }),
  );
  const unseen = table.filter((route) => !seen.has(route)).map(({ methods, path }) => `${methods.join()} ${path}`);
  if (unseen.length > 0) throw new Error(`no suite has an address for these routes: ${unseen.join("; ")}`);
  return routes;
}

function leadsTo(route: Route, address: string, house: House): boolean {
  return fits(route, new URL(address, "http://localhost").pathname, house);
}

function statusOf(path: string, method: string, auth: Route["auth"]): number {
  // What a channel does not take falls to the page, which has nothing there.
  if (path === MOUNT_PATH && auth === "page") return 404;
  return SAMPLES[path] ?? (method === "POST" ? 400 : 200);
}

// Every HTTP route the gateway has, as a list that suites walk through: a new route is in it by itself.
import { CONTRIBUTIONS } from "../../src/house/contributions.ts";
import { fits } from "../../src/server/http/router.ts";
import { collectRoutes } from "../../src/server/http/routes.ts";
import { WebhookMounts } from "../../src/server/http/webhook-mounts.ts";

export interface ListedRoute {
  readonly method: string;
  readonly path: string;
  readonly auth: string;
  /** The status of a good GET. */
  readonly letIn: number;
}

/** Paths that only the control page answers, and how. */
const PAGE_PATHS: Readonly<Record<string, number>> = {
  "/": 200,
  "/?session=main&token=x": 302,
  "/chat": 302,
  "/assets/app.js": 200,
  "/sw.js": 200,
  "/viewer": 200,
  "/__openclaw/control-ui-config.json": 200,
};

export function listRoutes(): ListedRoute[] {
  // Paths of channels are there while a channel is connected, and none is.
  const house = {
    mounts: new WebhookMounts({ read: async () => Buffer.alloc(0) }),
    config: { current: () => ({}) },
  } as never;
  return collectRoutes(CONTRIBUTIONS).flatMap((route) =>
    route.methods.flatMap((method) => {
      const { path, auth } = route;
      const paths =
        typeof path === "string" ? [path] : Object.keys(PAGE_PATHS).filter((one) => fits(route, one, house));
      return paths.map((one) => ({ method, path: one, auth, letIn: PAGE_PATHS[one] ?? 200 }));
    }),
  );
}

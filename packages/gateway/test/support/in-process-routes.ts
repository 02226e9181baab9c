// Every HTTP route the gateway has, as a list that suites walk through: a new route is in it by itself.
import { createRoutes } from "../../src/server/http/routes.ts";
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
  const nothing = new Proxy({}, { get: () => undefined }) as never;
  // Paths of channels are there while a channel is connected, and none is.
  const gateway = {
    mounts: new WebhookMounts({ read: async () => Buffer.alloc(0) }),
    config: { current: () => ({}) },
  } as never;
  const routes = createRoutes({ gateway, bus: nothing, method: nothing, pageRoot: "", isReady: () => true });
  return routes.flatMap(({ methods, path, auth }) =>
    methods.flatMap((method) => {
      const paths = typeof path === "string" ? [path] : Object.keys(PAGE_PATHS).filter(path);
      return paths.map((one) => ({ method, path: one, auth, letIn: PAGE_PATHS[one] ?? 200 }));
    }),
  );
}

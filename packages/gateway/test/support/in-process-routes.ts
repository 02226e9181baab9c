// Every HTTP route the gateway has, as a list that suites walk through: a new route is in it by itself.
import { createRoutes } from "../../src/server/http/routes.ts";
import { WebhookMounts } from "../../src/server/http/webhook-mounts.ts";

export interface ListedRoute {
  readonly method: string;
  readonly path: string;
  readonly auth: string;
}

/** Paths that only the control page answers. */
const PAGE_PATHS = ["/", "/chat", "/assets/app.js", "/__openclaw/control-ui-config.json"];

export function listRoutes(): ListedRoute[] {
  const nothing = new Proxy({}, { get: () => undefined }) as never;
  // Paths of channels are there while a channel is connected, and none is.
  const gateway = { mounts: new WebhookMounts() } as never;
  const routes = createRoutes({ gateway, bus: nothing, pageRoot: "", isReady: () => true });
  return routes.flatMap(({ methods, path, auth }) =>
    methods.flatMap((method) => {
      const paths = typeof path === "string" ? [path] : PAGE_PATHS.filter(path);
      return paths.map((one) => ({ method, path: one, auth }));
    }),
  );
}

// Explains to whom a message would come, as the rules stand now.
import { explainRoute, routeEvent, type RoutedEvent } from "../rooms/routing/room.ts";
import type { House } from "./house.ts";

export function explainRouteOf(event: RoutedEvent, { config, keys }: Pick<House, "config" | "keys">) {
  const current = config.current();
  return { route: routeEvent(event, current, keys()), text: explainRoute(event, current, keys()) };
}

// Route: which agent and which conversation a message is for.
import type { ChannelEvent, Standing } from "@chela/sdk";
import type { House } from "../house/house.ts";
import type { People } from "../rooms/people/room.ts";
import { resolveRoute, routeEvent, type ResolvedAgentRoute, type RoutingView } from "../rooms/routing/room.ts";
import type { AdmittedRoute, Arrival } from "./arrival.ts";

export type Routed =
  | (AdmittedRoute & { readonly kind: "route" })
  | { readonly kind: "unroutable"; readonly why: string };

export async function routeOf(arrival: Arrival, house: House): Promise<Routed> {
  switch (arrival.door) {
    case "client":
      return resolveRoute(arrival, house.config.current(), house.keys());
    case "node":
      return { kind: "route", ...arrival.route };
    case "channel": {
      const { channel, account, event } = arrival;
      return { kind: "route", ...(await routeOfEvent(channel, account, event, house)) };
    }
  }
}

/** Where somebody is led depends on what they are to this gateway. */
export async function routeOfEvent(
  channel: string,
  account: string,
  { chat, sender }: Pick<ChannelEvent, "chat" | "sender">,
  house: Pick<House, "channels" | "config" | "people" | "keys" | "log">,
): Promise<ResolvedAgentRoute & { readonly standing: Standing }> {
  const { channels, gate, defaultAccount } = await house.channels();
  const standing = await gate.standingOf(channel, account, { chat, sender });
  const { threadWord, chatIdsArePerAccount } = channels.traits(channel) ?? {};
  const resolved = routeEvent(
    {
      channel,
      account,
      chat,
      sender,
      standing,
      defaultAccount: defaultAccount(channel),
      ...(threadWord ? { threadWord } : {}),
      ...(chatIdsArePerAccount ? { chatIdsArePerAccount } : {}),
    },
    withPeople(house.config.current(), house.people.directory),
    house.keys(),
  );
  if (resolved.warning) house.log.warn("a binding could not be followed", { why: resolved.warning });
  return { ...resolved, standing };
}

/** Who has several ids has one conversation. */
function withPeople(config: RoutingView, people: Pick<People, "all" | "of">): RoutingView {
  const { all } = people;
  if (all.length === 0) return config;
  const linked = { all, personOf: (...seen: Parameters<People["of"]>) => people.of(...seen) };
  return { ...config, session: { ...config.session, people: linked } };
}

// Tells people why a message goes where it goes.
import { describeRequester, type KeyDefaults } from "@chela/sdk";
import { BINDING_TIERS } from "./bindings.ts";
import type { RoutedEvent } from "./chat-key.ts";
import { routeEvent, type ResolvedAgentRoute, type RoutingView, type TierNote } from "./route-event.ts";

const WORDS: Readonly<Record<TierNote["kind"], string>> = {
  chosen: "chosen",
  "unknown-agent": "cannot be followed",
  outranked: "outranked",
  differs: "does not match",
  unusable: "unusable",
};

export function explainRoute(event: RoutedEvent, config: RoutingView, defaults: KeyDefaults): string {
  const route = routeEvent(event, config, defaults);
  return [
    `Message: ${describeEvent(event)}`,
    `Sender:  ${describeRequester(event)}`,
    `Agent:   ${route.agentId}`,
    `Session: ${route.sessionKey}`,
    ...(route.parentSessionKey ? [`Parent:  ${route.parentSessionKey}`] : []),
    `Because: ${reasonOf(route)}`,
    ...(route.warning ? [`Warning: ${route.warning}`] : []),
    "",
    "Tiers, the first that matches decides:",
    ...tierLines(route),
    "",
    ...bindingLines(route, config),
  ].join("\n");
}

function describeEvent({ channel, account, chat, sender }: RoutedEvent): string {
  const details = [
    chat.threadId ? `thread ${quote(chat.threadId)}` : "",
    chat.parentId ? `below ${quote(chat.parentId)}` : "",
    chat.guildId ? `guild ${quote(chat.guildId)}` : "",
    chat.teamId ? `team ${quote(chat.teamId)}` : "",
    `from ${sender.id ? quote(sender.id) : "somebody without an id"}`,
    sender.roles?.length ? `with the roles ${sender.roles.join(", ")}` : "",
  ].filter((detail) => detail !== "");
  return `${channel}, account ${quote(account)}, ${chat.kind} ${quote(chat.id)}, ${details.join(", ")}`;
}

function reasonOf({ matchedBy, binding, warning }: ResolvedAgentRoute): string {
  if (binding !== undefined) return `bindings[${binding}] matches (${matchedBy})`;
  return warning ? "the default agent stands in (default)" : "no binding matches (default)";
}

function tierLines(route: ResolvedAgentRoute): string[] {
  const width = Math.max(...BINDING_TIERS.map((tier) => tier.length));
  const row = (number: number, tier: string, says: string) => `  ${number} ${tier.padEnd(width)}  ${says}`;
  const rows = BINDING_TIERS.map((tier, index) => {
    const notes = route.considered.filter((note) => note.tier === tier);
    const says = notes.map((note) => `bindings[${note.binding}] ${WORDS[note.kind]}`).join(", ");
    return row(index + 1, tier, says || "–");
  });
  const isDefault = route.matchedBy === "default";
  return [...rows, row(BINDING_TIERS.length + 1, "default", isDefault ? `agent ${route.agentId}` : "–")];
}

function bindingLines(route: ResolvedAgentRoute, config: RoutingView): string[] {
  if (route.considered.length === 0) return ["There are no bindings."];
  return [
    "Bindings:",
    ...route.considered.map((note) => {
      const comment = config.bindings?.[note.binding]?.comment;
      const name = `[${note.binding}] → ${note.agentId || "nobody"}${comment ? ` (${comment})` : ""}`;
      return `  ${name}: ${WORDS[note.kind]}: ${note.why}`;
    }),
  ];
}

/** Ids may hold anything, line breaks included. */
function quote(id: string): string {
  return JSON.stringify(id);
}

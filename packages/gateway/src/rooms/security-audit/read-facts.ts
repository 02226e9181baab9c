// Reads from the configuration what checks of several parts want to know.
import type { GatheredFacts, SecurityFacts, Settings } from "@chela/sdk";
import { readText } from "../../base/settings/read-settings.ts";
import { commandFreedom, isSandboxedSomewhere, rulePlaces } from "./agents.ts";
import { channelPlaces, hasOpenPlaces } from "./channels.ts";

const LOOPBACK = /^(?:127(?:\.\d+){3}|::1|localhost)$/i;

export function readFacts(gathered: GatheredFacts): SecurityFacts {
  const { config } = gathered;
  const channels = channelPlaces(config);
  return {
    ...gathered,
    exposure: exposureOf(config),
    rules: rulePlaces(gathered),
    freedom: commandFreedom(gathered),
    isSandboxedSomewhere: isSandboxedSomewhere(gathered),
    channels,
    hasOpenPlaces: hasOpenPlaces(config, channels),
  };
}

function exposureOf(config: Settings): string | undefined {
  const tailscale = readText(config, "gateway.tailscale.mode");
  if (tailscale === "funnel" || tailscale === "serve") return `gateway.tailscale.mode is "${tailscale}"`;
  const bind = readText(config, "gateway.bind");
  if (bind === "lan" || bind === "tailnet") return `gateway.bind is "${bind}"`;
  const host = readText(config, "gateway.customBindHost") ?? "";
  return bind === "custom" && !LOOPBACK.test(host.trim()) ? `gateway.customBindHost is "${host.trim()}"` : undefined;
}

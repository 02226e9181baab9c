// The layers that decide about a tool: what they are called, and which key of the configuration changes them.
import type { InOtherWords, Sections } from "../../words/index.ts";
import { isObject, type JsonObject, type Path } from "../../settings/json-place.ts";
import { placeOf, writtenAgent } from "./written-agent.ts";

type AgentsWords = InOtherWords<Sections["agents"]>;

export function layerName(layer: string, words: AgentsWords): string {
  const texts: Readonly<Record<string, unknown>> = words;
  const name = texts[`layer_${layer}`];
  return typeof name === "string" ? name : layer;
}

/** What can be done about a layer's verdict. */
export function layerAdvice(layer: string, words: AgentsWords): string {
  switch (layer) {
    case "exists":
      return words.fix_exists;
    case "available":
      return words.fix_available;
    case "surface":
      return words.fix_surface;
    case "owner":
      return words.fix_owner;
    case "profile":
    case "provider-profile":
      return words.fix_profile;
    default:
      return words.fix_lists;
  }
}

/** The key to change; undefined when no key does it. */
export function layerKey(layer: string, parsed: unknown, agentId: string): Path | undefined {
  const place = placeOf(parsed, agentId);
  const own = place < 0 ? undefined : ["agents", "list", String(place), "tools"];
  const tools = toolsOf(writtenAgent(parsed, agentId));
  switch (layer) {
    case "profile":
      return own && "profile" in tools ? [...own, "profile"] : ["tools", "profile"];
    case "provider-profile":
    case "provider":
      return own && layer === "provider-profile" && "byProvider" in tools
        ? [...own, "byProvider"]
        : ["tools", "byProvider"];
    case "tools":
      return ["tools"];
    case "agent":
      return own ?? ["agents", "list"];
    case "agent-provider":
      return own ? [...own, "byProvider"] : ["agents", "list"];
    case "group":
      return ["channels"];
    case "sandbox":
      return own && "sandbox" in tools ? [...own, "sandbox"] : ["tools", "sandbox"];
    case "subagent":
      return ["tools", "subagents"];
    default:
      return undefined;
  }
}

function toolsOf({ tools }: JsonObject): JsonObject {
  return isObject(tools) ? tools : {};
}

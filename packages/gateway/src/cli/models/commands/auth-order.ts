// `chela models auth order …`: in which order the profiles of a provider are tried.
import { type CommandCall, CommandFailure } from "@chela/sdk/command-line";
import type { ModelsPlace } from "../with-models.ts";
import { readOrder, requireProvider, requireStored, withAgent } from "../models-credentials.ts";

export function get(call: CommandCall): Promise<number> {
  const { terminal, flags } = call;
  return withAgent(call, async (place) => {
    const provider = requireProvider(place, flags.text("provider"));
    const order = readOrder(place, provider);
    if (flags.has("json")) {
      terminal.printJson({
        agentId: place.agentId,
        provider,
        order: order?.ids ?? null,
        source: order?.source ?? null,
      });
    } else if (order) terminal.print(`${provider}: ${order.ids.join(", ")} (${order.source})`);
    else {
      terminal.print(`No order is set for ${provider}: what worked last is tried first,`);
      terminal.print("then subscriptions, then keys.");
    }
  });
}

export function set(call: CommandCall): Promise<number> {
  return withAgent(call, async (place) => {
    const provider = requireProvider(place, call.flags.text("provider"));
    const ids = [...new Set(call.args.flatMap((text) => text.split(",")))].filter(Boolean);
    for (const id of ids) refuseStranger(place, id, provider);
    await place.models.profiles.setOrder(place.agentId, provider, ids);
    call.terminal.print(`${provider} is tried in this order: ${ids.join(", ")}.`);
    const others = place.models.profiles
      .view(place.agentId)
      .filter((one) => one.origin === "file" && one.provider === provider && !ids.includes(one.id));
    if (others.length > 0) call.terminal.note(`Not used any more: ${others.map(({ id }) => id).join(", ")}.`);
  });
}

function refuseStranger(place: ModelsPlace, id: string, provider: string): void {
  const profile = requireStored(place, id);
  if (profile.provider === provider.toLowerCase()) return;
  throw new CommandFailure("other", `${id} is a profile of ${profile.provider}, not of ${provider}.`);
}

export function clear(call: CommandCall): Promise<number> {
  return withAgent(call, async (place) => {
    const provider = requireProvider(place, call.flags.text("provider"));
    await place.models.profiles.setOrder(place.agentId, provider, []);
    call.terminal.print(`The agent ${place.agentId} has no order of its own for ${provider} any more.`);
    const order = readOrder(place, provider);
    if (order) call.terminal.note(`auth.order of the configuration holds now: ${order.ids.join(", ")}.`);
  });
}

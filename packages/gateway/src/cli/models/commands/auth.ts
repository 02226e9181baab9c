// `chela models auth add | paste-token | remove | clear-cooldown`: keys and tokens of an agent, in its auth-profiles.json.
import { type CommandCall, usageFailure } from "@chela/sdk/command-line";
import { findProvider } from "../../../rooms/models/catalog.ts";
import { wrapText } from "../../../base/terminal/layout.ts";
import type { ModelsPlace } from "../with-models.ts";
import {
  authParts,
  chooseProfileId,
  providersOf,
  requireProvider,
  requireStored,
  storeProfile,
  withAgent,
} from "../models-credentials.ts";
import { askLine, readSecret } from "../../../base/terminal/secret-input.ts";

export function add(call: CommandCall, { input } = authParts()): Promise<number> {
  const { flags, terminal } = call;
  const parts = { terminal, input };
  return withAgent(call, async (place) => {
    const asked = flags.text("provider") ?? (input.isTTY ? await askProvider(place) : undefined);
    const provider = requireProvider(place, asked);
    requireKeys(place, provider);
    const id = chooseProfileId(provider, flags.text("profile-id"), "default");
    const key = await readSecret(`key of ${provider}`, parts);
    await storeProfile(place, id, { type: "api_key", provider, key }, call);
  });

  async function askProvider(place: ModelsPlace): Promise<string> {
    terminal.print(wrapText(`Providers: ${providersOf(place).join(", ")}`, terminal.columns));
    return askLine("Which provider?", parts);
  }
}

/** With an address of one's own in the configuration anything may be behind it. */
function requireKeys({ config }: ModelsPlace, provider: string): void {
  const entry = findProvider(config, provider);
  if (!entry?.known?.signsIn || entry.configured?.baseUrl) return;
  throw usageFailure(
    `${provider} has no keys: one signs in.`,
    `\`chela models auth login --provider ${provider}\` does that.`,
  );
}

export function pasteToken(call: CommandCall, { clock, input } = authParts()): Promise<number> {
  const { flags, terminal } = call;
  return withAgent(call, async (place) => {
    const provider = requireProvider(place, flags.text("provider"));
    const id = chooseProfileId(provider, flags.text("profile-id"), "manual");
    const lifetime = parseLifetime(flags.text("expires-in"));
    const token = await readSecret(`token of ${provider}`, { terminal, input });
    const expires = lifetime === undefined ? {} : { expires: clock.now() + lifetime };
    await storeProfile(place, id, { type: "token", provider, token, ...expires }, call);
  });
}

const HOUR_MS = 3_600_000;
const UNITS: Readonly<Record<string, number>> = {
  m: HOUR_MS / 60,
  h: HOUR_MS,
  d: 24 * HOUR_MS,
  w: 7 * 24 * HOUR_MS,
  y: 365 * 24 * HOUR_MS,
};

/** A bare number counts days. */
function parseLifetime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, amount, unit = "d"] = /^(\d{1,5})([mhdwy])?$/.exec(text.trim().toLowerCase()) ?? [];
  const lifetime = Number(amount) * (UNITS[unit] ?? 0);
  if (lifetime > 0) return lifetime;
  throw usageFailure(`--expires-in "${text}" is no length of time.`, "Write it as 365d, 12h, 30m, 8w or 1y.");
}

export function remove(call: CommandCall): Promise<number> {
  const [id = ""] = call.args;
  return withAgent(call, async (place) => {
    requireStored(place, id);
    await place.models.profiles.remove(place.agentId, id);
    call.terminal.print(`Removed the profile ${id} of the agent ${place.agentId}.`);
  });
}

export function clearCooldown(call: CommandCall): Promise<number> {
  const [id = ""] = call.args;
  return withAgent(call, async (place) => {
    const { state } = requireStored(place, id);
    await place.models.profiles.clearCooldown(place.agentId, id);
    const isResting = state.kind === "cooling" || state.kind === "disabled";
    call.terminal.print(isResting ? `${id} is tried again from now on.` : `${id} was not resting.`);
  });
}

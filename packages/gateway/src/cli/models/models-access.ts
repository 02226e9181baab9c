// Tells whether an agent can use a provider now, and by what; for commands about models.
import { formatTime } from "../../base/terminal/layout.ts";
import { findProvider } from "../../rooms/models/catalog.ts";
import { findKeys } from "../../rooms/models/credentials.ts";
import type { ProfileState } from "../../rooms/models/room.ts";
import type { ModelsPlace } from "./with-models.ts";

export type ProviderAccess =
  /** `by` is a profile, a variable or a place in the configuration; absent where no key is needed. */
  | { readonly kind: "usable"; readonly by?: string }
  | { readonly kind: "resting"; readonly by: string; readonly until: number }
  | { readonly kind: "missing"; readonly why: string };

type AccessSources = Pick<ModelsPlace, "config" | "env" | "agentId" | "models">;

export function accessTo({ config, env, agentId, models }: AccessSources, provider: string): ProviderAccess {
  const own = models.profiles.view(agentId).filter((profile) => profile.provider === provider.toLowerCase());
  const ready = own.find(({ state }) => state.kind === "ok");
  if (ready) return { kind: "usable", by: ready.origin === "file" ? ready.id : (ready.label ?? ready.id) };
  const resting = own.flatMap(({ id, state }) => ("until" in state ? [{ by: id, until: state.until }] : []));
  const [first] = resting.toSorted((a, b) => a.until - b.until);
  if (first) return { kind: "resting", ...first };
  const entry = findProvider(config, provider);
  const given = entry ? findKeys(entry, env) : undefined;
  if (given?.kind === "not-needed") return { kind: "usable" };
  const [spent] = own;
  if (spent) return { kind: "missing", why: `the profile ${spent.id} ${spentBecause(spent.state)}` };
  return { kind: "missing", why: given?.kind === "missing" ? given.why : `the provider "${provider}" is not known` };
}

function spentBecause(state: ProfileState): string {
  return state.kind === "expired" ? "has expired" : "is empty";
}

export function describeAccess(access: ProviderAccess): string {
  if (access.kind === "missing") return access.why;
  if (access.kind === "resting") return `${access.by} rests until ${formatTime(access.until)}`;
  return access.by === undefined ? "needs no key" : `key from ${access.by}`;
}

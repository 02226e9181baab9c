// Choices in a setup: providers in groups, models with the suggested one first.
import type { MethodAnswer } from "@chela/sdk/protocol";
import type { PickerChoice } from "../picker-choices.ts";

export type Provider = MethodAnswer<"setup.status">["providers"][number];
type Served = NonNullable<MethodAnswer<"setup.test">["models"]>[number];

/** Those most people have heard of. */
const WELL_KNOWN: readonly string[] = ["anthropic", "openai", "google", "openrouter"];

const KINDS = ["hosted", "local", "custom"] as const;

export interface ProviderGroup {
  readonly kind: Provider["kind"];
  readonly providers: readonly Provider[];
}

/** The well-known first, the others by name. */
export function groupProviders(providers: readonly Provider[]): ProviderGroup[] {
  const place = ({ id }: Provider): number => {
    const found = WELL_KNOWN.indexOf(id);
    return found < 0 ? WELL_KNOWN.length : found;
  };
  const ordered = providers.toSorted((a, b) => place(a) - place(b) || a.label.localeCompare(b.label));
  return KINDS.map((kind) => ({ kind, providers: ordered.filter((one) => one.kind === kind) })).filter(
    (group) => group.providers.length > 0,
  );
}

export function modelChoices(models: readonly Served[], suggested: string | undefined, hint: string): PickerChoice[] {
  const choices = models.map(({ id, name }): PickerChoice => {
    const says = [id === suggested ? hint : "", name === id ? "" : id].filter(Boolean).join(" · ");
    return { id, label: name, ...(says ? { hint: says } : {}) };
  });
  return choices.toSorted((a, b) => Number(b.id === suggested) - Number(a.id === suggested));
}

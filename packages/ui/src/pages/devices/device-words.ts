// Says in plain words what a device is and what it may do. Its own words about itself are shown as it gave them.
import type { MethodAnswer } from "@chela/sdk/protocol";
import type { InOtherWords, Sections } from "../../words/index.ts";

export type DeviceWords = InOtherWords<Sections["devices"]>;
export type WaitingDevice = MethodAnswer<"device.pair.list">["pending"][number];
export type PairedDevice = MethodAnswer<"device.pair.list">["paired"][number];

export function deviceName(
  words: DeviceWords,
  { displayName = "" }: { readonly displayName?: string | undefined },
): string {
  // A stranger chose it: it must not turn the sentence around it about.
  return displayName.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, "").trim() || words.unnamed;
}

/** "Control page · web": what it is and where it runs. */
export function deviceKind(
  words: DeviceWords,
  about: {
    readonly clientMode?: string | undefined;
    readonly platform?: string | undefined;
    readonly deviceFamily?: string | undefined;
  },
): string[] {
  const { clientMode, platform, deviceFamily } = about;
  return [clientMode ? wordOr(words, `mode_${clientMode}`, clientMode) : "", deviceFamily ?? "", platform ?? ""].filter(
    Boolean,
  );
}

export function rolesOf({ role, roles = [] }: Pick<WaitingDevice, "role" | "roles">): string[] {
  return [...new Set([...roles, ...(role ? [role] : [])])];
}

export function roleName(words: DeviceWords, role: string): string {
  return wordOr(words, `role_${role}`, role);
}

/** Who may do everything may do the rest, too, and who may write may read: what is implied is not worth a line. */
export function powersOf(scopes: readonly string[]): string[] {
  if (scopes.includes("operator.admin")) {
    return ["operator.admin", ...scopes.filter((scope) => !scope.startsWith("operator."))];
  }
  return scopes.filter((scope) => scope !== "operator.read" || !scopes.includes("operator.write"));
}

export function powerName(words: DeviceWords, scope: string): string {
  return wordOr(words, `scope_${scope}`, scope);
}

/** Short enough to compare by eye. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

function wordOr(words: DeviceWords, name: string, fallback: string): string {
  const word: unknown = Object.hasOwn(words, name) ? words[name as keyof DeviceWords] : undefined;
  return typeof word === "string" ? word : fallback;
}

// Form data of a credential, as the gateway takes it.
import type { MethodAnswer, MethodParams } from "@chela/sdk/protocol";

export type Credential = MethodAnswer<"credentials.list">["credentials"][number];
export type NewCredential = MethodParams<"credentials.add">;

/** Where the secret lies. */
export const KINDS = ["value", "env", "file", "exec", "keyring"] as const satisfies ReadonlyArray<Credential["kind"]>;
export type Kind = (typeof KINDS)[number];

/** Everything but the secret itself. */
export interface Draft {
  readonly service: string;
  readonly account: string;
  /** "" takes the one that is suggested. */
  readonly name: string;
  readonly kind: Kind;
}

/** A field of the form, by name. */
export type ReadField = (name: string) => string;

/** "telegram", or "openai/work" where there are several accounts. */
export function suggestedId({ service, account }: Pick<Draft, "service" | "account">): string {
  const [first, second] = [asId(service), asId(account)];
  return (second ? `${first}/${second}` : first).slice(0, 200);
}

function asId(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9._@+-]+/g, "-")
    .replaceAll(/^[^a-z0-9]+|-+$/g, "");
}

export function readCredential(draft: Draft, field: ReadField, before: Credential | undefined): NewCredential {
  const account = draft.account.trim();
  const origin = field("origin").trim();
  const capabilities = field("capabilities")
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean);
  return {
    id: before?.id ?? (draft.name.trim() || suggestedId(draft)),
    service: draft.service.trim(),
    ...(account ? { account } : {}),
    // One that was bound to nothing stays so.
    ...(origin ? { origin } : before && !before.origin ? { origin: "any" } : {}),
    ...(capabilities.length > 0 ? { capabilities } : {}),
    ...contentOf(draft.kind, field),
  };
}

function contentOf(kind: Kind, field: ReadField): Pick<NewCredential, Kind> {
  switch (kind) {
    case "value":
      // A line break that was copied along is never part of it.
      return { value: field("value").trim() };
    case "env":
      return { env: field("env").trim() };
    case "file":
      return { file: field("file").trim() };
    case "exec":
      return { exec: [field("program").trim(), ...field("arguments").split("\n").filter(Boolean)] };
    case "keyring":
      return { keyring: { service: field("keyringService").trim(), account: field("keyringAccount").trim() } };
  }
}

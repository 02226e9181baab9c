// A credential as a line for people, free of values. Pure.
import { defined } from "@chela/sdk/base";
import type { Pointer, StoredCredential } from "./entry.ts";
import type { CredentialView } from "./vault-types.ts";

export function viewOf(id: string, entry: StoredCredential): CredentialView {
  const { service, account, kind, pointer, capabilities, origin, status } = entry;
  const { verifiedAt, lastUsedAt, lastError, createdAt, updatedAt } = entry;
  return {
    id,
    service,
    kind,
    status,
    capabilities: capabilities ?? [],
    createdAt,
    updatedAt,
    ...defined({ account }),
    ...(pointer ? { points: describePointer(pointer) } : {}),
    ...defined({ origin, verifiedAt, lastUsedAt, lastError }),
  };
}

function describePointer(pointer: Pointer): string {
  switch (pointer.kind) {
    case "env":
      return pointer.name;
    case "file":
      return pointer.path;
    case "exec":
      return [pointer.command, ...pointer.args].join(" ");
    case "keyring":
      return `${pointer.service} ${pointer.account}`.trim();
  }
}

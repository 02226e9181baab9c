// A credential as a line for people, free of values. Pure.
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
    ...(account === undefined ? {} : { account }),
    ...(pointer ? { points: describePointer(pointer) } : {}),
    ...(origin === undefined ? {} : { origin }),
    ...(verifiedAt === undefined ? {} : { verifiedAt }),
    ...(lastUsedAt === undefined ? {} : { lastUsedAt }),
    ...(lastError === undefined ? {} : { lastError }),
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

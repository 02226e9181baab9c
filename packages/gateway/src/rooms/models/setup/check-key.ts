// Checks that a provider takes a key, by its list of models: that costs nothing.
import { GatewayError, type Secret } from "@chela/sdk";
import { describeModel } from "../catalog.ts";
import { accessWithKey } from "../profiles/access.ts";
import { listServed, type Served } from "./list-served.ts";
import type { SetupParts } from "./model-setup.ts";
import { readAddress } from "./read-address.ts";

export type KeyCheck =
  | { readonly kind: "good" }
  | { readonly kind: "refused"; readonly why: string }
  /** Nobody who could tell, for now or at all. */
  | { readonly kind: "unknown"; readonly why: string };

export async function checkKey(provider: string, key: Secret, parts: SetupParts): Promise<KeyCheck> {
  try {
    const { entry, baseUrl } = readAddress({ provider }, parts.config(), parts.env());
    const { api } = describeModel(entry, entry.known?.defaultModel ?? "any");
    if (!key.isFor(baseUrl)) {
      return { kind: "refused", why: `it is only for ${key.origin}, and ${provider} is reached at ${baseUrl}` };
    }
    const ask = (access: ReturnType<typeof accessWithKey> | undefined): Promise<Served> =>
      listServed({ api, baseUrl, access }, parts);
    const served = await ask(accessWithKey(provider, key));
    switch (served.kind) {
      case "refused":
        return { kind: "refused", why: `${provider} answered ${served.status}` };
      case "silent":
        return { kind: "unknown", why: `${baseUrl} did not answer` };
      case "unknown":
        return { kind: "unknown", why: `${provider} has no list of models that could be asked for` };
      case "list":
        // Some tell everybody, so that an answer says nothing about the key.
        return (await ask(undefined)).kind === "refused"
          ? { kind: "good" }
          : { kind: "unknown", why: `${provider} answers without a key too, so that nothing is proved` };
    }
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    return { kind: "unknown", why: error.detail };
  }
}

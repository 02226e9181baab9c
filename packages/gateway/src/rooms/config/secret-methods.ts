// Methods about secrets the configuration points to. They tell how many are missing, and never what one is.
import { isMissingSecret, loadConfigReference } from "./room.ts";
import { type SECRET_METHODS, invalid, type Handlers } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

export function secretMethods(gateway: House): Pick<Handlers, keyof typeof SECRET_METHODS> {
  return {
    "secrets.reload"() {
      gateway.config.refresh();
      const { issues, warnings } = gateway.config.snapshot();
      return { ok: true as const, warningCount: [...issues, ...warnings].filter(isMissingSecret).length };
    },

    async "secrets.resolve"({ targetIds }) {
      const places = await placesOfSecrets();
      const unknown = targetIds.find((id) => !places.has(id));
      if (unknown !== undefined) throw invalid(`invalid secrets.resolve params: unknown target id "${unknown}"`);
      return { ok: true as const, assignments: [], diagnostics: [], inactiveRefPaths: [] };
    },
  };
}

async function placesOfSecrets(): Promise<ReadonlySet<string>> {
  const { configReferenceRows } = await loadConfigReference();
  const secret = configReferenceRows().filter((row) => row.secret);
  return new Set(secret.map(({ path }) => path.replaceAll("<key>", "*")));
}

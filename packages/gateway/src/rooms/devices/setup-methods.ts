// The method that makes setup codes: an address and a one-time token, with which one device is paired without questions.
import { type DEVICE_SETUP_METHODS, invalid, type Handlers, holdsScope } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

const BOTH = ["node", "operator"] as const;

type SetupCodesHouse = Pick<House, "accessCodes" | "setupUrl">;

export function setupCodeMethods({
  accessCodes,
  setupUrl,
}: SetupCodesHouse): Pick<Handlers, keyof typeof DEVICE_SETUP_METHODS> {
  return {
    async "device.setup.create"({ name, role, url: asked }, { client }) {
      // Whoever may only pair gives no rights away that they do not have.
      if (!holdsScope(client.scopes, "operator.write")) throw invalid("missing scope: operator.write");
      const chosen = await setupUrl(asked);
      if (chosen.kind === "refused")
        throw invalid(`${chosen.why} ${chosen.fix}`, { code: "SETUP_URL", fix: chosen.fix });
      const roles = role ? [role] : BOTH;
      const grant = { kind: "setup" as const, roles, issuerScopes: client.scopes, ...(name ? { name } : {}) };
      const { code, expiresAtMs } = accessCodes.issue(client.deviceId, grant);
      const content = JSON.stringify({ url: chosen.url, bootstrapToken: code });
      return { setupCode: Buffer.from(content).toString("base64url"), url: chosen.url, expiresAtMs, roles };
    },
  };
}

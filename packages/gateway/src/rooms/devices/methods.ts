// Methods that pair devices and manage their tokens.
import { viewDevice, type RequestView } from "./room.ts";
import { type DEVICE_METHODS, holdsScope, invalid, type Handlers } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

type DeviceMethods = Pick<Handlers, keyof typeof DEVICE_METHODS>;

export function deviceMethods({ devices, nodes }: Pick<House, "devices" | "nodes">): DeviceMethods {
  /** Whoever may do less shows nobody out who may do more. */
  function refuseStronger(deviceId: string, scopes: readonly string[]): void {
    const device = devices.list().paired.find((one) => one.deviceId === deviceId);
    const missing = (device?.scopes ?? []).find((scope) => !holdsScope(scopes, scope));
    if (missing !== undefined) throw invalid(`missing scope: ${missing}`);
  }

  return {
    "device.pair.list": () => devices.list(),

    async "device.pair.approve"({ requestId }, call) {
      const request = devices.list().pending.find((one) => one.requestId === requestId);
      const isNode = request?.role === "node" || request?.roles?.includes("node");
      const node = request && isNode ? await readNode(request, call.client.scopes, nodes) : undefined;
      const outcome = call.withLastWord(() => devices.approve(requestId, call.client.scopes));
      if (outcome.kind === "unknown-request") throw invalid("unknown requestId");
      if (outcome.kind === "beyond-approver") throw invalid(`missing scope: ${outcome.missing}`);
      // Without this the node would be in, and offer nothing until somebody approves that.
      node?.grant();
      return { requestId, device: viewDevice(outcome.device) };
    },

    "device.pair.reject"({ requestId }) {
      const outcome = devices.reject(requestId);
      if (outcome.kind === "unknown-request") throw invalid("unknown requestId");
      return { requestId, deviceId: outcome.deviceId };
    },

    "device.pair.remove"({ deviceId }, call) {
      refuseStronger(deviceId, call.client.scopes);
      const outcome = call.withLastWord(() => devices.remove(deviceId));
      if (outcome.kind === "unknown-device") throw invalid("unknown deviceId");
      return { deviceId };
    },

    "device.token.rotate"({ deviceId, role, scopes }, call) {
      refuseStronger(deviceId, call.client.scopes);
      const asked = { callerScopes: call.client.scopes, ...(scopes ? { scopes } : {}) };
      const outcome = call.withLastWord(() => devices.rotateToken(deviceId, role, asked));
      switch (outcome.kind) {
        case "unknown-token":
          throw invalid("unknown deviceId/role");
        case "beyond-approved":
        case "beyond-caller":
          throw invalid(`missing scope: ${outcome.missing}`);
        case "rotated": {
          const { token, rotatedAtMs } = outcome;
          return { deviceId, role, token, scopes: outcome.scopes, rotatedAtMs };
        }
      }
    },

    "device.token.revoke"({ deviceId, role }, call) {
      refuseStronger(deviceId, call.client.scopes);
      const outcome = call.withLastWord(() => devices.revokeToken(deviceId, role));
      if (outcome.kind === "unknown-token") throw invalid("unknown deviceId/role");
      return { deviceId, role, revokedAtMs: outcome.revokedAtMs };
    },
  };
}

/** Whoever lets a node in approves what it offers, as it stands in the request. */
async function readNode(
  request: RequestView,
  scopes: readonly string[],
  nodes: House["nodes"],
): Promise<{ grant(): void }> {
  const room = await nodes();
  const { surface, powerful } = room.offerOf(request);
  if (powerful !== undefined && !holdsScope(scopes, "operator.admin")) {
    throw invalid("missing scope: operator.admin");
  }
  return { grant: () => void room.grant({ ...request, nodeId: request.deviceId }, surface) };
}

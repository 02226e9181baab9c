// Methods that pair devices and manage their tokens.
import { viewDevice } from "../../devices/room.ts";
import { invalid, type Handlers } from "../dispatch.ts";
import type { GatewayParts } from "../gateway-parts.ts";

type DeviceMethods = Pick<
  Handlers,
  | "device.pair.list"
  | "device.pair.approve"
  | "device.pair.reject"
  | "device.pair.remove"
  | "device.token.rotate"
  | "device.token.revoke"
>;

export function deviceMethods({ devices }: GatewayParts): DeviceMethods {
  return {
    "device.pair.list": () => devices.list(),

    "device.pair.approve"({ requestId }, call) {
      const outcome = devices.approve(requestId, call.client.scopes);
      if (outcome.kind === "unknown-request") throw invalid("unknown requestId");
      if (outcome.kind === "beyond-approver") throw invalid(`missing scope: ${outcome.missing}`);
      return { requestId, device: viewDevice(outcome.device) };
    },

    "device.pair.reject"({ requestId }) {
      const outcome = devices.reject(requestId);
      if (outcome.kind === "unknown-request") throw invalid("unknown requestId");
      return { requestId, deviceId: outcome.deviceId };
    },

    "device.pair.remove"({ deviceId }) {
      if (devices.remove(deviceId).kind === "unknown-device") throw invalid("unknown deviceId");
      return { deviceId };
    },

    "device.token.rotate"({ deviceId, role, scopes }, call) {
      const callerScopes = call.client.scopes;
      const outcome = devices.rotateToken(deviceId, role, { callerScopes, ...(scopes ? { scopes } : {}) });
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

    "device.token.revoke"({ deviceId, role }) {
      const outcome = devices.revokeToken(deviceId, role);
      if (outcome.kind === "unknown-token") throw invalid("unknown deviceId/role");
      return { deviceId, role, revokedAtMs: outcome.revokedAtMs };
    },
  };
}

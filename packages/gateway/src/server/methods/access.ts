// The method that makes one-time codes for browsers.
import { pageSettings } from "../../rooms/config/room.ts";
import { type ACCESS_METHODS, invalid, type Handlers } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

export function accessMethods({ accessCodes, config, paths }: House): Pick<Handlers, keyof typeof ACCESS_METHODS> {
  return {
    "access.code"(_params, { client }) {
      const { enabled, basePath } = pageSettings(config.current(), paths);
      if (!enabled) throw invalid("the control page is switched off (set gateway.controlUi.enabled to true)");
      return { ...accessCodes.issue(client.deviceId), basePath };
    },
  };
}

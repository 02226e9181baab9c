// Who a connected client is, in the words of the audit trail.
import type { Client } from "./live/hub.ts";

/** A device by its key; who came in with a secret alone, by how they proved it and which program they use. */
export function actorOf({ deviceId, method, info }: Pick<Client, "deviceId" | "method" | "info">): string {
  return deviceId === undefined ? `client:${method}:${info.id}` : `device:${deviceId}`;
}

// Offers the gateway's commands in a platform's own menu, unless the operator wants none there.
import { toGatewayError, type ChannelConnection, type Logger } from "@chela/sdk";
import { COMMANDS } from "../../rooms/commands/room.ts";
import type { ChelaConfig } from "../../rooms/config/room.ts";

export async function offerMenu(
  connection: ChannelConnection,
  { commands }: ChelaConfig,
  account: Readonly<Record<string, unknown>>,
  log: Logger,
): Promise<void> {
  const own = (account["commands"] as { native?: boolean | "auto" } | undefined)?.native;
  if (!connection.offerCommands || (own ?? commands?.native) === false) return;
  const isOn = (flag: "config" | "debug" | "restart"): boolean => commands?.[flag] ?? flag === "restart";
  const offered = COMMANDS.filter(({ flag }) => flag === undefined || isOn(flag));
  try {
    await connection.offerCommands(offered.map(({ name, help }) => ({ name, description: help })));
  } catch (error) {
    log.warn("the menu of commands could not be offered", { why: toGatewayError(error, "CHANNEL_OFFLINE").detail });
  }
}

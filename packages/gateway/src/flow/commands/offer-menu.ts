// Offers the gateway's commands in a platform's own menu, unless the operator wants none there.
import { toGatewayError, type ChannelConnection, type CommandRule, type Logger } from "@chela/sdk";
import type { ChelaConfig } from "../../rooms/config/room.ts";

export async function offerMenu(
  connection: ChannelConnection,
  table: () => Promise<ReadonlyArray<CommandRule & { readonly name: string; readonly help: string }>>,
  { commands }: ChelaConfig,
  account: Readonly<Record<string, unknown>>,
  log: Logger,
): Promise<void> {
  const own = (account["commands"] as { native?: boolean | "auto" } | undefined)?.native;
  if (!connection.offerCommands || (own ?? commands?.native) === false) return;
  const isOn = (flag: "config" | "debug" | "restart"): boolean => commands?.[flag] ?? flag === "restart";
  try {
    const offered = (await table()).filter(({ flag }) => flag === undefined || isOn(flag));
    await connection.offerCommands(offered.map(({ name, help }) => ({ name, description: help })));
  } catch (error) {
    log.warn("the menu of commands could not be offered", { why: toGatewayError(error, "CHANNEL_OFFLINE").detail });
  }
}

// Writes one account's part of the configuration; the gateway takes it up by itself.
import type { Wire } from "../../wire/wire.ts";
import { blockOf, type Block } from "./account-patch.ts";

/** `make` gets the channel's block as it is written now. Undefined from it means that nothing can be written. */
export async function changeAccount(
  wire: Wire,
  channel: string,
  make: (block: Block) => Block | null | undefined,
): Promise<boolean> {
  const { parsed, hash } = await wire.call("config.get", {});
  const patch = make(blockOf(parsed, channel));
  if (patch === undefined) return false;
  const raw = JSON.stringify({ channels: { [channel]: patch } });
  await wire.call("config.patch", { raw, baseHash: hash });
  return true;
}

// Asks before changes that were not saved are thrown away.
import type { World } from "../../app/world.ts";

export function askDiscard({ notices, words }: World): Promise<boolean> {
  const { discard, discardAsk } = words.of("config");
  return notices.ask({ title: discard, text: discardAsk, yes: discard, isDangerous: true });
}

// Changes the configuration on what it is now, not on what was on the screen.
import type { World } from "../../app/world.ts";
import { WireFailure } from "../../wire/failure.ts";

const ATTEMPTS = 2;

/** `make` gets the file as it is written now. Tells whether the gateway restarts because of it. */
export async function patchConfig(
  { wire, words }: World,
  make: (parsed: unknown) => object,
): Promise<{ restarts: boolean }> {
  for (let attempt = 1; ; attempt++) {
    const { parsed, hash, exists } = await wire.call("config.get", {});
    try {
      const raw = JSON.stringify(make(parsed));
      const result = await wire.call("config.patch", { raw, ...(exists ? { baseHash: hash } : {}) });
      return { restarts: result.restart?.applied?.restart ?? false };
    } catch (error) {
      const isOutdated = error instanceof WireFailure && error.message.startsWith("config changed since last load");
      if (isOutdated && attempt < ATTEMPTS) continue;
      const waitMs = error instanceof WireFailure ? error.retryAfterMs : undefined;
      throw waitMs === undefined ? error : new Error(words.of("agents").tooFast(Math.ceil(waitMs / 1000)));
    }
  }
}

// Changes what the configuration says about webhooks, on what it is now; secrets are made here and nowhere kept.
import type { World } from "../../app/world.ts";

export type HooksConfig = Readonly<Record<string, unknown>>;

const TOKEN_BYTES = 32;

/** `make` gets the block `hooks` as it is written now, and gives what is to be changed in it. */
export async function changeWebhooks({ wire }: World, make: (hooks: HooksConfig) => object): Promise<void> {
  const { parsed, hash, exists } = await wire.call("config.get", {});
  const raw = JSON.stringify({ hooks: make(recordOf(recordOf(parsed)["hooks"])) });
  await wire.call("config.patch", { raw, ...(exists ? { baseHash: hash } : {}) });
}

export function recordOf(value: unknown): HooksConfig {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as HooksConfig) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** Nobody guesses it. */
export function makeToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

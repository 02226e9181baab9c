// The gateway's own token: made on the first start, kept in the configuration where clients look for it.
import { join } from "node:path";
import type { Ids } from "@chela/sdk";
import { GatewayError } from "@chela/sdk/errors";
import { writeFileAtomic } from "@chela/sdk/files";
import type { LogSink } from "../../base/log.ts";
import type { ConfigStore } from "../../rooms/config/room.ts";
import type { GatewayAuth } from "../../server/auth/index.ts";

/** Where the token lies while the configuration cannot be written. */
export const TOKEN_FILE = "gateway-token";
const TOKEN_BYTES = 24;

export interface MadeToken {
  /** The file it was put into. */
  readonly madeIn: string;
  /** For this start only, where the configuration does not have it. */
  readonly token?: string;
}

/**
 * Makes a token when there is none. It is kept in the configuration, which stays the one place to change it; only when
 * that cannot be written is it returned, for this start. Never rewrites a configuration it could not read.
 */
export function ensureToken(
  auth: GatewayAuth,
  config: ConfigStore,
  parts: { readonly stateDir: string; readonly ids: Ids; readonly log: LogSink },
): MadeToken | undefined {
  if (auth.mode !== "token" || auth.token) return undefined;
  const token = parts.ids.secretHex(TOKEN_BYTES);
  parts.log.addSecret(token);
  const { source, exists } = config.snapshot();
  if (source === "file" || !exists) {
    try {
      config.setPath("gateway.auth.token", token);
      const madeIn = config.snapshot().path;
      parts.log.info("made a gateway token", { in: madeIn });
      return { madeIn };
    } catch (error) {
      if (!GatewayError.is(error)) throw error;
      parts.log.warn("the gateway token could not be kept in the configuration", { why: error.message });
    }
  }
  const path = join(parts.stateDir, TOKEN_FILE);
  writeFileAtomic(path, token);
  parts.log.warn("this start uses a token of its own, because the configuration has none that can be read", {
    in: path,
  });
  return { madeIn: path, token };
}

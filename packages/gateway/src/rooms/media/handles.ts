// Names for kept files that only work in the conversation they were made for, and that nobody can make up.
import { chmodSync, readFileSync } from "node:fs";
import { createHmac, timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import { Secret, GatewayError, type Ids } from "@chela/sdk";
import { errnoOf, writeFileAtomic } from "@chela/sdk/files";
import type { MediaHouse } from "./media-store.ts";

export interface Handles {
  /** `media:<id>.<mac>`. The same session and file always give the same. */
  mint(sessionKey: string, mediaId: string): string;
  /** The id behind a handle of this very session; undefined for anything else that may be written there. */
  read(sessionKey: string, handle: string): string | undefined;
}

const WELL_FORMED = /^media:([0-9a-f]{64})\.([0-9a-f]{16})$/;
const MAC_DIGITS = 16;

/** The key is read, or made, when it is first needed. */
export function createHandles({ paths, ids }: Pick<MediaHouse, "paths" | "ids">): Handles {
  const path = join(paths.stateDir, "credentials", "media.key");
  let key: Secret | undefined;
  const macOf = (sessionKey: string, mediaId: string): string => {
    key ??= readKey(path) ?? makeKey(path, ids);
    const mac = createHmac("sha256", Buffer.from(key.reveal(), "hex")).update(`${mediaId}\0${sessionKey}`);
    return mac.digest("hex").slice(0, MAC_DIGITS);
  };
  return {
    mint: (sessionKey, mediaId) => `media:${mediaId}.${macOf(sessionKey, mediaId)}`,
    read(sessionKey, handle) {
      const [, mediaId, mac] = WELL_FORMED.exec(handle) ?? [];
      if (mediaId === undefined || mac === undefined) return undefined;
      return timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(sessionKey, mediaId))) ? mediaId : undefined;
    },
  };
}

/** Undefined when there is none that can be used; a new one only means that older handles are no longer known. */
function readKey(path: string): Secret | undefined {
  try {
    const text = readFileSync(path, "utf8").trim();
    chmodSync(path, 0o600);
    return /^[0-9a-f]{64}$/.test(text) ? new Secret(text) : undefined;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw keyFailure(error);
  }
}

function makeKey(path: string, ids: Ids): Secret {
  const text = ids.secretHex(32);
  try {
    writeFileAtomic(path, `${text}\n`);
  } catch (error) {
    throw keyFailure(error);
  }
  return new Secret(text);
}

function keyFailure(error: unknown): GatewayError {
  const why = errnoOf(error) ?? "unknown reason";
  return new GatewayError("MEDIA_STORE", `credentials/media.key cannot be used (${why})`, { cause: error });
}

// Loads the WhatsApp library, which is heavy, when it is needed for the first time.
import { createRequire } from "node:module";
import type * as baileys from "baileys";
import { GatewayError } from "@chela/sdk";
import { hideSessionKeys } from "./library-log.ts";

export type Library = typeof baileys;

export async function loadLibrary(): Promise<Library> {
  try {
    const library = await import("baileys");
    // A package of the library's own, found from where the library lies.
    hideSessionKeys(createRequire(createRequire(import.meta.url).resolve("baileys"))("libsignal"));
    return library;
  } catch (error) {
    throw new GatewayError("CHANNEL_PACKAGE", "npm install baileys", { cause: error });
  }
}

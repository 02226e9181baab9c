// Looks at who is an owner before an agent runs, so that an owner who appears in a file later is known to be new.
import { readdirSync } from "node:fs";
import { errnoOf } from "@chela/sdk/files";
import type { AllowParts } from "./allow-store.ts";

export const ALLOW_FILE_END = "-allowFrom.json";
/** What is known of all files together: an owner in a file that appears later is as new as one in a file that was there. */
export const OWNERS = "credentials/*-allowFrom.json owners";

/** Without such a file nothing of the stores is loaded. */
export async function lookAtOwners(parts: AllowParts): Promise<void> {
  if (!hasFiles(parts.directory)) return void parts.believed.sift(OWNERS, []);
  const { AllowStore } = await import("./allow-store.ts");
  new AllowStore(parts).lookAtOwners();
}

function hasFiles(directory: string): boolean {
  try {
    return readdirSync(directory).some((name) => name.endsWith(ALLOW_FILE_END));
  } catch (error) {
    return errnoOf(error) !== "ENOENT";
  }
}

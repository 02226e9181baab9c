// Keeps Copilot's token in a private file.
import { readFileSync } from "node:fs";
import { writeFileAtomic } from "@chela/sdk/files";
import type { CopilotTokenStore } from "./copilot-tokens.ts";

export function openCopilotTokenFile(path: string): CopilotTokenStore {
  return {
    read() {
      try {
        return JSON.parse(readFileSync(path, "utf8")) as unknown;
      } catch {
        // Missing or damaged: a new token is asked for, and written over it.
        return undefined;
      }
    },
    write(kept) {
      writeFileAtomic(path, `${JSON.stringify(kept, null, 2)}\n`);
    },
  };
}

// Random names. Entry ids come from a block of randomness, because a turn needs several of them at once.
import { randomBytes, randomFillSync, randomUUID } from "node:crypto";
import type { Ids } from "@chela/sdk";

export function createIds(): Ids {
  const pool = Buffer.alloc(1024);
  let used = pool.length;
  return {
    uuid: () => randomUUID(),
    secretHex: (bytes) => randomBytes(bytes).toString("hex"),
    entryId() {
      if (used + 4 > pool.length) {
        randomFillSync(pool);
        used = 0;
      }
      const id = pool.toString("hex", used, used + 4);
      used += 4;
      return id;
    },
  };
}

/** Between 0 and 1. */
export function randomFraction(ids: Pick<Ids, "secretHex">): number {
  return Number.parseInt(ids.secretHex(4), 16) / 0xffffffff;
}

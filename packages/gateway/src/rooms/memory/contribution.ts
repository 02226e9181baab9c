// Contribution of the room memory.
import type { Contribution } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const contribution: Contribution<House> = {
  id: "memory",
  says: "Remembers notes and what conversations taught.",
  tools: [
    async (house) => (await import("./memory-tools.ts")).memorySearchTool(house),
    async (house) => (await import("./memory-tools.ts")).memoryGetTool(house),
  ],
};

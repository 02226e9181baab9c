// Contribution of the room memory.
import { methods, type Contribution } from "@chela/sdk";
import { MEMORY_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";
import { wakeMemory } from "./wake-memory.ts";

export const contribution: Contribution<House> = {
  id: "memory",
  says: "Remembers notes and what conversations taught.",
  methods: [methods(MEMORY_METHODS, async (house: House) => (await import("./methods.ts")).memoryMethods(house))],
  services: [{ open: async (house) => wakeMemory(house) }],
  tools: [
    async (house) => (await import("./memory-tools.ts")).memorySearchTool(house),
    async (house) => (await import("./memory-tools.ts")).memoryGetTool(house),
  ],
  cli: async () => (await import("./cli/commands.ts")).commands,
};

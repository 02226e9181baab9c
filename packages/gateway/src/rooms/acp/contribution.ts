// Contribution of the room acp.
import { methods, type Contribution } from "@chela/sdk";
import { EDITOR_METHODS } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";
import { leftWorkers } from "./workers/left-workers.ts";

const editorTools = () => import("./editors/editor-tools.ts");

export const contribution: Contribution<House> = {
  id: "acp",
  says: "Speaks the Agent Client Protocol: with editors, and with other agents.",
  methods: [
    methods(EDITOR_METHODS, async (house: House) => (await import("./editors/methods.ts")).editorMethods(house)),
  ],
  tools: [
    async (house) => (await editorTools()).editorReadTool(await house.editors()),
    async (house) => (await editorTools()).editorWriteTool(await house.editors()),
    async (house) => (await editorTools()).editorEditTool(await house.editors()),
    async (house) => (await editorTools()).editorRunTool(await house.editors()),
    async (house) => (await editorTools()).editorPlanTool(await house.editors()),
  ],
  services: [{ isNeeded: ({ ledger }) => leftWorkers(ledger), open: (house) => house.acpWorkers() }],
  commands: async () => (await import("./chat-commands.ts")).commands,
};

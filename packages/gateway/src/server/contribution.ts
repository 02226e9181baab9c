// Contribution of the door itself: methods about clients, and about what several rooms know together.
import { methods, type Contribution } from "@chela/sdk";
import {
  ACCESS_METHODS,
  AGENT_METHODS,
  CHAT_METHODS,
  CONVERSATION_METHODS,
  HEALTH_METHODS,
  LOG_METHODS,
  PRESENCE_METHODS,
  SESSION_LIVE_METHODS,
  STATUS_METHODS,
} from "@chela/sdk/protocol";
import type { House } from "../house/house.ts";
import { agentMethods } from "./methods/agent.ts";
import { SERVER_ROUTES } from "./http/routes.ts";
import { chatMethods } from "./methods/chat.ts";

export const contribution: Contribution<House> = {
  id: "server",
  says: "Lets clients in over one port, and tells them what happens.",
  methods: [
    // Part of every start: nearly every client calls them.
    methods(AGENT_METHODS, async (house: House) => agentMethods(house), { isLoadedFirst: true }),
    methods(CHAT_METHODS, async (house: House) => chatMethods(house), { isLoadedFirst: true }),
    methods({ ...HEALTH_METHODS, ...PRESENCE_METHODS }, async (house: House) =>
      (await import("./methods/system.ts")).systemMethods(house),
    ),
    methods(STATUS_METHODS, async (house: House) => (await import("./methods/status.ts")).statusMethods(house)),
    methods(LOG_METHODS, async (house: House) => (await import("./methods/logs.ts")).logMethods(house)),
    methods(ACCESS_METHODS, async (house: House) => (await import("./methods/access.ts")).accessMethods(house)),
    methods(CONVERSATION_METHODS, async (house: House) =>
      (await import("./methods/conversation.ts")).conversationMethods(house),
    ),
    methods(SESSION_LIVE_METHODS, async (house: House) =>
      (await import("./methods/session-live.ts")).sessionLiveMethods(house),
    ),
  ],
  routes: SERVER_ROUTES,
  securityChecks: async () => (await import("./security-checks/index.ts")).checks,
};

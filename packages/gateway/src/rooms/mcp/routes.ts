// HTTP routes of MCP: the gateway as a server, and where browsers are sent back to after a sign-in at somebody else's.
import type { HttpRoute } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export const MCP_ROUTES: ReadonlyArray<HttpRoute<House>> = [
  {
    methods: ["POST", "GET", "DELETE"],
    path: "/mcp",
    auth: "bearer",
    handle: async (call, house) => (await import("./serve/http-door.ts")).answerOverHttp(call, house),
  },
  {
    methods: ["GET"],
    path: "/mcp/oauth/callback",
    // Whoever comes back shows the state of a sign-in that somebody here began.
    auth: "own-secret",
    handle: async (call, house) => (await import("./oauth/callback.ts")).answerCallback(call, house),
  },
];

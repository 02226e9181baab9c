// The room of MCP. It owns the servers agents may use, what of them was approved, how they live, and what others may use of us.
export { Questions } from "./questions.ts";
export { McpServers, type ServerStatus } from "./servers.ts";
export { SignIns } from "./sign-ins.ts";
export { exchangeBy } from "./wire/http-wire.ts";

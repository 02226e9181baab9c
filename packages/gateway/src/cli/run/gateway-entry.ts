// Entry of the gateway's own bundle for the command line: the gateway, and its house while it does not run.
export { run } from "./run-command.ts";

export const loadOffline = () => import("../offline/answer-offline.ts");

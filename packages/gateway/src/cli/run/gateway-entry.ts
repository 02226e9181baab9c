// What the command line loads of the gateway's own bundle: the gateway, and its house while it does not run.
export { run } from "./run-command.ts";

export const loadOffline = () => import("../offline/answer-offline.ts");

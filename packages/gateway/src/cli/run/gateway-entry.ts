// Entry of the gateway's own bundle for the command line: the gateway, its house while it does not run, and who examines both.
export { run } from "./run-command.ts";

export const loadOffline = () => import("../offline/answer-offline.ts");

export const loadDoctor = () => import("../doctor/run-checks.ts");

// ACP: the Agent Client Protocol. Owns: the agent an editor talks to over stdio (bridge/), the files and terminals editors lend to
// conversations (editors/), other agents that answer in place of a model (workers/), and the frames all of them are written in (wire/).
export { findWorker, workerFor, type WorkerChoice } from "./workers/settings.ts";
export type { Workers } from "./workers/workers.ts";

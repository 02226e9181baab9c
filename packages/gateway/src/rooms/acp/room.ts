// ACP: the Agent Client Protocol. Owns: the agent an editor talks to over stdio (bridge/), the files and terminals editors lend to
// conversations (editors/), and the frames both are written in (wire/).
export type { Editors } from "./editors/editors.ts";

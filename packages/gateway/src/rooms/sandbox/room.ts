// The room of sandboxes. It owns which conversations are kept in one, what each of them sees, and the backends.
export { Sandboxes, type SandboxEvent, type SandboxesHouse, type SandboxesParts } from "./sandboxes.ts";
export { accessOf, AS_OWNER } from "./need.ts";
export { findProgram, isBubblewrapInstalled } from "./bubblewrap/find-program.ts";

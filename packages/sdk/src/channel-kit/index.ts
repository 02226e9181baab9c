// Helpers for channels between the platform and `host.receive`: tries until it is accepted, recent ids, what is
// kept over a restart, what is under way, private files. Order within a chat: `OneAtATime` of the sdk.
export { untilAccepted, type Handed } from "./until-accepted.ts";
export { Recent, RecentIds } from "./recent.ts";
export { UnderWay } from "./under-way.ts";
export { Noted, recallAs, type NotedOptions } from "./noted.ts";
export { isMissing, readIfThere, writePrivateFile } from "./private-file.ts";

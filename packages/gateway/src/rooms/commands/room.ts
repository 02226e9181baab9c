// The commands room owns the words that steer the gateway instead of reaching a model: what of a message is one, who may say
// it, and carrying it out. What there is of them is contributed by all rooms.
export { may } from "./authorise.ts";
export type { SessionDefaults } from "./defaults.ts";
export { describeCommands } from "./describe.ts";
export { createCommands, type CommandOutcome, type Commands } from "./front.ts";
export type { CommandCall, Recognition } from "./recognise.ts";

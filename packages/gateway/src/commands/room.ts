// The commands room owns the words that steer the gateway instead of reaching a model. It is pure.
export { matchCommand, type CommandMatch } from "./match.ts";

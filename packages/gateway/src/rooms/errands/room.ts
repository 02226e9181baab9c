// Errands: work nobody typed, from the moment it is due until its result has arrived. Owns: the walk of an errand through
// its states, what is taken up after a crash, and that nothing of it happens twice. What an errand is about belongs to its kind.
export { createErrands, type Errands } from "./errands.ts";

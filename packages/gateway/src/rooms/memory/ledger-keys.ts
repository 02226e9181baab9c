// The names under which memory keeps values in the ledger.

/** With the agent's id behind it: what prompts are told of what was learned. */
export const BLOCK_KEY = "memory-block:";
/** The same: hashes of what was forgotten. */
export const TOMBS_KEY = "memory-forgotten:";
/** The same: the tokens a model was given today for reading. */
export const SPENT_KEY = "memory-spent:";
/** The mark of the deletions that every memory knows of. */
export const DELETIONS_KEY = "memory-deletions";

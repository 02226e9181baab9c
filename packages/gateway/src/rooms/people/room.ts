// The people room owns who is who: one human over all their ids, what role they were given, and how much they may ask for.
// Its directory is asked with every message and lives in memory; what changes it is loaded when somebody changes it.
export type { PersonDraft, PeopleOutcome } from "./change-people.ts";
export { People } from "./directory.ts";
export { findPerson } from "./find-person.ts";
export { MessageQuotas, type OverQuota, type UsedMessages } from "./quotas.ts";
export type { PersonSuggestion } from "./suggest.ts";

/** What changes people, and what is suggested for them. */
export async function loadPeopleChanges() {
  const [{ PeopleChanges }, { suggestPeople }] = await Promise.all([
    import("./change-people.ts"),
    import("./suggest.ts"),
  ]);
  return { PeopleChanges, suggestPeople };
}

// Commands about what agents remember: notes, their index, what conversations taught, and forgetting.
import { type CommandSpec, type FlagSpec, RPC_FLAGS } from "@chela/sdk/command-line";

const care = () => import("./memory.ts");
const recall = () => import("./memory-recall.ts");

const ONE_AGENT: FlagSpec = { name: "agent", value: "id", help: "Of this agent; of the default one unless told" };
const ANY_AGENT: FlagSpec = {
  name: "agent",
  value: "id",
  help: "Only of this agent; of all with a memory unless told",
};
const VERBOSE: FlagSpec = {
  name: "verbose",
  help: "Tell more",
  unused: "--verbose has no effect: all there is to tell is told.",
};
/** A model is loaded and files are read first, which may take longer than other questions. */
const FLAGS = RPC_FLAGS.map((flag) => (flag.name === "timeout" ? { ...flag, preset: "60000" } : flag));
/** These take as long as they take. */
const PATIENT_FLAGS = RPC_FLAGS.map((flag) => (flag.name === "timeout" ? { ...flag, preset: "none" } : flag));

export const commands: readonly CommandSpec[] = [
  { path: ["memory"], summary: "What agents remember: notes, what was said, and how it is found" },
  {
    path: ["memory", "status"],
    summary: "How much is remembered, who makes vectors, and what is wrong",
    flags: [
      ANY_AGENT,
      { name: "deep", help: "Also try whether texts can be turned into vectors" },
      { name: "index", help: "Bring the index up to date first" },
      VERBOSE,
      ...FLAGS,
    ],
    load: async () => (await care()).status,
  },
  {
    path: ["memory", "search"],
    summary: "Find notes, and what was said, by meaning and by words",
    args: [{ name: "words", isOptional: true, repeats: true, help: "A question or words, in any language" }],
    flags: [
      { name: "query", value: "text", help: "The same, for scripts" },
      ONE_AGENT,
      { name: "max-results", value: "count", kind: "number", help: "At most this many, 100 at most" },
      { name: "min-score", value: "score", help: "Only what fits at least this well, from 0 to 1" },
      ...FLAGS,
    ],
    load: async () => (await recall()).search,
  },
  {
    path: ["memory", "index"],
    summary: "Read new and changed notes now",
    flags: [ANY_AGENT, { name: "force", help: "Read every note again" }, VERBOSE, ...PATIENT_FLAGS],
    load: async () => (await care()).index,
  },
  {
    path: ["memory", "rebuild"],
    summary: "Make the index anew, from notes and conversations",
    flags: [
      ANY_AGENT,
      { name: "notes", help: "Only what is made from notes" },
      { name: "learned", help: "Only what is made from conversations" },
      { name: "no-wait", help: "Do not wait for its end" },
      ...PATIENT_FLAGS,
    ],
    load: async () => (await care()).rebuild,
  },
  {
    path: ["memory", "doctor"],
    summary: "Look whether the index is whole and agrees with the notes",
    flags: [ANY_AGENT, { name: "fix", help: "Mend what is not" }, ...PATIENT_FLAGS],
    load: async () => (await care()).doctor,
  },
  {
    path: ["memory", "facts"],
    summary: "What an agent learned from conversations, and where it was said",
    flags: [
      { name: "about", value: "subject", help: "Only about this person, thing or topic" },
      { name: "person", value: "name", help: "Only what this person said" },
      { name: "session", value: "key", help: "Only from this conversation" },
      {
        name: "kind",
        value: "kind",
        choices: ["entity", "topic", "decision", "preference", "date"],
        help: "Only of this kind",
      },
      { name: "search", value: "text", help: "Only with this text in it" },
      { name: "limit", value: "count", kind: "number", preset: "50", help: "At most this many, 500 at most" },
      ONE_AGENT,
      ...FLAGS,
    ],
    load: async () => (await recall()).facts,
  },
  {
    path: ["memory", "forget"],
    summary: "Forget a fact, a person, a subject or a session, and keep it forgotten",
    args: [{ name: "what", repeats: true, help: "fact:<id>, person:<name>, subject:<name> or session:<key>" }],
    flags: [{ name: "yes", help: "Do not ask first" }, ONE_AGENT, ...FLAGS],
    load: async () => (await recall()).forget,
  },
];

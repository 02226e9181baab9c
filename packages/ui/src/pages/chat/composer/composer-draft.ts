// Drafts of unsent messages, by conversation: the words outlive the page, the files stay in its memory.
import { Live } from "../../../state/live.ts";
import { DraftFiles } from "./draft-files.ts";

const STORE = "chela.draft.";

export class Draft {
  readonly text: Live<string>;
  readonly files = new DraftFiles();
  readonly #name: string;

  constructor(sessionKey: string) {
    this.#name = STORE + sessionKey;
    this.text = new Live(read(this.#name));
  }

  get isEmpty(): boolean {
    return this.text.value.trim() === "" && this.files.all.value.length === 0;
  }

  write(text: string): void {
    this.text.set(text);
    try {
      if (text === "") localStorage.removeItem(this.#name);
      else localStorage.setItem(this.#name, text);
    } catch {
      // A browser that keeps nothing does not keep anybody from writing.
    }
  }
}

function read(name: string): string {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

const drafts = new Map<string, Draft>();

/** The draft of a conversation is still there when somebody comes back from another page. */
export function draftOf(sessionKey: string): Draft {
  const draft = drafts.get(sessionKey) ?? new Draft(sessionKey);
  drafts.set(sessionKey, draft);
  return draft;
}

// Changes the file of approvals: on what it is now, not on what was on the screen.
import { WireFailure } from "../../wire/failure.ts";
import type { Wire } from "../../wire/wire.ts";
import type { RuleBook } from "./rule-book.ts";

/** An answer "always allow" changes the file too, at any moment. */
const ATTEMPTS = 3;

/** `change` gets the newest book; it returns nothing if the change makes no sense on it. False if so. */
export async function changeBook(wire: Wire, change: (book: RuleBook) => RuleBook | undefined): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const { file, hash } = await wire.call("exec.approvals.get", {});
    const changed = change(file);
    if (!changed) return false;
    try {
      await wire.call("exec.approvals.set", { file: changed, baseHash: hash });
      return true;
    } catch (error) {
      if (!isOutdated(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

function isOutdated(error: unknown): boolean {
  return error instanceof WireFailure && error.message.includes("changed since last load");
}

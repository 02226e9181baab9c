// Places of the configuration a message must not change: somebody at the machine does.
import { parsePath } from "./edit/path.ts";
import { guardsSafety } from "./key-facts.ts";

/** A place is guarded with all that is in it, and so is whatever holds one. Throws CONFIG_INVALID when it is none. */
export function isGuardedPlace(written: string): boolean {
  return guardsSafety(parsePath(written));
}

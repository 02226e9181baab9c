// Which places of the configuration a message must not change: somebody at the machine does.
import { guardsSafety, parsePath } from "../../rooms/config/room.ts";

/** A place is guarded with all that is in it, and so is whatever holds one. Throws CONFIG_INVALID when it is none. */
export function isGuardedPlace(written: string): boolean {
  return guardsSafety(parsePath(written));
}

// Actions on an account that the page opens a window for.
import type { AccountName } from "./accounts-of.ts";

/** Told by the event "account-wish". */
export interface AccountWish extends AccountName {
  readonly kind: "link" | "relink" | "test" | "edit";
}

// Refusals of changes of the configuration, in the form clients know.
import { GatewayError } from "../errors.ts";
import { invalid } from "./handlers.ts";

/** What clients are told of a change that was made from an old configuration; they know how it begins. */
export const CHANGED_MEANWHILE =
  "config changed since last load; somebody changed it meanwhile, so read it again with config.get and repeat the change";

/** What is wrong with a change. */
export function asInvalid(error: unknown): unknown {
  if (!GatewayError.is(error)) return error;
  if (error.code === "CONFIG_CHANGED") return invalid(CHANGED_MEANWHILE);
  if (error.row.retry !== "never") return error;
  const issues: unknown = error.cause instanceof Object && "issues" in error.cause ? error.cause.issues : [];
  return invalid(`invalid config: ${error.detail}`, { issues });
}

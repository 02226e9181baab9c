// `chela config get`: one value of the configuration in use. Numbers and switches are read the short way; a text may be
// a secret, and only the schema knows.
import type { CommandCall } from "@chela/sdk/command-line";
import { openStateDirectory } from "../../rooms/config/state/legacy-state.ts";
import { parsePath, valueAt } from "../../rooms/config/edit/path.ts";
import { readKnown } from "../connect/known-settings.ts";

export async function run(call: CommandCall): Promise<number> {
  const [text = ""] = call.args;
  const path = parsePath(text);
  const { paths } = openStateDirectory(call.env, call.state);
  const value = valueAt(readKnown(paths, call.env)?.config, path);
  if (typeof value === "number" || typeof value === "boolean") {
    call.terminal.print(String(value));
    return 0;
  }
  const { getChecked } = await import("./config.ts");
  return getChecked(call, paths, text);
}

// `chela sessions list --deleted` and `chela sessions restore`: conversations of the past.
import { type CommandCall, usageFailure } from "@chela/sdk/command-line";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { cleanForTerminal, count, formatAge, formatTable } from "../../../base/terminal/layout.ts";

type Deleted = MethodAnswer<"sessions.deleted">;

/** Enough to tell ids apart. */
const SHOWN_ID = 8;

export async function listDeleted(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  const limit = flags.number("limit");
  const listed = await call.gateway.call("sessions.deleted", limit ? { limit } : {});
  if (flags.has("json")) terminal.printJson(listed);
  else for (const line of describeDeleted(listed, call)) terminal.print(line);
  return 0;
}

export async function restore(call: CommandCall): Promise<number> {
  const [written = ""] = call.args;
  const id = await findId(call, written);
  const replace = call.flags.has("replace");
  const restored = await call.gateway.call("sessions.restore", { id, ...(replace ? { replace } : {}) });
  if (call.flags.has("json")) {
    call.terminal.printJson(restored);
    return 0;
  }
  call.terminal.print(`${cleanForTerminal(restored.key)} is back.`);
  const { lostLabel } = restored;
  if (lostLabel) call.terminal.print(`Its label "${cleanForTerminal(lostLabel)}" belongs to another session now.`);
  return 0;
}

/** A beginning is enough when it fits one only. */
async function findId(call: CommandCall, written: string): Promise<string> {
  const { sessions } = await call.gateway.call("sessions.deleted", { search: written, limit: 200 });
  const fitting = sessions.filter(({ id }) => id.startsWith(written));
  if (fitting.length > 1 && !fitting.some(({ id }) => id === written)) {
    throw usageFailure(`"${written}" fits ${count(fitting.length, "conversation")}: write more of the id.`);
  }
  return fitting.find(({ id }) => id === written)?.id ?? fitting[0]?.id ?? written;
}

function describeDeleted({ ts, total, sessions }: Deleted, { terminal: { style } }: CommandCall): string[] {
  if (sessions.length === 0) return ["Nothing was deleted or started anew."];
  const head = ["ID", "KEY", "ENDED", "HOW", "LAST WORDS"].map((name) => style.dim(name));
  const rows = sessions.map(({ id, key, label, deletedAt, reason, preview }) => [
    id.slice(0, SHOWN_ID),
    cleanForTerminal(label ? `${key} (${label})` : key),
    formatAge(ts - deletedAt),
    reason === "deleted" ? "deleted" : "started anew",
    cleanForTerminal((preview ?? "").replace(/\s+/g, " ")).slice(0, 60),
  ]);
  const more = total > sessions.length ? [style.dim(`${sessions.length} of ${total}; --limit shows more.`)] : [];
  return [...formatTable([head, ...rows]), ...more, style.dim("Bring one back with: chela sessions restore <id>")];
}

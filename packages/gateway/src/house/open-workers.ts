// Opens the workers: other agents, with the sandboxes they may be kept in and the people who are asked for them.
import type { House } from "./house.ts";
import { createWorkers, endLeftBehind, type WorkersHouse } from "../rooms/acp/workers/workers.ts";
import type { Workers } from "../rooms/acp/room.ts";

type NeededHouse = Pick<
  House,
  "clock" | "log" | "ledger" | "config" | "version" | "workspaceOf" | "paths" | "sandboxes" | "exec"
>;

export async function openWorkers(house: NeededHouse): Promise<Workers> {
  const { clock, log, ledger, config, version, workspaceOf, sandboxes } = house;
  await endLeftBehind({ ledger, log });
  const ask: WorkersHouse["ask"] = async (question, signal) => {
    const { approvals } = await house.exec();
    const { approval, outcome } = await approvals.request(question);
    const takeBack = (): void => {
      if (approvals.list().some(({ id }) => id === approval.id)) approvals.resolve(approval.id, "deny", "withdrawn");
    };
    signal.addEventListener("abort", takeBack, { once: true });
    if (signal.aborted) takeBack();
    try {
      return (await outcome).decision;
    } finally {
      signal.removeEventListener("abort", takeBack);
    }
  };
  return createWorkers({
    clock,
    log,
    ledger,
    config,
    version,
    home: house.paths.home,
    workspaceOf,
    enterSandbox: (subject) => sandboxes.enter(subject),
    ask,
  });
}

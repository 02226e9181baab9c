// Runs: which there were, and how one came about.
import type { RunQuery, RunRecord } from "@chela/sdk";
import { type RUN_METHODS, invalid, type Handlers } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";
import { explainRun } from "./explain-run.ts";
import { toRunRow } from "./list-runs.ts";

const MOST_FOUND = 5;
const USUAL_LIMIT = 50;

export function runMethods(gateway: House): Pick<Handlers, keyof typeof RUN_METHODS> {
  const { ledger, clock } = gateway;
  return {
    async "runs.list"({ limit = USUAL_LIMIT, ...wanted }) {
      const named = Object.entries(wanted).filter(([, value]) => value !== undefined);
      const query: RunQuery = { limit, ...(Object.fromEntries(named) as Omit<RunQuery, "limit">) };
      return { runs: (await ledger.runs(query)).map(toRunRow) };
    },

    async "runs.explain"({ id }) {
      const run = await findRun(gateway, id.trim());
      await gateway.outbox.flush();
      return explainRun(ledger, run, clock.now());
    },
  };
}

async function findRun({ ledger }: House, id: string): Promise<RunRecord> {
  const found = id === "" ? [] : await ledger.findRuns(id, MOST_FOUND);
  const exact = found.filter(({ message }) => message.runId === id || message.messageId === id);
  const [only, another] = exact.length > 0 ? exact : found;
  if (!only) {
    throw invalid(
      `There is no run or message "${id}". \`chela agent --json\` prints the id of its run, and \`chela logs\` those of all others.`,
    );
  }
  // A message id may have been used on several channels; the newest is meant.
  if (another && exact.length === 0) {
    const ids = found.map(({ message }) => message.runId).join(", ");
    throw invalid(`"${id}" is the start of several runs; write more of one: ${ids}`);
  }
  return only;
}

// The light part of jobs that is there in every gateway: it looks whether there are any, and opens the rest when there are.
import type { ErrandDelivered, ErrandRecord } from "@chela/sdk";
import { cronSettings } from "../../rooms/config/room.ts";
import { needsCron } from "../../rooms/cron/is-needed.ts";
import { COMMANDS_OF_JOBS } from "../../rooms/cron/store/believed-commands.ts";
import type { Cron } from "../../rooms/cron/room.ts";
import type { OwnWorkHouse } from "./start-stop.ts";
import { lazy } from "../../base/lazy.ts";

export interface CronStarter {
  /** Waits until what an earlier process left was taken up. */
  open(): Promise<Cron>;
  /** Those who only look need not open anything where there are none. */
  hasJobs(): Promise<boolean>;
  /** Posts what came of an errand to a page. Undefined when the gateway stops before it is known. */
  post(errand: ErrandRecord, url: string): Promise<ErrandDelivered | undefined>;
  /** Before errands are taken up: those of jobs need somebody who carries them out. */
  prepare(): Promise<void>;
  /** Afterwards: now jobs may run. */
  start(): Promise<void>;
  /** Before errands are closed. */
  stop(): Promise<void>;
  /** Afterwards. */
  close(): Promise<void>;
}

export function createCronStarter(house: OwnWorkHouse): CronStarter {
  const { ledger, config, paths } = house;
  const ready = Promise.withResolvers<void>();
  const closing = new AbortController();
  let isStarted = false;
  let watching: Disposable | undefined;
  const side = lazy(async () => {
    const made = await (await import("./cron.ts")).openCron(house);
    if (isStarted) begin(made.cron);
    return made;
  });

  function begin(cron: Cron): void {
    if (watching) return;
    cron.start();
    watching = config.watch((report) => {
      if (report.kind === "applied" && report.plan.changed.some((path) => path.startsWith("cron"))) cron.apply();
    });
  }

  async function isNeeded(): Promise<boolean> {
    const { storePath } = cronSettings(config.current(), config.effectiveEnv(), paths);
    return needsCron(ledger, storePath);
  }

  return {
    async open() {
      await ready.promise;
      return (await side()).cron;
    },
    hasJobs: async () => side.known() !== undefined || (await ledger.jobs()).length > 0,
    post: async (errand, url) => (await side()).post(errand, url, closing.signal),
    async prepare() {
      if (await isNeeded()) await side();
      // Looked at before an agent runs: what appears in the file later is known to be new.
      house.believed.sift(COMMANDS_OF_JOBS, []);
    },
    async start() {
      isStarted = true;
      ready.resolve();
      const made = await side.known();
      if (made) begin(made.cron);
    },
    async stop() {
      await (await side.known())?.cron.stop();
    },
    async close() {
      closing.abort();
      watching?.[Symbol.dispose]();
      await (await side.known())?.cron.close();
    },
  };
}

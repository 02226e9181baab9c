// Security checks about jobs: who can read their results on the way.
import type { SecurityCheck, SecurityWeakness } from "@chela/sdk";
import { readText } from "../../base/settings/read-settings.ts";
import { readableOnTheWay } from "../../base/http/readable-on-the-way.ts";

const checkJobs: SecurityCheck["look"] = ({ config, jobs }) => {
  const all = [{ id: "cron.webhook", name: "cron.webhook", urls: [readText(config, "cron.webhook") ?? ""] }, ...jobs];
  return all.flatMap(({ id, name, urls }) =>
    urls.flatMap((url): SecurityWeakness[] => {
      const seen = readableOnTheWay(url);
      if (!seen) return [];
      return [
        {
          id: `job-plain-http:${id}`,
          severity: seen.severity,
          title: "Results of a job are sent unencrypted",
          risk: `Everybody on the way to ${seen.host} can read them.`,
          where: id === name ? id : `the job "${name}" (${id})`,
          fix: "Use an address that begins with https://.",
        },
      ];
    }),
  );
};

export const checks: readonly SecurityCheck[] = [{ topic: "outside", look: checkJobs }];

// What `chela doctor` looks at of plugins: those that do not run though somebody wants them.
import type { DoctorCheck, DoctorLine } from "@chela/sdk";
import type { House } from "../../house/house.ts";
import type { PluginReport } from "./plugins.ts";

export const checks: ReadonlyArray<DoctorCheck<House>> = [
  { name: "Plugins", look: async ({ plugins }) => (await plugins.room()).list().flatMap(lineOf) },
];

function lineOf({ id, state }: PluginReport): DoctorLine[] {
  if (state.kind === "enabled" || state.kind === "disabled") return [];
  const isBad = state.kind === "broken" || state.kind === "blocked";
  return [{ state: isBad ? "fail" : "warn", says: `${id} (${state.kind}): ${state.why}`, fix: state.fix }];
}

// Lists the containers of this gateway that stand.
import type { SandboxBackendId, StandingSandbox } from "@chela/sdk";
import { LABELS } from "./container-body.ts";
import { ContainerList } from "./engine-answers.ts";
import type { Engine } from "./engine.ts";

export async function listStanding(parts: {
  readonly engine: Engine;
  readonly id: SandboxBackendId;
  readonly home: string;
  readonly wanted: ReadonlyMap<string, string>;
  lastUsedAt(name: string): number | undefined;
}): Promise<readonly StandingSandbox[]> {
  const { engine, id, home, wanted } = parts;
  const filters = JSON.stringify({ label: [`${LABELS.ours}=1`, `${LABELS.home}=${home}`] });
  const query = { all: "1", filters };
  const found = await engine.ask(ContainerList(), { method: "GET", path: "/containers/json", query });
  return found.map(({ Id, Names, State, Created, Labels }) => {
    const name = Names[0]?.replace(/^\//, "") ?? Id;
    const createdAt = Number(Labels?.[LABELS.created]) || Created * 1000;
    const hash = wanted.get(name);
    return {
      backend: id,
      name,
      scope: Labels?.[LABELS.scope] ?? "",
      isRunning: State === "running",
      createdAt,
      lastUsedAt: parts.lastUsedAt(name) ?? createdAt,
      isOutdated: hash !== undefined && hash !== Labels?.[LABELS.hash],
    };
  });
}

// Looks, after a first start, at what another program left in the state directory and what became of it.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Clock, Ledger } from "@chela/sdk";
import { TAKEOVER_KEY, type TakeoverReport } from "./takeover-text.ts";

interface SurveyParts {
  readonly ledger: Ledger;
  readonly stateDir: string;
  readonly agents: ReadonlyArray<{ readonly id: string; readonly workspace: string; readonly agentDir: string }>;
}

/** What was there before the door was opened: nothing in it is ours. */
export interface TakeoverSurvey {
  readonly conversations: readonly string[];
  readonly people: readonly string[];
  readonly workspaces: readonly string[];
  /** Sign-ins, allowed commands and indexes of notes. */
  readonly credentials: readonly string[];
  /** Workspaces that only old conversations tell of. */
  readonly formerWorkspaces: readonly string[];
}

export interface ReportParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly stateDir: string;
  readonly survey: TakeoverSurvey;
  /** Files that were put in their place. */
  readonly files: readonly string[];
  /** What the configuration says that has no effect here, as one sentence. */
  readonly unused: string | undefined;
}

/** Folders whose content we do not use, with why. */
const LEFT: ReadonlyArray<readonly [string, string]> = [
  ["extensions", "plugins of OpenClaw; each runs when you say what it may do (chela plugins list)"],
  ["browser", "profiles of OpenClaw's browser"],
  ["canvas", "pages of OpenClaw's canvas; nothing shows them here"],
  ["skills", "skills of OpenClaw; no agent is told of them here"],
  ["completions", "shell completions of OpenClaw; `chela completion` makes ours"],
  ["update-check.json", "OpenClaw's note of newer versions; Chela looks for none by itself"],
  ["delivery-queue", "messages OpenClaw had not delivered; they are not sent again"],
];

/** Undefined where nothing was found. Kept in the ledger. */
export async function reportTakeover(parts: ReportParts): Promise<TakeoverReport | undefined> {
  const takenOver = await describeTaken(parts);
  if (takenOver.length === 0) return undefined;
  const { ledger, clock, stateDir, unused } = parts;
  const leftAlone = LEFT.filter(([place]) => existsSync(join(stateDir, place))).map(
    ([place, why]) => `${place}: ${why}`,
  );
  const toDo = [
    ...(unused ? [unused] : []),
    ...parts.survey.formerWorkspaces,
    "`chela doctor` looks whether everything fits",
    "stop OpenClaw's own gateway before both use one bot; what it changes in this directory is merged",
  ];
  const report = { at: clock.now(), stateDir, takenOver, leftAlone, toDo };
  await ledger.commit([{ kind: "value-put", key: TAKEOVER_KEY, value: JSON.stringify(report) }]);
  return report;
}

export async function surveyTakeover({ ledger, stateDir, agents }: SurveyParts): Promise<TakeoverSurvey> {
  const everything = { includeGlobal: true, includeUnknown: true, includeHidden: true };
  const sessions = await ledger.countMatching(everything);
  const ended = await ledger.countArchives({});
  const workspaces = agents
    .filter(({ workspace }) => isWorkspace(workspace))
    .map(({ id, workspace }) => `the workspace of ${id}: ${relative(stateDir, workspace) || workspace}`);
  return {
    conversations: [...counted(sessions, "conversation", ""), ...counted(ended, "conversation", " that had ended")],
    people: [
      ...counted(countApproved(stateDir), "approved sender", ""),
      ...counted(countRecords(stateDir, "devices/paired.json", "credentials/paired.json"), "paired device", ""),
      ...counted(countRecords(stateDir, "nodes/paired.json", "credentials/nodes-paired.json"), "paired node", ""),
    ],
    workspaces,
    credentials: [
      ...describeSignIns(agents),
      ...counted(countAllowed(stateDir), "allowed command", ""),
      ...agents
        .map(({ id }) => ({ id, place: join("memory", `${id}.sqlite`) }))
        .filter(({ place }) => existsSync(join(stateDir, place)))
        .map(({ id, place }) => `the index of the notes of ${id}: ${place}`),
    ],
    formerWorkspaces: await findFormerWorkspaces(ledger, agents),
  };
}

function isWorkspace(path: string): boolean {
  return existsSync(join(path, "AGENTS.md")) || existsSync(join(path, "SOUL.md"));
}

function describeSignIns(agents: SurveyParts["agents"]): string[] {
  const profiles = agents.flatMap(({ agentDir }) => {
    const found = readRecord(join(agentDir, "auth-profiles.json"))?.["profiles"];
    return Object.keys(typeof found === "object" && found !== null ? found : {});
  });
  const providers = [...new Set(profiles.map((id) => id.split(":")[0]))].toSorted();
  return counted(profiles.length, "credential", ` of providers: ${providers.join(", ")}`);
}

/** What is allowed for good, for all agents together. */
function countAllowed(stateDir: string): number {
  const agents = readRecord(join(stateDir, "exec-approvals.json"))?.["agents"];
  const lists = Object.values(typeof agents === "object" && agents !== null ? agents : {}).map(
    (agent: { readonly allowlist?: unknown } | null) => agent?.allowlist,
  );
  return lists.reduce((count: number, list) => count + (Array.isArray(list) ? list.length : 0), 0);
}

/** Where conversations say that they were held, when it is no agent's workspace now and still looks like one. */
async function findFormerWorkspaces(ledger: Ledger, agents: SurveyParts["agents"]): Promise<string[]> {
  const inUse = new Set(agents.map(({ workspace }) => resolve(workspace)));
  const found = new Map<string, string>();
  for (const { id } of agents) {
    for (const { header } of await ledger.transcripts({ agentId: id })) {
      const place = header["cwd"];
      if (typeof place !== "string" || inUse.has(resolve(place)) || found.has(place) || !isWorkspace(place)) continue;
      found.set(place, id);
    }
  }
  const now = new Map(agents.map(({ id, workspace }) => [id, workspace]));
  return [...found].map(
    ([place, id]) =>
      `${id} worked in ${place} before, and works in ${now.get(id)} now: where the former is meant, write it as \`workspace\` of the agent, or as \`agents.defaults.workspace\``,
  );
}

/** Jobs are read from their file a moment after the door was opened. */
async function describeTaken({ ledger, files, survey }: ReportParts): Promise<string[]> {
  const jobs = (await ledger.jobs()).length;
  const runs = await ledger.countErrands({ kind: "cron", states: ["settled"] });
  const ofJobs = counted(jobs, "job", runs > 0 ? `, with ${runs} of ${jobs === 1 ? "its" : "their"} runs` : "");
  const moved = files.map((file) => `${file}, copied to where it is looked for today`);
  return [...survey.conversations, ...ofJobs, ...survey.people, ...survey.credentials, ...moved, ...survey.workspaces];
}

function counted(count: number, what: string, more: string): string[] {
  return count === 0 ? [] : [`${count} ${what}${count === 1 ? "" : "s"}${more}`];
}

function countApproved(stateDir: string): number {
  const directory = join(stateDir, "credentials");
  const files = existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith("-allowFrom.json")) : [];
  const ids = files.flatMap((name) => {
    const list = readRecord(join(directory, name))?.["allowFrom"];
    return Array.isArray(list) ? list.map((id) => `${name.replace(/(?:-default)?-allowFrom\.json$/, "")}:${id}`) : [];
  });
  return new Set(ids).size;
}

/** In the first of these files that is there. */
function countRecords(stateDir: string, ...files: readonly string[]): number {
  const path = files.map((file) => join(stateDir, file)).find((file) => existsSync(file));
  return path === undefined ? 0 : Object.keys(readRecord(path) ?? {}).length;
}

function readRecord(path: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  } catch {
    // A report tells what it can; what is damaged is told by those who need it.
    return undefined;
  }
}

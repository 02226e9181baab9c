// The way of one command: plan, policy, allow-list, and where these do not settle it, a person.
import { defined } from "@chela/sdk/base";
import { dirname } from "node:path";
import {
  GatewayError,
  toGatewayError,
  type Clock,
  type ExecDecision,
  type ExecGuard,
  type ExecRequest,
  type Logger,
} from "@chela/sdk";
import { writeEntry } from "./allow-list.ts";
import type { ApprovalsFile } from "./approvals-file.ts";
import type { AllowEntry } from "./approvals-schema.ts";
import { digestIn, type DigestMemory } from "./digest-files.ts";
import { showEverything } from "./plan/hidden-characters.ts";
import { judgePlan, sayOwnFile, type JudgePlace, type Verdict } from "./plan/judge-plan.ts";
import { isInside } from "@chela/sdk/files";
import { takesInputAsData, whyNotForGood } from "./plan/lasting.ts";
import { makePlan, type Planning } from "./plan/make-plan.ts";
import type { ApprovalOutcome, ApprovalSubject, PendingApprovals } from "./pending.ts";
import { findOddVariable } from "./plan/plain-environment.ts";
import { decidePolicy, type ExecPolicy, type ExecRules } from "./policy.ts";
import type { SafeBinSettings } from "./plan/safe-bins.ts";
import { codePlaces } from "./plan/script-argument.ts";
import { readSegments } from "./plan/shell-segments.ts";
import { sayStopped } from "./say-stopped.ts";
import type { Objection, Seals } from "./seal.ts";

/** What is configured for one agent and session. */
export interface ExecSettings extends SafeBinSettings {
  /** One for each place that has a say, such as the agent's configuration and the session; the strictest wins. */
  readonly rules: readonly ExecRules[];
  /** What every command gets from the operator; variables that differ from it were chosen by the call. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Where agents write: their workspaces, and what sandboxes share with them. Absolute, links resolved. */
  readonly writable?: readonly string[];
}

export interface AuthorizeParts {
  settings(agentId: string, sessionKey: string): ExecSettings | Promise<ExecSettings>;
  /** Whether anybody who may answer would see a question of this session. */
  canAsk(sessionKey: string | undefined, runId?: string): boolean | Promise<boolean>;
  /** Absolute path of the shell for commands that need one. */
  readonly shell: string;
  readonly home: string;
  readonly filePath: string;
  /** Files of the gateway outside of the state directory, such as the configuration. */
  ownFiles(): readonly string[];
  readonly clock: Clock;
  readonly log: Logger;
  readonly file: ApprovalsFile;
  readonly pending: PendingApprovals;
  readonly seals: Seals;
  readonly digests: DigestMemory;
}

type Planned = Extract<Planning, { kind: "planned" }>;
type AuthorizeOptions = Parameters<ExecGuard["authorize"]>[1];

/** One command on its way to a decision. */
interface Case {
  readonly request: ExecRequest;
  readonly planned: Planned;
  readonly policy: ExecPolicy;
  readonly place: JudgePlace;
  readonly verdict: Verdict;
  /** Why it cannot be allowed for good; completes "because …". */
  readonly once?: string;
  readonly input: AllowedInput;
}

type AllowedInput = Extract<ExecDecision, { kind: "allowed" }>["input"];

export function createAuthorize(parts: AuthorizeParts): ExecGuard["authorize"] {
  return async (request, options) => {
    try {
      return await decide(parts, request, options);
    } catch (thrown) {
      const { code, detail } = toGatewayError(thrown, "TURN_FAILED");
      parts.log.error("A command was refused because it could not be judged", { code, detail });
      const why = GatewayError.is(thrown) ? thrown.explain() : "It could not be checked; `chela logs` tells why.";
      return deny(`The command was not run. ${why}`);
    }
  };
}

async function decide(parts: AuthorizeParts, request: ExecRequest, options: AuthorizeOptions): Promise<ExecDecision> {
  const settings = await parts.settings(request.agentId, request.sessionKey);
  const policy = decidePolicy([...settings.rules, ...parts.file.rulesFor(request.agentId)], request);
  if (policy.security === "deny") return deny(SAY_DENIED);
  const planned = await makePlan(request, parts.shell);
  if (planned.kind === "impossible") return deny(planned.why);
  const place = placeOf(parts, request, settings, planned);
  const isFree = policy.security === "full" || request.sandbox !== undefined;
  const verdict: Verdict = isFree ? { kind: "covered", by: [] } : await judgePlan(planned, place);
  const once = await whyOnlyOnce(planned, place);
  const input = await inputOf(isFree, planned, place);
  const thing: Case = { request, planned, policy, place, verdict, input, ...defined({ once }) };
  if (policy.ask === "always" || verdict.kind === "open") return settleOpen(parts, thing, options);
  return allow(parts, thing, whyAllowed(request, policy));
}

async function whyOnlyOnce(planned: Planned, place: JudgePlace): Promise<string | undefined> {
  const odd = findOddVariable(planned.plan.env, place.environment);
  if (odd !== undefined) return `it sets the variable ${showEverything(odd)}`;
  return whyNotForGood(planned, place);
}

/** What may be typed into it later, without another question. */
async function inputOf(isFree: boolean, planned: Planned, place: JudgePlace): Promise<AllowedInput> {
  if (isFree) return "free";
  return (await takesInputAsData(planned, place)) ? "free" : "asked";
}

function whyAllowed({ sandbox }: ExecRequest, { security }: ExecPolicy): string {
  if (sandbox !== undefined) return "it is kept in a sandbox";
  return security === "full" ? "every command is allowed (security is full)" : "it is on the allow-list";
}

const SAY_DENIED =
  "Running commands is switched off here (security is deny). To change it, the owner sets tools.exec.security to allowlist, or changes it in exec-approvals.json.";

async function settleOpen(parts: AuthorizeParts, thing: Case, options: AuthorizeOptions): Promise<ExecDecision> {
  const { policy, verdict, request } = thing;
  const why = verdict.kind === "open" ? verdict.why : "Every command has to be approved here (ask is always).";
  if (policy.ask === "off") {
    return deny(
      `The command was not run. ${why} Asking is switched off (ask is off); the owner can allow it in exec-approvals.json.`,
    );
  }
  if (options.signal.aborted) return deny(`${sayStopped(options.signal)} The command was not run.`);
  if (!(await parts.canAsk(request.sessionKey, request.runId))) {
    if (policy.askFallback === "allowlist" && verdict.kind === "covered")
      return allow(parts, thing, "it is on the allow-list");
    return deny(
      `The command was not run. ${why} Nobody who could approve it is connected; open the control page or chat with the owner, or allow it in exec-approvals.json.`,
    );
  }
  return askPerson(parts, thing, why, options);
}

async function askPerson(
  parts: AuthorizeParts,
  thing: Case,
  why: string,
  options: AuthorizeOptions,
): Promise<ExecDecision> {
  const { request, planned } = thing;
  // Sealed before the question is shown: the answer is for what was there then.
  const seal = await parts.seals.put(planned.plan, request, thing.place);
  const asked = parts.pending.ask({ subject: describe(thing, why) });
  const { id, expiresAtMs } = asked.approval;
  options.signal.addEventListener("abort", asked.withdraw, { once: true });
  try {
    if (options.signal.aborted) asked.withdraw();
    options.onPending({ id, command: showEverything(request.command), cwd: planned.plan.cwd, expiresAtMs });
    const outcome = await asked.outcome;
    if (options.signal.aborted) return deny(`${sayStopped(options.signal)} The command was not run.`);
    return await applyAnswer(parts, thing, seal, outcome);
  } finally {
    options.signal.removeEventListener("abort", asked.withdraw);
    asked.withdraw();
  }
}

async function applyAnswer(
  parts: AuthorizeParts,
  thing: Case,
  seal: string,
  outcome: ApprovalOutcome,
): Promise<ExecDecision> {
  if (outcome.decision === null)
    return deny("Nobody approved the command in time, so it was not run. Ask the person, then try again.");
  if (outcome.decision === "deny")
    return deny("A person refused the command, so it was not run. Do not try it again in another form.");
  const because = outcome.decision === "allow-always" ? await remember(parts, thing) : "a person approved it once";
  return { kind: "allowed", plan: thing.planned.plan, seal, because, input: thing.input };
}

/** A yes for good still is a yes for now when it cannot be written down. */
async function remember(parts: AuthorizeParts, { request, planned, place, once, verdict }: Case): Promise<string> {
  if (once !== undefined) return `a person approved it once; it cannot be allowed for good, because ${once}`;
  if (verdict.kind === "covered") return "a person approved it, and it is on the allow-list";
  try {
    const entry = await writeEntry(planned, parts.clock.now(), place);
    if (entry) parts.file.add(request.agentId, [entry]);
    return "a person approved it for good";
  } catch (thrown) {
    const error = toGatewayError(thrown, "APPROVALS_FILE");
    parts.log.error("A lasting approval could not be written; it holds for this time", {
      code: error.code,
      detail: error.detail,
    });
    return "a person approved it; it could not be remembered";
  }
}

async function allow(parts: AuthorizeParts, thing: Case, because: string): Promise<ExecDecision> {
  const { request, planned, verdict, place } = thing;
  // A list's yes does not hold for what a link leads to since then; a person's does, who saw where it leads.
  const object: Objection = (program) => sayOwnFile({ ...program, foundAt: program.file }, place);
  const isListed = verdict.kind === "covered" && request.sandbox === undefined && thing.policy.security !== "full";
  const seal = await parts.seals.put(planned.plan, request, place, isListed ? object : undefined);
  if (verdict.kind === "covered" && verdict.by.length > 0) noteUse(parts, thing, verdict.by);
  return { kind: "allowed", plan: planned.plan, seal, because, input: thing.input };
}

function noteUse(parts: AuthorizeParts, { request, planned }: Case, by: readonly AllowEntry[]): void {
  try {
    parts.file.noteUse(by, { command: request.command, file: planned.programs[0]?.file ?? "" });
  } catch (thrown) {
    parts.log.warn("The last use of an allowed command could not be noted", {
      detail: toGatewayError(thrown, "APPROVALS_FILE").detail,
    });
  }
}

function placeOf(parts: AuthorizeParts, request: ExecRequest, settings: ExecSettings, planned: Planned): JudgePlace {
  const loose = { writable: settings.writable ?? [], trustedDirectories: settings.safeBinTrustedDirs ?? [] };
  return {
    cwd: planned.plan.cwd,
    home: parts.home,
    digestFile: digestIn(parts.digests, loose),
    trustedDirectories: loose.trustedDirectories,
    entries: parts.file.entriesFor(request.agentId),
    safeBins: settings,
    environment: { ...settings.environment, ...request.given },
    stateDirectory: dirname(parts.filePath),
    ownFiles: parts.ownFiles(),
    writable: loose.writable,
  };
}

function describe(thing: Case, reason: string): ApprovalSubject {
  const { request, planned, policy, once } = thing;
  const { channel, account, id } = request.requester;
  return {
    command: showEverything(request.command),
    cwd: showEverything(planned.plan.cwd),
    host: request.sandbox === undefined ? "gateway" : "sandbox",
    security: policy.security,
    ask: policy.ask,
    agentId: request.agentId,
    sessionKey: request.sessionKey,
    runId: request.runId,
    resolvedPath: showEverything(programsOf(planned)),
    envKeys: Object.keys(request.env).sort().map(showEverything),
    requester: { channel, account, id },
    reason: [
      reason,
      sayVariables(request),
      sayUnverified(thing),
      ...(once === undefined ? [] : [`It cannot be allowed for good, because ${once}.`]),
    ]
      .filter((part) => part !== "")
      .join(" "),
    ...(once === undefined ? {} : { onlyOnce: true }),
  };
}

/** What is compared before the start alone, since nothing can stand between it and whoever reads it. */
function sayUnverified({ request, planned: { plan, programs }, place }: Case): string {
  if (request.sandbox !== undefined) return "";
  if (plan.how.kind === "shell" && !isPlainText(request.command)) {
    return "Files that are named inside of $(…), here-documents, comments or variables are compared before it starts, not when they are read: whoever may write them can still change what runs.";
  }
  const around = { cwd: plan.cwd, isProgram: () => false };
  const isScripted = programs.some(({ argv }) =>
    codePlaces(argv, around).some(({ path }) => place.writable.some((folder) => isInside(folder, path))),
  );
  if (!isScripted) return "";
  return "What a script loads is compared before it starts, not when it is read: whoever may write it can still change what runs.";
}

/** Whether each of its words is what is written there. */
function isPlainText(text: string): boolean {
  const segments = readSegments(text);
  return segments?.every(({ words, inputs }) => [...words, ...inputs].every(({ kind }) => kind !== "opaque")) ?? false;
}

/** With their values: a command may run what a variable holds. */
function sayVariables({ chosen = [], env }: ExecRequest): string {
  if (chosen.length === 0) return "";
  const set = chosen.map((name) => `${showEverything(name)}=${JSON.stringify(showEverything(env[name] ?? ""))}`);
  return `It sets ${set.join(", ")}.`;
}

const JOINTS = { always: " ; ", success: " && ", failure: " || " } as const;

/** Every file that would be executed, joined as they will be. */
function programsOf({ plan: { how } }: Planned): string {
  if (how.kind === "sandbox") return "";
  if (how.kind === "shell") return how.program.file;
  return how.steps
    .map(({ when, pipeline }, at) => (at === 0 ? "" : JOINTS[when]) + pipeline.map(({ file }) => file).join(" | "))
    .join("");
}

function deny(why: string): ExecDecision {
  return { kind: "denied", why };
}

// Fills what the security audit looks at, for the gateway and for the command that runs without one.
import { readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import type { Clock, CronJob, GatheredFacts, SkillFact } from "@chela/sdk";
import { createHookCatalogue } from "../../rooms/hooks/room.ts";
import { hookCatalogueParts } from "../../flow/hooks/parts.ts";
import {
  agentDirectory,
  issueSentence,
  loggingSettings,
  presetAt,
  usedParts,
  type ConfigStore,
  type StatePaths,
} from "../../rooms/config/room.ts";
import { placedSecrets } from "../credentials/secret-places.ts";
import { TOKEN_FILE } from "../start/gateway-token.ts";
import { collectChecks } from "./collect-checks.ts";
import { readApprovals } from "./approval-facts.ts";
import { logDirectory } from "../start/log-place.ts";
import { listAgents } from "../../rooms/routing/room.ts";
import {
  createSecurityAudit,
  findLooseParents,
  listEntries,
  lookAtFiles,
  probeGateway,
  type SecurityAudit,
} from "../../rooms/security-audit/room.ts";
import { judgeSecret } from "../../base/secret-strength.ts";
import { digestSecret, resolveAuthMode } from "../../server/auth/index.ts";

export interface AuditSources {
  readonly config: ConfigStore;
  readonly paths: StatePaths;
  readonly clock: Clock;
  /** Where the gateway listens, when it runs. */
  port(): number;
  jobs(): Promise<readonly CronJob[]>;
  /** How the sandbox fares; absent or undefined: nobody looked. */
  sandbox?(): Promise<SandboxGlance | undefined>;
  /** The skills of agents. */
  skills?(): Promise<readonly SkillFact[]>;
}

/** What the audit wants to know of `sandbox.status`. */
interface SandboxGlance {
  readonly isKeptByDefault: boolean;
  readonly chosen?: string | undefined;
  readonly backends: ReadonlyArray<{
    readonly id: string;
    readonly check: { readonly kind: "ready" } | { readonly kind: "unusable"; readonly why: string };
  }>;
}

const NEEDED_NODE = 24;

export function openSecurityAudit(sources: AuditSources): SecurityAudit {
  const { config, clock } = sources;
  return createSecurityAudit({
    clock,
    checks: collectChecks,
    gather: ({ deep }) => gatherFacts(sources, deep),
    setConfig: (path, value) => void config.setPath(path, value),
    unsetConfig: (path) => void config.unsetPath(path),
  });
}

async function gatherFacts(sources: AuditSources, deep: boolean): Promise<GatheredFacts> {
  const { config, paths } = sources;
  const { stateDir, configPath } = paths;
  const seen = config.describe();
  const [problem] = seen.issues;
  const current = config.current();
  const agentDirs = listAgents(current).map(({ id }) => agentDirectory(current, id, paths));
  const { file } = loggingSettings(current, paths);
  const logs = file === undefined ? { directory: logDirectory(paths) } : { file };
  const sandbox = await sources.sandbox?.();
  const approvals = readApprovals(join(stateDir, "exec-approvals.json"));
  const probe = deep ? await probeHere(sources) : undefined;
  return {
    platform: process.platform,
    uid: process.getuid?.(),
    nodeVersion: process.versions.node,
    neededNode: NEEDED_NODE,
    stateDir,
    configPath,
    config: usedParts(seen.config ?? {}, config.check().notUsedYet) as GatheredFacts["config"],
    ...(!seen.valid && problem ? { configProblem: issueSentence(problem) } : {}),
    ...judgeCredentials(sources),
    files: lookAtFiles({ stateDir, configPath, agentDirs, logs }),
    looseParents: findLooseParents(stateDir),
    plaintext: findPlaintext(sources),
    ...(approvals ? { approvals } : {}),
    hooks: listHooks(sources),
    extensions: listEntries(join(stateDir, "extensions")).map(({ name }) => name),
    jobs: (await sources.jobs()).map((job) => ({
      id: job.id,
      name: job.name,
      urls: addressesIn([job.delivery, job.failureAlert]),
    })),
    ...(sandbox ? { sandbox: sandboxFacts(sandbox) } : {}),
    ...(sources.skills ? { skills: await sources.skills() } : {}),
    ...(probe ? { probe } : {}),
  };
}

function sandboxFacts({ chosen, backends, isKeptByDefault }: SandboxGlance): NonNullable<GatheredFacts["sandbox"]> {
  const lacks = backends.flatMap(({ id, check }) => (check.kind === "unusable" ? [`${id}: ${check.why}`] : []));
  return {
    backend: chosen ?? backends.map(({ id }) => id).join(", "),
    ok: chosen !== undefined,
    ...(lacks.length > 0 ? { why: lacks.join(" ") } : {}),
    defaultMode: isKeptByDefault ? "non-main" : "off",
  };
}

type Credentials = Pick<GatheredFacts, "auth" | "webhookToken" | "secondDoor" | "allowsPlaintext">;

function judgeCredentials({ config, paths }: AuditSources): Credentials {
  const current = config.current();
  const env = config.effectiveEnv();
  const { mode } = resolveAuthMode(current.gateway ?? {}, env);
  const candidates =
    mode === "password"
      ? [
          ["gateway.auth.password", current.gateway?.auth?.password],
          ["OPENCLAW_GATEWAY_PASSWORD", env["OPENCLAW_GATEWAY_PASSWORD"]],
          ["CLAWDBOT_GATEWAY_PASSWORD", env["CLAWDBOT_GATEWAY_PASSWORD"]],
        ]
      : [
          ["gateway.auth.token", current.gateway?.auth?.token],
          ["OPENCLAW_GATEWAY_TOKEN", env["OPENCLAW_GATEWAY_TOKEN"]],
          ["CLAWDBOT_GATEWAY_TOKEN", env["CLAWDBOT_GATEWAY_TOKEN"]],
          [join(paths.stateDir, TOKEN_FILE), readTokenFile(paths)],
        ];
  const [where = "", secret] = candidates.find(([, text]) => text?.trim()) ?? candidates[0] ?? [];
  const judged = (text: string | undefined) =>
    text?.trim()
      ? { secret: judgeSecret(text), isGatewaySecret: secret?.trim() ? digestSecret(secret).matches(text) : false }
      : undefined;
  const webhookToken = judged(current.hooks?.token);
  const secondDoor = judged(env["OPENCLAW_CLI_SECRET"]?.trim());
  return {
    auth: { mode, where, ...(secret?.trim() ? { secret: judgeSecret(secret) } : {}) },
    ...(webhookToken ? { webhookToken } : {}),
    ...(secondDoor ? { secondDoor } : {}),
    allowsPlaintext: env["OPENCLAW_ALLOW_INSECURE_PRIVATE_WS"] === "1",
  };
}

function readTokenFile({ stateDir }: StatePaths): string | undefined {
  try {
    return readFileSync(join(stateDir, TOKEN_FILE), "utf8").trim();
  } catch {
    return undefined;
  }
}

/** The same places that `chela credential import` moves secrets from. */
function findPlaintext({ config, paths }: AuditSources): GatheredFacts["plaintext"] {
  const plain = placedSecrets({ config, paths }).filter(({ content }) => content.kind === "plain");
  return [...Map.groupBy(plain, ({ file }) => file)].map(([file, secrets]) => ({
    kind: file === paths.configPath ? "config" : file === paths.envPath ? "env" : "profiles",
    where: file,
    names: [...new Set(secrets.map(({ name }) => name))],
  }));
}

function listHooks({ config, paths, clock }: AuditSources): GatheredFacts["hooks"] {
  const catalogue = createHookCatalogue(hookCatalogueParts({ config, paths, clock }));
  return catalogue.list().map(({ name, source, state, path }) => ({ name, source, state, ...(path ? { path } : {}) }));
}

/** Every address a job sends something to. */
function addressesIn(places: readonly unknown[]): string[] {
  const texts = JSON.stringify(places).match(/"https?:[^"]*"/g) ?? [];
  return texts.map((text) => String(JSON.parse(text)));
}

async function probeHere({ config, port }: AuditSources): Promise<GatheredFacts["probe"]> {
  const addresses = Object.values(networkInterfaces()).flatMap((list) =>
    // An address that holds for one cable only cannot be asked without naming the cable.
    (list ?? []).filter((one) => !one.internal && !one.address.startsWith("fe80:")).map(({ address }) => address),
  );
  const { gateway, hooks } = config.current();
  const hooksPath = `/${String(hooks?.path ?? presetAt(["hooks", "path"])).replace(/^\/+|\/+$/g, "")}`;
  return probeGateway({ port: port(), isTls: gateway?.tls?.enabled === true, addresses, hooksPath });
}

// Methods that read and write the configuration.
import { GatewayError } from "@chela/sdk";
import { join } from "node:path";
import { issuesOf, loadConfigReference, type ConfigIssue, type WriteReport } from "../../config/room.ts";
import { invalid, type Handlers } from "../dispatch.ts";
import type { GatewayParts } from "../gateway-parts.ts";

type ConfigMethods = Pick<
  Handlers,
  "config.get" | "config.check" | "config.set" | "config.apply" | "config.patch" | "config.schema"
>;

/** Clients know how it begins. */
const CHANGED_MEANWHILE =
  "config changed since last load; somebody changed it meanwhile, so read it again with config.get and repeat the change";

export function configMethods(gateway: GatewayParts): ConfigMethods {
  const { config } = gateway;

  const write = (baseHash: string | undefined, run: (baseHash?: string) => WriteReport) => {
    const { exists, hash, path } = config.describe();
    if (exists && baseHash === undefined) {
      throw invalid("config base hash required; read the configuration with config.get and send its hash");
    }
    if (exists && baseHash !== hash) throw invalid(CHANGED_MEANWHILE);
    try {
      const report = run(exists ? baseHash : undefined);
      return { ok: true as const, path, config: config.describe().config, report };
    } catch (error) {
      throw asInvalid(error);
    }
  };

  const applied = (kind: "config-apply" | "config-patch", result: ReturnType<typeof write>) => {
    const { report, ...rest } = result;
    const mode = kind.replace("-", ".");
    const restart = {
      ok: true,
      pid: process.pid,
      signal: "SIGUSR1",
      delayMs: 0,
      reason: mode,
      mode: "emit",
      coalesced: false,
      cooldownMsApplied: 0,
      applied:
        report.kind === "written"
          ? { ...report.plan }
          : {
              restart: false,
              hot: [],
              changed: [],
            },
    };
    const stats = { mode, root: result.path };
    const doctorHint = "Run: chela doctor --non-interactive";
    const payload = { kind, status: "ok", ts: gateway.clock.now(), message: null, doctorHint, stats };
    return { ...rest, restart, sentinel: { path: join(gateway.stateDir, "restart-sentinel.json"), payload } };
  };

  return {
    "config.get"() {
      const { issues, warnings, legacyIssues, ...rest } = config.describe();
      return { ...rest, issues: copies(issues), warnings: copies(warnings), legacyIssues: copies(legacyIssues) };
    },

    "config.check"({ raw }) {
      const { ok, issues, notUsedYet } = config.checkText(raw);
      const message = "is kept, but has no effect in this version";
      return {
        ok,
        issues: issues.map((issue) => ({ ...issue })),
        notes: notUsedYet.map((path) => ({ path, message })),
      };
    },

    "config.set"({ raw, baseHash }) {
      const { report: _report, ...rest } = write(baseHash, (hash) => config.replaceAll(raw, hash));
      return rest;
    },

    "config.apply": ({ raw, baseHash }) =>
      applied(
        "config-apply",
        write(baseHash, (hash) => config.replaceAll(raw, hash)),
      ),

    "config.patch": ({ raw, baseHash }) =>
      applied(
        "config-patch",
        write(baseHash, (hash) => config.mergePatch(raw, hash)),
      ),

    async "config.schema"() {
      const { configJsonSchema, configUiHints } = await loadConfigReference();
      return {
        schema: configJsonSchema(),
        uiHints: { ...configUiHints() } as Record<string, { label: string }>,
        version: gateway.version,
        generatedAt: new Date(gateway.clock.now()).toISOString(),
      };
    },
  };
}

function copies(issues: readonly ConfigIssue[]) {
  return issues.map((issue) => ({ ...issue }));
}

/** What is wrong with a change, in the form clients know. */
export function asInvalid(error: unknown): unknown {
  if (!GatewayError.is(error)) return error;
  if (error.code === "CONFIG_CHANGED") return invalid(CHANGED_MEANWHILE);
  const issues = issuesOf(error);
  return error.row.retry === "never" ? invalid(`invalid config: ${error.detail}`, { issues }) : error;
}

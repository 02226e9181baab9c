// Methods that read and write the configuration.
import { join } from "node:path";
import { loadConfigReference, loadSchemaLookup, type ConfigIssue, type WriteReport } from "./room.ts";
import {
  type CONFIG_METHODS,
  actorOf,
  asInvalid,
  CHANGED_MEANWHILE,
  invalid,
  type CallContext,
  type Handlers,
  holdsScope,
} from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

type ConfigMethods = Pick<Handlers, keyof typeof CONFIG_METHODS>;

export function configMethods(
  gateway: Pick<House, "audit" | "clock" | "config" | "credentials" | "stateDir" | "version">,
): ConfigMethods {
  const { config } = gateway;

  const checkBase = (baseHash: string | undefined): string | undefined => {
    const { exists, hash } = config.describe();
    if (exists && baseHash === undefined) {
      throw invalid("config base hash required; read the configuration with config.get and send its hash");
    }
    if (exists && baseHash !== hash) throw invalid(CHANGED_MEANWHILE);
    return exists ? baseHash : undefined;
  };

  const written = (report: WriteReport) => {
    const { path, config: shown } = config.describe();
    return { ok: true as const, path, config: shown, report };
  };

  const replace = (raw: string, baseHash: string | undefined) => {
    const base = checkBase(baseHash);
    try {
      return written(config.replaceAll(raw, base));
    } catch (error) {
      throw asInvalid(error);
    }
  };

  /** Secrets that a form brings go into the vault; a whole text that somebody wrote stays as it is. */
  const patchWithVault = async (raw: string, baseHash: string | undefined, { client }: CallContext) => {
    const { report, kept } = await (await gateway.credentials()).patchConfig(raw, baseHash);
    for (const { id, service, where } of kept) {
      const facts = { step: "added", target: id, detail: { service, for: where } } as const;
      gateway.audit.noteCredential({ ...facts, actor: actorOf(client) });
    }
    return report;
  };

  const applied = (kind: "config-apply" | "config-patch", result: ReturnType<typeof written>) => {
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
    "config.get"(_params, { client }) {
      const { issues, warnings, legacyIssues, notUsedYet, raw, ...rest } = config.describe();
      // Anything may stand in a remark; only who may change the text sees it.
      const text = holdsScope(client.scopes, "operator.admin") ? raw : null;
      const told = { issues: copies(issues), warnings: copies(warnings), legacyIssues: copies(legacyIssues) };
      return { ...rest, raw: text, ...told, notes: notesOf(notUsedYet) };
    },

    "config.check"({ raw }) {
      const { ok, issues, notUsedYet } = config.checkText(raw);
      return { ok, issues: issues.map((issue) => ({ ...issue })), notes: notesOf(notUsedYet) };
    },

    "config.set"({ raw, baseHash }) {
      const { report: _report, ...rest } = replace(raw, baseHash);
      return rest;
    },

    "config.apply": ({ raw, baseHash }) => applied("config-apply", replace(raw, baseHash)),

    async "config.patch"({ raw, baseHash }, call) {
      // Most changes bring no secret, and need no vault.
      const keeps = (hash?: string) => config.previewPatch(raw, hash).fresh.length > 0;
      const base = checkBase(baseHash);
      try {
        const report = keeps(base) ? await patchWithVault(raw, base, call) : config.mergePatch(raw, base);
        return applied("config-patch", written(report));
      } catch (error) {
        throw asInvalid(error);
      }
    },

    async "config.schema"() {
      const { configJsonSchema, configUiHints } = await loadConfigReference();
      return {
        schema: configJsonSchema(),
        uiHints: { ...configUiHints() } as Record<string, { label: string }>,
        version: gateway.version,
        generatedAt: new Date(gateway.clock.now()).toISOString(),
      };
    },

    async "config.schema.lookup"({ path }) {
      const { lookupConfigSchema } = await loadSchemaLookup();
      const place = lookupConfigSchema(path);
      if (!place) throw invalid("config schema path not found");
      return { ...place, children: [...place.children] };
    },
  };
}

function copies(issues: readonly ConfigIssue[]) {
  return issues.map((issue) => ({ ...issue }));
}

function notesOf(notUsedYet: readonly string[]) {
  return notUsedYet.map((path) => ({ path, message: "is kept, but has no effect in this version" }));
}

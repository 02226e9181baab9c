// Opens the audit trail, and hears of what has no commit of its own: devices, nodes, approvals, the configuration.
import type { House } from "./house.ts";
import type { ApprovalEvent } from "../rooms/approvals/room.ts";
import { approvalEvent, AuditTrail, configEvent, pairingEvent, type ApprovalStep } from "../rooms/audit/room.ts";
import { every } from "@chela/sdk/base";
import { auditRetentionMs, guardsSafety, parsePath } from "../rooms/config/room.ts";
import type { DeviceChange } from "../rooms/devices/room.ts";

export type AuditNeeds = Pick<
  House,
  "clock" | "log" | "ledger" | "config" | "devices" | "vault" | "stateDir" | "auditKey" | "changes"
>;

const FIRST_LOOK_MS = 6 * 60_000;
const LOOK_EVERY_MS = 24 * 3_600_000;
/** Under which the ledger remembers the configuration that was in use last. */
const CONFIG_SEEN = "audit:config-hash";

export interface Auditing {
  readonly trail: AuditTrail;
  /** Somebody was asked about a command, or it is known what became of that. */
  approval(event: ApprovalEvent): void;
  /** A new configuration is in force; `changed` are the paths that differ. */
  configured(changed: readonly string[]): void;
  /** Looks what happened while nobody looked, and looks after the trail from now on. */
  start(): void;
  close(): Promise<void>;
}

export function openAuditing(house: AuditNeeds): Auditing {
  const { clock, log, ledger, config } = house;
  const { stateDir } = house;
  const changed = () => house.changes.note("audit");
  const trail = new AuditTrail({
    clock,
    log,
    ledger,
    stateDir,
    changed,
    // While no gateway runs it is made with the first event.
    get auditKey() {
      return house.auditKey;
    },
  });
  house.vault.onUse((id, forWhat) => trail.credentials.used(id, forWhat));
  const leaveDevices = house.devices.onChange((change) => noteDevice(trail, change));

  async function forgetOld(): Promise<void> {
    try {
      const count = await trail.forgetBefore(clock.now() - auditRetentionMs(config.current()));
      if (count > 0) log.info("old events of the audit trail were let go", { count });
    } catch (error) {
      log.error("old events of the audit trail could not be let go", { error: String(error) });
    }
  }
  let stopTending = (): void => {};

  /** What was changed while no gateway ran is known by the digest of the file only. */
  async function lookAtConfig(): Promise<void> {
    const { hash, exists } = config.snapshot();
    const seen = await ledger.value(CONFIG_SEEN);
    if (seen === hash || !exists) return;
    if (seen !== undefined) {
      const detail = { step: "changed while the gateway did not run", before: seen, now: hash };
      trail.note({ action: "config", actor: "file", target: "configuration", outcome: "ok", detail });
    }
    await rememberConfig();
  }
  const rememberConfig = () =>
    ledger.commit([{ kind: "value-put", key: CONFIG_SEEN, value: config.snapshot().hash }]).catch((error: unknown) => {
      log.warn("which configuration is in use could not be written down", { error: String(error) });
    });

  return {
    trail,
    approval: (event) => noteApproval(trail, event),
    configured(written) {
      // Each write stamps the file.
      const changed = written.filter((path) => !/^meta(\.|$)/.test(path));
      void rememberConfig();
      if (changed.length === 0) return;
      const guarding = changed.filter((path) => isGuarded(path));
      const event = configEvent(trail.actor ?? "file", changed, guarding);
      if (guarding.length > 0) trail.noteAtOnce(event);
      else trail.note(event);
    },
    start() {
      lookAtConfig().catch((error: unknown) => log.error("the audit trail", { error: String(error) }));
      stopTending = clock.after(FIRST_LOOK_MS, () => {
        void forgetOld();
        stopTending = every(clock, LOOK_EVERY_MS, forgetOld);
      });
    },
    async close() {
      stopTending();
      leaveDevices();
      await trail.close();
    },
  };
}

/** What cannot be read as a place may be anything. */
function isGuarded(path: string): boolean {
  try {
    return guardsSafety(parsePath(path));
  } catch {
    return true;
  }
}

function grantOf({ role, scopes }: { readonly role?: string; readonly scopes?: readonly string[] }): object {
  return { ...(role ? { role } : {}), ...(scopes ? { scopes } : {}) };
}

function noteDevice(trail: AuditTrail, change: DeviceChange): void {
  const actor = trail.actor ?? "gateway";
  switch (change.kind) {
    case "requested": {
      const { deviceId, requestId, role, scopes } = change.request;
      const detail = { requestId, role, scopes };
      const asker = `device:${deviceId}`;
      return trail.note(pairingEvent({ step: "requested", target: asker, actor: asker, detail }));
    }
    case "resolved": {
      const { deviceId, requestId, decision, unasked } = change;
      const target = `device:${deviceId}`;
      const by = unasked?.why === "file" ? "file" : unasked ? target : actor;
      const detail = { requestId, ...(unasked ? { unasked: unasked.why, ...grantOf(unasked) } : {}) };
      return trail.notePairing({ step: decision, target, actor: by, detail });
    }
    case "removed":
      return trail.notePairing({ step: "removed", target: `device:${change.deviceId}`, actor });
    case "revoked":
    case "rotated": {
      const { kind: step, deviceId, role } = change;
      const detail = { role, ...(change.kind === "rotated" ? { cause: change.cause } : {}) };
      return trail.notePairing({ step, target: `device:${deviceId}`, actor, detail });
    }
  }
}

/** At once, though nobody waits: what a person decided must not be forgotten with the process. */
function noteApproval(trail: AuditTrail, event: ApprovalEvent): void {
  if (event.kind === "requested") {
    const { id, request } = event.approval;
    return trail.noteAtOnce(approvalEvent({ ...request, id, runId: request["runId"] }, { kind: "asked" }));
  }
  const { id, request } = event;
  trail.noteAtOnce(approvalEvent({ ...request, id, runId: request["runId"] }, stepOf(event, trail.actor)));
}

/** What the approvals say when they answer themselves. */
const WITHDRAWN: ReadonlySet<string> = new Set(["withdrawn", "gateway stopped"]);

function stepOf(event: Extract<ApprovalEvent, { kind: "resolved" }>, actor: string | undefined): ApprovalStep {
  const { decision, resolvedBy: by } = event;
  if (decision === "deny" && by === "timeout") return { kind: "timed-out" };
  if (decision === "deny" && WITHDRAWN.has(by)) return { kind: "withdrawn", why: by };
  return { kind: "answered", decision, actor: actor ?? "unknown", by };
}

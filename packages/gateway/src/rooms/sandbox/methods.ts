// Methods about sandboxes.
import { defined } from "@chela/sdk/base";
import { agentOfSessionKey, type SandboxCheck, type SandboxNetwork, mainSessionKey } from "@chela/sdk";
import { AS_OWNER } from "./room.ts";
import { type SANDBOX_METHODS, invalid, type Handlers } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

type SandboxMethods = Pick<Handlers, keyof typeof SANDBOX_METHODS>;

export function sandboxMethods({
  sandboxes,
  keys,
  changes,
}: Pick<House, "sandboxes" | "keys" | "changes">): SandboxMethods {
  return {
    async "sandbox.status"() {
      const { backends, standing, ...status } = await sandboxes.status();
      return {
        ...status,
        backends: backends.map(({ id, check }) => ({ id, check: written(check) })),
        standing: [...standing],
      };
    },
    async "sandbox.explain"({ sessionKey: asked, agentId: named }) {
      const agentId = named ?? (asked && agentOfSessionKey(asked)) ?? keys().defaultAgentId;
      const sessionKey = asked ?? mainSessionKey(agentId, keys());
      const { profile, check, backend, isSandboxed, why } = await sandboxes.explain({
        agentId,
        sessionKey,
        requester: AS_OWNER,
      });
      return {
        agentId,
        sessionKey,
        isSandboxed,
        why,
        ...(backend ? { backend } : {}),
        ...(check ? { check: written(check) } : {}),
        ...(profile
          ? {
              scope: profile.scope,
              workdir: profile.workdir,
              mounts: profile.mounts.map((mount) => ({ ...mount })),
              network: describeNetwork(profile.network),
              limits: {
                ...profile.limits,
                ...(profile.disk?.folder === undefined
                  ? {}
                  : { diskBytes: profile.disk.bytes, files: profile.disk.files }),
                ...(profile.disk ? { keepFreeBytes: profile.disk.keepFreeBytes } : {}),
              },
            }
          : {}),
      };
    },
    async "sandbox.recreate"({ all, agentId, sessionKey }) {
      if (!all && agentId === undefined && sessionKey === undefined)
        throw invalid("say which: all, an agentId or a sessionKey");
      const which = {
        ...defined({ agentId, sessionKey }),
      };
      const removed = await sandboxes.recreate(all ? {} : which);
      changes.note("sandboxes");
      return { removed };
    },
    async "sandbox.selftest"({ backend }) {
      const tests = await sandboxes.selfTest(backend);
      return {
        backends: tests.map(({ id, check, outcomes }) => {
          const by = (result: string) => outcomes.filter((outcome) => outcome.result === result);
          return {
            id,
            check: written(check),
            tried: outcomes.length - by("untested").length,
            held: by("held").length,
            skipped: by("untested").map(({ name }) => name),
            escapes: by("open").map(({ name, tries }) => ({ name, what: tries })),
          };
        }),
      };
    },
  };
}

function written(check: SandboxCheck) {
  if (check.kind === "ready") return { ...check, notes: [...check.notes] };
  const { kind, why, fix } = check;
  return { kind, why, fix };
}

function describeNetwork(network: SandboxNetwork): string {
  if (network.kind === "hosts") return network.hosts.join(", ");
  return network.kind === "named" ? network.name : "none";
}

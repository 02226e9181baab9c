// Security checks about hooks: code of the owner that runs on events.
import type { SecurityCheck, SecurityWeakness } from "@chela/sdk";

const checkHooks: SecurityCheck["look"] = ({ hooks }) =>
  hooks.flatMap(({ name, source, state, path }): SecurityWeakness[] => {
    const where = path ?? `the hook "${name}"`;
    if (state === "changed") {
      return [
        {
          id: `hook-changed:${name}`,
          severity: "warning",
          title: `The hook "${name}" is not what you enabled`,
          risk: "Somebody changed its code; it does not run until you have looked at it and enable it again.",
          where,
          fix: `Read it, then chela hooks enable ${name}, or chela hooks disable ${name}`,
        },
      ];
    }
    if (state !== "on" || source === "bundled") return [];
    const isWorkspace = source === "workspace";
    return [
      {
        id: `hook-on:${name}`,
        severity: isWorkspace ? "warning" : "info",
        title: isWorkspace ? `The hook "${name}" comes from a workspace` : `The hook "${name}" runs code of yours`,
        risk: isWorkspace
          ? "It runs with all rights of the gateway, and lies where agents can write; a change stops it until you enable it again."
          : "It runs with all rights of the gateway.",
        where,
        fix: `If you do not need it: chela hooks disable ${name}`,
      },
    ];
  });

export const checks: readonly SecurityCheck[] = [{ topic: "outside", look: checkHooks }];

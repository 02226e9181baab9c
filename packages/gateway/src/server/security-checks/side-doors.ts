// Security checks about the ways in beside the main one: scripts, special ports, and what a running gateway answers.
import type { SecurityCheck, SecurityWeakness } from "@chela/sdk";
import { read } from "../../base/settings/read-settings.ts";

const checkSecondDoor: SecurityCheck["look"] = ({ secondDoor }) => {
  if (!secondDoor) return [];
  const { secret, isGatewaySecret } = secondDoor;
  const where = "OPENCLAW_CLI_SECRET";
  const fix = `Start the gateway with another one: OPENCLAW_CLI_SECRET="$(openssl rand -hex 24)"`;
  if (secret.isGuessable || secret.isShort) {
    const risk = "Every program on this machine that finds it can speak in your home conversation.";
    return [
      {
        id: "second-door-weak",
        severity: "warning",
        title: "The secret for scripts is easy to find out",
        risk,
        where,
        fix,
      },
    ];
  }
  if (!isGatewaySecret) return [];
  const risk = "A script that is to do one thing only holds the credential for everything.";
  return [
    {
      id: "second-door-shared",
      severity: "warning",
      title: "Scripts use the gateway's own credential",
      risk,
      where,
      fix,
    },
  ];
};

const checkPorts: SecurityCheck["look"] = ({ config }) => {
  const port = read(config, "gateway.port");
  if (typeof port !== "number" || port >= 1024) return [];
  return [
    {
      id: "port-privileged",
      severity: "info",
      title: "The port needs special rights",
      risk: `Port ${port} can only be opened with rights the gateway does not need otherwise, often those of root.`,
      where: "gateway.port",
      fix: "chela config unset gateway.port",
    },
  ];
};

const checkProbe: SecurityCheck["look"] = (facts) => {
  const { probe, auth } = facts;
  if (!probe) return [];
  const found: SecurityWeakness[] = [];
  if (probe.reachedAt.length > 0 && !facts.exposure) {
    found.push({
      id: "probe-reachable",
      severity: "critical",
      title: "The gateway answers other machines, though it should not",
      risk: `It answered at ${probe.reachedAt.join(", ")}, but the configuration says that only this machine may reach it.`,
      where: `port ${probe.port}`,
      fix: "Restart it without --bind: chela gateway stop, then chela gateway run",
    });
  }
  if (probe.takesWrongCredential && auth.mode !== "none") {
    found.push({
      id: "probe-wrong-credential",
      severity: "critical",
      title: "A wrong credential is accepted",
      risk: "Whoever reaches the port controls your agents.",
      where: `port ${probe.port}`,
      fix: "Stop it now: chela gateway stop. Then report it as docs/SECURITY.md says.",
    });
  }
  if (probe.openRoutes.length > 0 && auth.mode !== "none") {
    found.push({
      id: "probe-open-route",
      severity: "critical",
      title: "Something that needs a credential answers without one",
      risk: `${probe.openRoutes.join(", ")} can be used by whoever reaches the port.`,
      where: `port ${probe.port}`,
      fix: "Stop it now: chela gateway stop. Then report it as docs/SECURITY.md says.",
    });
  }
  return found;
};

const LOOKS = [checkSecondDoor, checkPorts, checkProbe];

export const sideDoorChecks: readonly SecurityCheck[] = LOOKS.map((look) => ({ topic: "side doors", look }));

// Security checks about the configuration itself: whether it can be read, and keys that say they are dangerous.
import type { SecurityCheck, SecuritySeverity, SecurityWeakness } from "@chela/sdk";
import { formatPlace, eachKey } from "../../base/settings/read-settings.ts";
import { unsetCommand } from "../../base/settings/change-settings.ts";

const checkConfigFile: SecurityCheck["look"] = ({ configProblem, configPath }) =>
  configProblem === undefined
    ? []
    : [
        {
          id: "config-broken",
          severity: "warning",
          title: "The configuration file is broken",
          risk: `The audit looked at what is in force instead, and what the file was meant to say does not hold: ${configProblem}`,
          where: configPath,
          fix: "chela config validate says where.",
        },
      ];

/** Turning these off could keep somebody from starting the gateway or from their page. */
const MAY_LOCK_OUT: Readonly<Record<string, SecuritySeverity>> = {
  dangerouslyDisableDeviceAuth: "critical",
  dangerouslyAllowHostHeaderOriginFallback: "warning",
};

const RISKS: Readonly<Record<string, string>> = {
  dangerouslyDisableDeviceAuth: "A stolen token is enough to control your agents from any browser.",
  dangerouslyAllowHostHeaderOriginFallback: "A page of somebody else can pass for the control page.",
  dangerouslyAllowNameMatching: "People can change their name on this platform, and pass for somebody you named.",
  dangerouslyAllowPrivateNetwork: "What comes from outside can lead the gateway to machines in your own network.",
  dangerouslyAllowReservedContainerTargets: "Something can be put over the places that make the sandbox one.",
  dangerouslyAllowExternalBindSources: "Any directory of this machine can be put into the sandbox.",
  dangerouslyAllowContainerNamespaceJoin: "The sandbox can share the network or the processes of another container.",
};

const checkDangerousKeys: SecurityCheck["look"] = ({ config }) => {
  const found: SecurityWeakness[] = [];
  eachKey(config, (key, value, place) => {
    if (!/^dangerously[A-Z]/.test(key) || value !== true) return;
    const where = formatPlace(place);
    const locks = Object.hasOwn(MAY_LOCK_OUT, key) ? MAY_LOCK_OUT[key] : undefined;
    found.push({
      id: `dangerous:${where}`,
      severity: locks ?? "warning",
      title: "A protection is switched off",
      risk: (Object.hasOwn(RISKS, key) ? RISKS[key] : undefined) ?? "The key itself says that this is dangerous.",
      where,
      fix: locks ? unsetCommand(where) : `${unsetCommand(where)}, or chela security audit --fix --yes`,
      ...(locks ? {} : { repair: { kind: "config", path: where } as const, asksFirst: true as const }),
    });
  });
  return found;
};

const LOOKS = [checkConfigFile, checkDangerousKeys];

export const checks: readonly SecurityCheck[] = LOOKS.map((look) => ({ topic: "upkeep", look }));

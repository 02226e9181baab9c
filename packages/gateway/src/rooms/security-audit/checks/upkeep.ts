// Checks about the rest: secrets in plain sight, switches that say they are dangerous, what is logged, what is outdated.
import type { Check, Severity, Weakness } from "../finding.ts";
import { eachKey, formatPlace, read, readText, unsetCommand } from "../settings.ts";

const checkConfigFile: Check = ({ configProblem, configPath }) =>
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
const MAY_LOCK_OUT: Readonly<Record<string, Severity>> = {
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

const checkDangerousKeys: Check = ({ config }) => {
  const found: Weakness[] = [];
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

const KINDS = {
  config: { title: "Secrets lie in the configuration as they are", what: "keys" },
  profiles: { title: "Credentials of models lie in a file as they are", what: "profiles" },
  env: { title: "Secrets lie in a file of variables as they are", what: "variables" },
} as const;

const MOST_NAMED = 8;

const checkPlaintext: Check = ({ plaintext }) =>
  plaintext.map(({ kind, where, names }) => {
    const shown =
      names.length > MOST_NAMED ? [...names.slice(0, MOST_NAMED), `${names.length - MOST_NAMED} more`] : names;
    return {
      id: `plaintext:${where}`,
      severity: "warning",
      title: KINDS[kind].title,
      risk: `Whoever gets a copy of the file, from a backup for example, has them (${KINDS[kind].what}: ${shown.join(", ")}).`,
      where,
      fix: "chela credential import moves them into the vault.",
    };
  });

const checkRedaction: Check = ({ config }) => {
  const found: Weakness[] = [];
  if (readText(config, "logging.redactSensitive") === "off") {
    found.push({
      id: "redaction-off",
      severity: "warning",
      title: "Secrets are not taken out of the log",
      risk: "Whoever reads the log, or gets it with a report, can read the credentials that tools were given.",
      where: "logging.redactSensitive",
      fix: "chela config unset logging.redactSensitive",
      repair: { kind: "config", path: "logging.redactSensitive" },
    });
  }
  if (read(config, "diagnostics.cacheTrace.enabled") === true) {
    found.push({
      id: "cache-trace-on",
      severity: "info",
      title: "What models are told is written to a file",
      risk: "The file holds whole conversations, and nobody takes secrets out of it.",
      where: "diagnostics.cacheTrace.enabled",
      fix: "chela config unset diagnostics.cacheTrace.enabled",
    });
  }
  return found;
};

const checkNode: Check = ({ nodeVersion, neededNode }) =>
  Number(nodeVersion.split(".")[0]) >= neededNode
    ? []
    : [
        {
          id: "node-old",
          severity: "warning",
          title: `Node ${nodeVersion} is too old`,
          risk: "Flaws that were found in it since are not repaired.",
          where: "node",
          fix: `Install Node ${neededNode} or newer from https://nodejs.org`,
        },
      ];

const checkSecretHelpers: Check = ({ config }) => {
  const found: Weakness[] = [];
  eachKey(read(config, "secrets.providers"), (key, value, place) => {
    if (!/^allow(?:InsecurePath|SymlinkCommand)$/.test(key) || value !== true) return;
    const where = formatPlace(["secrets", "providers", ...place]);
    found.push({
      id: `secret-helper:${where}`,
      severity: "warning",
      title: "The program that hands out secrets can be replaced",
      risk: "Somebody who can write where it lies can put a program in its place that gets every question.",
      where,
      fix: unsetCommand(where),
    });
  });
  return found;
};

const checkBudgets: Check = ({ config }) => {
  const budgets = read(config, "budgets");
  if (Array.isArray(budgets) && budgets.length > 0) return [];
  return [
    {
      id: "budgets-none",
      severity: "info",
      title: "Spending has no limit",
      risk: "An agent that goes in circles, or somebody who uses it too much, costs as much as your provider lets it.",
      where: "budgets",
      fix: `chela config set budgets '[{ "scope": "all", "period": "day", "usd": 5 }]'`,
    },
  ];
};

export const UPKEEP_CHECKS: readonly Check[] = [
  checkConfigFile,
  checkDangerousKeys,
  checkPlaintext,
  checkRedaction,
  checkSecretHelpers,
  checkNode,
  checkBudgets,
];

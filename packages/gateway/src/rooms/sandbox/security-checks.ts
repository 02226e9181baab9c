// Security checks about the sandbox: whether there is one, and whether its walls hold.
import type { RulePlace, SecurityCheck, SecurityWeakness } from "@chela/sdk";
import { read, readText, readList } from "../../base/settings/read-settings.ts";
import { setCommand, unsetCommand } from "../../base/settings/change-settings.ts";
import { isInside } from "@chela/sdk/files";

const checkMode: SecurityCheck["look"] = (facts) => {
  if (facts.isSandboxedSomewhere) return [];
  // What holds then is not known; the report says so.
  const isSaid = readText(facts.config, "agents.defaults.sandbox.mode") !== undefined;
  if (!isSaid && !facts.sandbox) return [];
  const isOpen = facts.hasOpenPlaces;
  const freedom = facts.freedom;
  if (freedom === "none") return [];
  return [
    {
      id: "sandbox-off",
      severity: isOpen || freedom === "free" ? "warning" : "info",
      title: "Commands run on this machine itself",
      risk: "A command that was approved by mistake can reach everything you can reach.",
      where: "agents.defaults.sandbox.mode",
      fix: "chela config set agents.defaults.sandbox.mode non-main",
    },
  ];
};

const checkBackend: SecurityCheck["look"] = (facts) => {
  const { sandbox, config } = facts;
  if (!sandbox || sandbox.ok || !facts.isSandboxedSomewhere) return [];
  const isWanted = readText(config, "agents.defaults.sandbox.mode") !== undefined;
  return [
    {
      id: "sandbox-unusable",
      severity: isWanted ? "warning" : "info",
      title: "The sandbox cannot be used here",
      risk: `Nothing runs unprotected, but commands of sandboxed conversations are refused: ${sandbox.why ?? "the reason is not known"}`,
      where: sandbox.backend,
      fix: "chela sandbox selftest says what is missing.",
    },
  ];
};

const checkWorkspace: SecurityCheck["look"] = (facts) => {
  if (!facts.hasOpenPlaces) return [];
  return facts.rules
    .filter(({ sandbox }) => readText(sandbox, "workspaceAccess") === "rw")
    .map(({ sandboxAt, who }) => ({
      id: `sandbox-rw:${sandboxAt}`,
      severity: "warning",
      title: "People nobody named can change the workspace",
      risk: `What they talk ${who} into can change the files that tell it how to behave.`,
      where: `${sandboxAt}.workspaceAccess`,
      fix: setCommand(`${sandboxAt}.workspaceAccess`, "ro"),
    }));
};

/** Places that give away the machine, and why. */
const FATAL_PLACES: ReadonlyArray<readonly [RegExp, string]> = [
  [/(?:^|\/)(?:docker|podman|containerd|crio)\.sock$/, "whoever can speak to the container engine has the machine"],
  [/^\/$/, "it is the whole machine"],
  [
    /^\/(?:etc|root|boot|proc|sys|dev|run|var\/run|var\/lib\/docker|usr|bin|sbin|lib)(?:\/|$)/,
    "it belongs to the system",
  ],
  [/^(?:~|\$HOME|\/home\/[^/]+|\/Users\/[^/]+)\/?$/, "it holds everything that is yours"],
  [/\/\.(?:ssh|gnupg|aws|kube|docker|openclaw|clawdbot)(?:\/|$)/, "it holds credentials"],
];

const checkBinds: SecurityCheck["look"] = (facts) =>
  facts.rules.flatMap(({ sandboxAt, sandbox }) =>
    ["docker.binds", "browser.binds"].flatMap((key) =>
      readList(sandbox, key).flatMap((bind): SecurityWeakness[] => {
        const source = bind.split(":", 1)[0] ?? bind;
        const isState = isInside(facts.stateDir, source);
        const why = isState ? "it holds credentials" : FATAL_PLACES.find(([pattern]) => pattern.test(source))?.[1];
        if (why === undefined) return [];
        return [
          {
            id: `sandbox-bind:${sandboxAt}:${source}`,
            severity: "critical",
            title: "The sandbox has a hole",
            risk: `${source} is put into it, and ${why}.`,
            where: `${sandboxAt}.${key}`,
            fix: `Take ${source} out of ${sandboxAt}.${key}.`,
          },
        ];
      }),
    ),
  );

const checkNetwork: SecurityCheck["look"] = (facts) =>
  facts.rules.flatMap(({ sandboxAt, sandbox }): SecurityWeakness[] => {
    const network = readText(sandbox, "docker.network");
    if (network === undefined || network === "none") return [];
    const isFatal = network === "host";
    return [
      {
        id: `sandbox-network:${sandboxAt}`,
        severity: isFatal ? "critical" : "info",
        title: isFatal ? "The sandbox shares this machine's network" : "Commands in the sandbox reach the network",
        risk: isFatal
          ? "Commands inside reach every port of this machine, also those that trust it."
          : "A command inside can send away what it reads.",
        where: `${sandboxAt}.docker.network`,
        fix: setCommand(`${sandboxAt}.docker.network`, "none"),
      },
    ];
  });

const checkWalls: SecurityCheck["look"] = (facts) => facts.rules.flatMap(missingWalls);

function missingWalls({ sandboxAt, sandbox }: RulePlace): SecurityWeakness[] {
  const found: SecurityWeakness[] = [];
  for (const key of ["seccompProfile", "apparmorProfile"]) {
    if (readText(sandbox, `docker.${key}`) !== "unconfined") continue;
    found.push({
      id: `sandbox-unconfined:${sandboxAt}.${key}`,
      severity: "critical",
      title: "A wall of the sandbox is taken down",
      risk: "Commands inside can ask the kernel for everything, which is how people get out of containers.",
      where: `${sandboxAt}.docker.${key}`,
      fix: unsetCommand(`${sandboxAt}.docker.${key}`),
    });
  }
  if (read(sandbox, "docker.readOnlyRoot") === false) {
    found.push({
      id: `sandbox-writable-root:${sandboxAt}`,
      severity: "warning",
      title: "Commands in the sandbox can change its programs",
      risk: "What one command plants there the next ones run, and nothing limits how much of the disk is filled.",
      where: `${sandboxAt}.docker.readOnlyRoot`,
      fix: unsetCommand(`${sandboxAt}.docker.readOnlyRoot`),
    });
  }
  if (read(sandbox, "limits.keepFreeMb") === 0) {
    found.push({
      id: `sandbox-no-floor:${sandboxAt}`,
      severity: "warning",
      title: "Commands in the sandbox may fill the disk",
      risk: "On a full disk the gateway cannot accept anything any more.",
      where: `${sandboxAt}.limits.keepFreeMb`,
      fix: unsetCommand(`${sandboxAt}.limits.keepFreeMb`),
    });
  }
  const dropped = read(sandbox, "docker.capDrop");
  if (Array.isArray(dropped) && !readList(sandbox, "docker.capDrop").some((name) => name.toUpperCase() === "ALL")) {
    found.push({
      id: `sandbox-capabilities:${sandboxAt}`,
      severity: "warning",
      title: "Commands in the sandbox keep special rights",
      risk: "Rights of root that are left to a container make it easier to get out of it.",
      where: `${sandboxAt}.docker.capDrop`,
      fix: unsetCommand(`${sandboxAt}.docker.capDrop`),
    });
  }
  return found;
}

const checkBrowser: SecurityCheck["look"] = (facts) => {
  const { config } = facts;
  const found: SecurityWeakness[] = facts.rules
    .filter(({ sandbox }) => /^(?:0\.0\.0\.0|::)\/0$/.test(readText(sandbox, "browser.cdpSourceRange") ?? ""))
    .map(({ sandboxAt }) => ({
      id: `browser-open-port:${sandboxAt}`,
      severity: "critical",
      title: "Everybody may steer the browser in the sandbox",
      risk: "Whoever reaches its port sees what the agent sees, with every site it is logged in to.",
      where: `${sandboxAt}.browser.cdpSourceRange`,
      fix: unsetCommand(`${sandboxAt}.browser.cdpSourceRange`),
    }));
  if (read(config, "browser.noSandbox") === true) {
    found.push({
      id: "browser-no-sandbox",
      severity: "warning",
      title: "The browser runs without its own sandbox",
      risk: "A hostile page that finds a flaw in the browser has this machine.",
      where: "browser.noSandbox",
      fix: "chela config unset browser.noSandbox",
    });
  }
  if (read(config, "browser.ssrfPolicy.allowPrivateNetwork") === true) {
    found.push({
      id: "browser-private-network",
      severity: "warning",
      title: "The browser reaches machines in your own network",
      risk: "A page can lead the agent to your router, your other machines and the gateway itself.",
      where: "browser.ssrfPolicy.allowPrivateNetwork",
      fix: "chela config unset browser.ssrfPolicy.allowPrivateNetwork",
    });
  }
  return found;
};

const LOOKS = [checkMode, checkBackend, checkWorkspace, checkBinds, checkNetwork, checkWalls, checkBrowser];

export const checks: readonly SecurityCheck[] = LOOKS.map((look) => ({ topic: "sandbox", look }));

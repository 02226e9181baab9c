// Whether there is a sandbox, and whether its walls hold. Each weakness once weak and once sound.
import { describe } from "vitest";
import { runCases, type CheckCase } from "../facts.test-support.ts";

const OFF = { backend: "bubblewrap", ok: true, defaultMode: "off" } as const;

const CASES: readonly CheckCase[] = [
  {
    name: "no sandbox",
    weak: { config: { agents: {} }, sandbox: OFF },
    sound: { config: { agents: { defaults: { sandbox: { mode: "non-main" } } } } },
    says: [
      [
        "info sandbox-off",
        "Commands run on this machine itself",
        "A command that was approved by mistake can reach everything you can reach.",
        "agents.defaults.sandbox.mode: chela config set agents.defaults.sandbox.mode non-main",
      ],
    ],
  },
  {
    name: "no sandbox for an agent that asks nobody",
    weak: { config: { agents: {}, tools: { exec: { security: "full" } } }, sandbox: OFF },
    sound: { config: { agents: {}, tools: { exec: { security: "deny" } } }, sandbox: OFF },
    says: [
      [
        "warning exec-full:tools",
        "Commands run without asking anybody",
        "What a web page or a mail talks every agent into runs on this machine at once.",
        "tools.exec.security: chela config set tools.exec.security allowlist",
      ],
      [
        "warning sandbox-off",
        "Commands run on this machine itself",
        "A command that was approved by mistake can reach everything you can reach.",
        "agents.defaults.sandbox.mode: chela config set agents.defaults.sandbox.mode non-main",
      ],
    ],
  },
  {
    name: "a sandbox that cannot be used",
    weak: { sandbox: { backend: "bubblewrap", ok: false, why: "bwrap is not installed.", defaultMode: "off" } },
    sound: { sandbox: { backend: "bubblewrap", ok: true, defaultMode: "non-main" } },
    says: [
      [
        "warning sandbox-unusable",
        "The sandbox cannot be used here",
        "Nothing runs unprotected, but commands of sandboxed conversations are refused: bwrap is not installed.",
        "bubblewrap: chela sandbox selftest says what is missing.",
      ],
    ],
  },
  {
    name: "a default sandbox that cannot be used",
    weak: { config: { agents: {} }, sandbox: { backend: "auto", ok: false, defaultMode: "non-main" } },
    sound: { config: { agents: { defaults: { sandbox: { mode: "all" } } } } },
    says: [
      [
        "info sandbox-unusable",
        "The sandbox cannot be used here",
        "Nothing runs unprotected, but commands of sandboxed conversations are refused: the reason is not known",
        "auto: chela sandbox selftest says what is missing.",
      ],
    ],
  },
  {
    name: "a workspace strangers can change",
    weak: {
      config: {
        agents: { defaults: { sandbox: { mode: "all", workspaceAccess: "rw" } } },
        channels: { discord: { groupPolicy: "open" } },
        commands: { ownerAllowFrom: ["discord:7"] },
      },
    },
    sound: { config: { agents: { defaults: { sandbox: { mode: "all", workspaceAccess: "rw" } } } } },
    says: [
      [
        "warning group-open:channels.discord.groupPolicy",
        "Everybody in a group may use the agent",
        "Whoever is in a group with it, or adds it to one, can use it, and spend your money.",
        "channels.discord.groupPolicy: chela config set channels.discord.groupPolicy allowlist, and name the groups or people.",
      ],
      [
        "warning sandbox-rw:agents.defaults.sandbox",
        "People nobody named can change the workspace",
        "What they talk every agent into can change the files that tell it how to behave.",
        "agents.defaults.sandbox.workspaceAccess: chela config set agents.defaults.sandbox.workspaceAccess ro",
      ],
    ],
  },
  {
    name: "holes",
    weak: {
      config: {
        agents: {
          defaults: {
            sandbox: {
              mode: "all",
              docker: {
                binds: [
                  "/var/run/docker.sock:/d.sock",
                  "/:/host:ro",
                  "/etc:/etc",
                  "/home/ann:/h",
                  "/home/ann/.openclaw/credentials:/c",
                  "/srv/data:/data",
                ],
              },
              browser: { binds: ["~/.ssh:/s"] },
            },
          },
        },
      },
    },
    sound: {
      config: {
        agents: {
          defaults: { sandbox: { mode: "all", docker: { binds: ["/srv/data:/data:ro", "/home/ann/project:/p"] } } },
        },
      },
    },
    says: [
      [
        "critical sandbox-bind:agents.defaults.sandbox:/var/run/docker.sock",
        "The sandbox has a hole",
        "/var/run/docker.sock is put into it, and whoever can speak to the container engine has the machine.",
        "agents.defaults.sandbox.docker.binds: Take /var/run/docker.sock out of agents.defaults.sandbox.docker.binds.",
      ],
      [
        "critical sandbox-bind:agents.defaults.sandbox:/",
        "The sandbox has a hole",
        "/ is put into it, and it is the whole machine.",
        "agents.defaults.sandbox.docker.binds: Take / out of agents.defaults.sandbox.docker.binds.",
      ],
      [
        "critical sandbox-bind:agents.defaults.sandbox:/etc",
        "The sandbox has a hole",
        "/etc is put into it, and it belongs to the system.",
        "agents.defaults.sandbox.docker.binds: Take /etc out of agents.defaults.sandbox.docker.binds.",
      ],
      [
        "critical sandbox-bind:agents.defaults.sandbox:/home/ann",
        "The sandbox has a hole",
        "/home/ann is put into it, and it holds everything that is yours.",
        "agents.defaults.sandbox.docker.binds: Take /home/ann out of agents.defaults.sandbox.docker.binds.",
      ],
      [
        "critical sandbox-bind:agents.defaults.sandbox:/home/ann/.openclaw/credentials",
        "The sandbox has a hole",
        "/home/ann/.openclaw/credentials is put into it, and it holds credentials.",
        "agents.defaults.sandbox.docker.binds: Take /home/ann/.openclaw/credentials out of agents.defaults.sandbox.docker.binds.",
      ],
      [
        "critical sandbox-bind:agents.defaults.sandbox:~/.ssh",
        "The sandbox has a hole",
        "~/.ssh is put into it, and it holds credentials.",
        "agents.defaults.sandbox.browser.binds: Take ~/.ssh out of agents.defaults.sandbox.browser.binds.",
      ],
    ],
  },
  {
    name: "the machine's own network",
    weak: {
      config: {
        agents: {
          defaults: { sandbox: { mode: "all", docker: { network: "host" } } },
          list: [{ id: "b", sandbox: { docker: { network: "bridge" } } }],
        },
      },
    },
    sound: { config: { agents: { defaults: { sandbox: { mode: "all", docker: { network: "none" } } } } } },
    says: [
      [
        "critical sandbox-network:agents.defaults.sandbox",
        "The sandbox shares this machine's network",
        "Commands inside reach every port of this machine, also those that trust it.",
        "agents.defaults.sandbox.docker.network: chela config set agents.defaults.sandbox.docker.network none",
      ],
      [
        "info sandbox-network:agents.list[0].sandbox",
        "Commands in the sandbox reach the network",
        "A command inside can send away what it reads.",
        "agents.list[0].sandbox.docker.network: chela config set 'agents.list[0].sandbox.docker.network' none",
      ],
    ],
  },
  {
    name: "missing walls",
    weak: {
      config: {
        agents: {
          defaults: {
            sandbox: {
              mode: "all",
              limits: { keepFreeMb: 0 },
              docker: {
                seccompProfile: "unconfined",
                apparmorProfile: "unconfined",
                capDrop: ["NET_RAW"],
                readOnlyRoot: false,
              },
            },
          },
        },
      },
    },
    sound: {
      config: {
        agents: {
          defaults: {
            sandbox: {
              mode: "all",
              limits: { keepFreeMb: 1 },
              docker: { seccompProfile: "/etc/s.json", capDrop: ["all"], readOnlyRoot: true },
            },
          },
        },
      },
    },
    says: [
      [
        "critical sandbox-unconfined:agents.defaults.sandbox.seccompProfile",
        "A wall of the sandbox is taken down",
        "Commands inside can ask the kernel for everything, which is how people get out of containers.",
        "agents.defaults.sandbox.docker.seccompProfile: chela config unset agents.defaults.sandbox.docker.seccompProfile",
      ],
      [
        "critical sandbox-unconfined:agents.defaults.sandbox.apparmorProfile",
        "A wall of the sandbox is taken down",
        "Commands inside can ask the kernel for everything, which is how people get out of containers.",
        "agents.defaults.sandbox.docker.apparmorProfile: chela config unset agents.defaults.sandbox.docker.apparmorProfile",
      ],
      [
        "warning sandbox-writable-root:agents.defaults.sandbox",
        "Commands in the sandbox can change its programs",
        "What one command plants there the next ones run, and nothing limits how much of the disk is filled.",
        "agents.defaults.sandbox.docker.readOnlyRoot: chela config unset agents.defaults.sandbox.docker.readOnlyRoot",
      ],
      [
        "warning sandbox-no-floor:agents.defaults.sandbox",
        "Commands in the sandbox may fill the disk",
        "On a full disk the gateway cannot accept anything any more.",
        "agents.defaults.sandbox.limits.keepFreeMb: chela config unset agents.defaults.sandbox.limits.keepFreeMb",
      ],
      [
        "warning sandbox-capabilities:agents.defaults.sandbox",
        "Commands in the sandbox keep special rights",
        "Rights of root that are left to a container make it easier to get out of it.",
        "agents.defaults.sandbox.docker.capDrop: chela config unset agents.defaults.sandbox.docker.capDrop",
      ],
    ],
  },
  {
    name: "an open browser",
    weak: {
      config: {
        agents: { defaults: { sandbox: { mode: "all", browser: { cdpSourceRange: "0.0.0.0/0" } } } },
        browser: { noSandbox: true, ssrfPolicy: { allowPrivateNetwork: true } },
      },
    },
    sound: {
      config: {
        agents: { defaults: { sandbox: { mode: "all", browser: { cdpSourceRange: "172.17.0.0/16" } } } },
        browser: { noSandbox: false },
      },
    },
    says: [
      [
        "critical browser-open-port:agents.defaults.sandbox",
        "Everybody may steer the browser in the sandbox",
        "Whoever reaches its port sees what the agent sees, with every site it is logged in to.",
        "agents.defaults.sandbox.browser.cdpSourceRange: chela config unset agents.defaults.sandbox.browser.cdpSourceRange",
      ],
      [
        "warning browser-no-sandbox",
        "The browser runs without its own sandbox",
        "A hostile page that finds a flaw in the browser has this machine.",
        "browser.noSandbox: chela config unset browser.noSandbox",
      ],
      [
        "warning browser-private-network",
        "The browser reaches machines in your own network",
        "A page can lead the agent to your router, your other machines and the gateway itself.",
        "browser.ssrfPolicy.allowPrivateNetwork: chela config unset browser.ssrfPolicy.allowPrivateNetwork",
      ],
    ],
  },
];

describe("sandbox", () => runCases(CASES));

// The ways in beside the main one. Each weakness once weak and once sound.
import { describe } from "vitest";
import { SHORT, STRONG, runCases, type CheckCase } from "../facts.test-support.ts";

const CASES: readonly CheckCase[] = [
  {
    name: "a weak secret for scripts",
    weak: { secondDoor: { secret: SHORT, isGatewaySecret: false } },
    sound: { secondDoor: { secret: STRONG, isGatewaySecret: false } },
    says: [
      [
        "warning second-door-weak",
        "The secret for scripts is easy to find out",
        "Every program on this machine that finds it can speak in your home conversation.",
        'OPENCLAW_CLI_SECRET: Start the gateway with another one: OPENCLAW_CLI_SECRET="$(openssl rand -hex 24)"',
      ],
    ],
  },
  {
    name: "the gateway's token for scripts",
    weak: { secondDoor: { secret: STRONG, isGatewaySecret: true } },
    sound: {},
    says: [
      [
        "warning second-door-shared",
        "Scripts use the gateway's own credential",
        "A script that is to do one thing only holds the credential for everything.",
        'OPENCLAW_CLI_SECRET: Start the gateway with another one: OPENCLAW_CLI_SECRET="$(openssl rand -hex 24)"',
      ],
    ],
  },
  {
    name: "a port of the system",
    weak: { config: { gateway: { port: 443 } } },
    sound: { config: { gateway: { port: 18789 } } },
    says: [
      [
        "info port-privileged",
        "The port needs special rights",
        "Port 443 can only be opened with rights the gateway does not need otherwise, often those of root.",
        "gateway.port: chela config unset gateway.port",
      ],
    ],
  },
  {
    name: "nodes that do anything",
    weak: { config: { gateway: { nodes: { allowCommands: ["*"] } } } },
    sound: { config: { gateway: { nodes: { allowCommands: ["camera.snap"] } } } },
    says: [
      [
        "warning nodes-any-command",
        "Nodes may be told to do anything",
        "Every command a paired device knows can be called, also those that are not known to be harmless.",
        "gateway.nodes.allowCommands: Name the commands you use, instead of *.",
      ],
    ],
  },
  {
    name: "a gateway that listens where it should not",
    weak: { probe: { port: 18789, reachedAt: ["192.168.1.5"], openRoutes: [], takesWrongCredential: false } },
    sound: { probe: { port: 18789, reachedAt: [], openRoutes: [], takesWrongCredential: false } },
    says: [
      [
        "critical probe-reachable",
        "The gateway answers other machines, though it should not",
        "It answered at 192.168.1.5, but the configuration says that only this machine may reach it.",
        "port 18789: Restart it without --bind: chela gateway stop, then chela gateway run",
      ],
    ],
  },
  {
    name: "a gateway that believes everybody",
    weak: { probe: { port: 18789, reachedAt: [], openRoutes: [], takesWrongCredential: true } },
    sound: {},
    says: [
      [
        "critical probe-wrong-credential",
        "A wrong credential is accepted",
        "Whoever reaches the port controls your agents.",
        "port 18789: Stop it now: chela gateway stop. Then report it as docs/SECURITY.md says.",
      ],
    ],
  },
  {
    name: "a route without a lock",
    weak: { probe: { port: 18789, reachedAt: [], openRoutes: ["GET /v1/models"], takesWrongCredential: false } },
    sound: {},
    says: [
      [
        "critical probe-open-route",
        "Something that needs a credential answers without one",
        "GET /v1/models can be used by whoever reaches the port.",
        "port 18789: Stop it now: chela gateway stop. Then report it as docs/SECURITY.md says.",
      ],
    ],
  },
];

describe("side-doors", () => runCases(CASES));

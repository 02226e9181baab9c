// Secrets in plain sight, dangerous switches, logs, versions. Each weakness once weak and once sound.
import { describe } from "vitest";
import { runCases, type CheckCase } from "../facts.test-support.ts";

const CASES: readonly CheckCase[] = [
  {
    name: "a broken configuration",
    weak: { configProblem: "gateway.port: must be a number." },
    sound: {},
    says: [
      [
        "warning config-broken",
        "The configuration file is broken",
        "The audit looked at what is in force instead, and what the file was meant to say does not hold: gateway.port: must be a number.",
        "/home/ann/.openclaw/openclaw.json: chela config validate says where.",
      ],
    ],
  },
  {
    name: "switches that are dangerous",
    weak: {
      config: {
        gateway: { controlUi: { dangerouslyDisableDeviceAuth: true, dangerouslyAllowHostHeaderOriginFallback: true } },
        channels: { slack: { dangerouslyAllowNameMatching: true } },
        commands: { ownerAllowFrom: ["slack:1"] },
        plugins: { entries: { x: { dangerouslyUnheardOf: true } } },
      },
    },
    sound: { config: { gateway: { controlUi: { dangerouslyDisableDeviceAuth: false } } } },
    says: [
      [
        "critical dangerous:gateway.controlUi.dangerouslyDisableDeviceAuth",
        "A protection is switched off",
        "A stolen token is enough to control your agents from any browser.",
        "gateway.controlUi.dangerouslyDisableDeviceAuth: chela config unset gateway.controlUi.dangerouslyDisableDeviceAuth",
      ],
      [
        "warning dangerous:gateway.controlUi.dangerouslyAllowHostHeaderOriginFallback",
        "A protection is switched off",
        "A page of somebody else can pass for the control page.",
        "gateway.controlUi.dangerouslyAllowHostHeaderOriginFallback: chela config unset gateway.controlUi.dangerouslyAllowHostHeaderOriginFallback",
      ],
      [
        "warning dangerous:channels.slack.dangerouslyAllowNameMatching (fixable)",
        "A protection is switched off",
        "People can change their name on this platform, and pass for somebody you named.",
        "channels.slack.dangerouslyAllowNameMatching: chela config unset channels.slack.dangerouslyAllowNameMatching, or chela security audit --fix --yes",
      ],
      [
        "warning dangerous:plugins.entries.x.dangerouslyUnheardOf (fixable)",
        "A protection is switched off",
        "The key itself says that this is dangerous.",
        "plugins.entries.x.dangerouslyUnheardOf: chela config unset plugins.entries.x.dangerouslyUnheardOf, or chela security audit --fix --yes",
      ],
    ],
  },
  {
    name: "secrets in plain sight",
    weak: {
      plaintext: [
        { kind: "config", where: "/s/openclaw.json", names: ["channels.telegram.botToken"] },
        { kind: "profiles", where: "/s/auth-profiles.json", names: ["xai:a"] },
        {
          kind: "env",
          where: "/s/.env",
          names: ["A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9", "A10"].map((name) => `${name}_KEY`),
        },
      ],
    },
    sound: { plaintext: [] },
    says: [
      [
        "warning plaintext:/s/openclaw.json",
        "Secrets lie in the configuration as they are",
        "Whoever gets a copy of the file, from a backup for example, has them (keys: channels.telegram.botToken).",
        "/s/openclaw.json: chela credential import moves them into the vault.",
      ],
      [
        "warning plaintext:/s/auth-profiles.json",
        "Credentials of models lie in a file as they are",
        "Whoever gets a copy of the file, from a backup for example, has them (profiles: xai:a).",
        "/s/auth-profiles.json: chela credential import moves them into the vault.",
      ],
      [
        "warning plaintext:/s/.env",
        "Secrets lie in a file of variables as they are",
        "Whoever gets a copy of the file, from a backup for example, has them (variables: A1_KEY, A2_KEY, A3_KEY, A4_KEY, A5_KEY, A6_KEY, A7_KEY, A8_KEY, 2 more).",
        "/s/.env: chela credential import moves them into the vault.",
      ],
    ],
  },
  {
    name: "logs with everything in them",
    weak: { config: { logging: { redactSensitive: "off" }, diagnostics: { cacheTrace: { enabled: true } } } },
    sound: { config: { logging: { redactSensitive: "tools" } } },
    says: [
      [
        "warning redaction-off (fixable)",
        "Secrets are not taken out of the log",
        "Whoever reads the log, or gets it with a report, can read the credentials that tools were given.",
        "logging.redactSensitive: chela config unset logging.redactSensitive",
      ],
      [
        "info cache-trace-on",
        "What models are told is written to a file",
        "The file holds whole conversations, and nobody takes secrets out of it.",
        "diagnostics.cacheTrace.enabled: chela config unset diagnostics.cacheTrace.enabled",
      ],
    ],
  },
  {
    name: "a helper for secrets that can be replaced",
    weak: { config: { secrets: { providers: { op: { source: "exec", command: "op", allowInsecurePath: true } } } } },
    sound: { config: { secrets: { providers: { op: { source: "exec", command: "op", allowInsecurePath: false } } } } },
    says: [
      [
        "warning secret-helper:secrets.providers.op.allowInsecurePath",
        "The program that hands out secrets can be replaced",
        "Somebody who can write where it lies can put a program in its place that gets every question.",
        "secrets.providers.op.allowInsecurePath: chela config unset secrets.providers.op.allowInsecurePath",
      ],
    ],
  },
  {
    name: "an old Node",
    weak: { nodeVersion: "20.11.0" },
    sound: { nodeVersion: "26.0.0" },
    says: [
      [
        "warning node-old",
        "Node 20.11.0 is too old",
        "Flaws that were found in it since are not repaired.",
        "node: Install Node 24 or newer from https://nodejs.org",
      ],
    ],
  },
  {
    name: "no budget",
    weak: { config: { budgets: [] } },
    sound: {},
    says: [
      [
        "info budgets-none",
        "Spending has no limit",
        "An agent that goes in circles, or somebody who uses it too much, costs as much as your provider lets it.",
        'budgets: chela config set budgets \'[{ "scope": "all", "period": "day", "usd": 5 }]\'',
      ],
    ],
  },
];

describe("upkeep", () => runCases(CASES));

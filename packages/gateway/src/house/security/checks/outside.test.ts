// What comes in and goes out by itself. Each weakness once weak and once sound.
import { describe } from "vitest";
import { GUESSABLE, STRONG, runCases, type CheckCase } from "../facts.test-support.ts";

const CASES: readonly CheckCase[] = [
  {
    name: "the gateway's token for webhooks",
    weak: { webhookToken: { secret: STRONG, isGatewaySecret: true }, config: { hooks: { enabled: true } } },
    sound: { webhookToken: { secret: STRONG, isGatewaySecret: true }, config: { hooks: { enabled: false } } },
    says: [
      [
        "critical webhook-token-shared",
        "Webhooks use the gateway's own credential",
        "Every service that sends you webhooks holds the credential that controls your agents.",
        'hooks.token: chela config set hooks.token "$(openssl rand -hex 24)"',
      ],
    ],
  },
  {
    name: "a weak token for webhooks",
    weak: { webhookToken: { secret: GUESSABLE, isGatewaySecret: false }, config: { hooks: { enabled: true } } },
    sound: { webhookToken: { secret: STRONG, isGatewaySecret: false }, config: { hooks: { enabled: true } } },
    says: [
      [
        "warning webhook-token-weak",
        "The token for webhooks is easy to find out",
        "Whoever finds it can give your agents work in the name of a service.",
        'hooks.token: chela config set hooks.token "$(openssl rand -hex 24)"',
      ],
    ],
  },
  {
    name: "content that is not marked",
    weak: {
      config: {
        hooks: { mappings: [{}, { allowUnsafeExternalContent: true }], gmail: { allowUnsafeExternalContent: true } },
      },
    },
    sound: { config: { hooks: { mappings: [{ allowUnsafeExternalContent: false }] } } },
    says: [
      [
        "warning webhook-unsafe-content:hooks.mappings[1] (fixable)",
        "Text from outside is not marked as such",
        "A request or mail can give the agent orders, because nothing tells it that a stranger wrote them.",
        "hooks.mappings[1].allowUnsafeExternalContent: chela config unset 'hooks.mappings[1].allowUnsafeExternalContent', or chela security audit --fix --yes",
      ],
      [
        "warning webhook-unsafe-content:hooks.gmail (fixable)",
        "Text from outside is not marked as such",
        "A request or mail can give the agent orders, because nothing tells it that a stranger wrote them.",
        "hooks.gmail.allowUnsafeExternalContent: chela config unset hooks.gmail.allowUnsafeExternalContent, or chela security audit --fix --yes",
      ],
    ],
  },
  {
    name: "any conversation and any agent",
    weak: { config: { hooks: { enabled: true, allowRequestSessionKey: true, allowedAgentIds: ["*"] } } },
    sound: {
      config: {
        hooks: {
          enabled: true,
          allowRequestSessionKey: true,
          allowedSessionKeyPrefixes: ["hook:"],
          allowedAgentIds: ["main"],
        },
      },
    },
    says: [
      [
        "warning webhook-session-any",
        "A webhook may speak in any conversation",
        "Whoever can send one can put words into a conversation you have with your agent.",
        "hooks.allowedSessionKeyPrefixes: chela config set hooks.allowedSessionKeyPrefixes '[\"hook:\"]'",
      ],
      [
        "info webhook-agent-any",
        "A webhook may choose any agent",
        "Whoever can send one picks the agent with the most rights.",
        "hooks.allowedAgentIds: Name the agents that webhooks are for.",
      ],
    ],
  },
  {
    name: "code for webhooks",
    weak: { config: { hooks: { mappings: [{ transform: { module: "./t.mjs" } }] } } },
    sound: { config: { hooks: { mappings: [{}] } } },
    says: [
      [
        "info webhook-transform:hooks.mappings[0].transform.module",
        "A webhook runs code of yours",
        "It runs with all rights of the gateway on what strangers send.",
        "hooks.mappings[0].transform.module: Make sure that only you can write ./t.mjs.",
      ],
    ],
  },
  {
    name: "hooks",
    weak: {
      hooks: [
        { name: "a", source: "workspace", state: "on", path: "/w/hooks/a" },
        { name: "b", source: "managed", state: "on" },
        { name: "c", source: "workspace", state: "changed" },
      ],
    },
    sound: {
      hooks: [
        { name: "a", source: "workspace", state: "off" },
        { name: "b", source: "bundled", state: "on" },
      ],
    },
    says: [
      [
        "warning hook-on:a",
        'The hook "a" comes from a workspace',
        "It runs with all rights of the gateway, and lies where agents can write; a change stops it until you enable it again.",
        "/w/hooks/a: If you do not need it: chela hooks disable a",
      ],
      [
        "warning hook-changed:c",
        'The hook "c" is not what you enabled',
        "Somebody changed its code; it does not run until you have looked at it and enable it again.",
        'the hook "c": Read it, then chela hooks enable c, or chela hooks disable c',
      ],
      [
        "info hook-on:b",
        'The hook "b" runs code of yours',
        "It runs with all rights of the gateway.",
        'the hook "b": If you do not need it: chela hooks disable b',
      ],
    ],
  },
  {
    name: "code of others",
    weak: { extensions: ["voice-call"], config: { plugins: { load: { paths: ["/p"] }, installs: { x: {} } } } },
    sound: { config: { plugins: { enabled: false } } },
    says: [
      [
        "info extensions-present",
        "There is code of others in the state directory",
        "What was approved of it runs, within its grants; another program that uses the directory may run all: voice-call, /p, x.",
        "extensions: chela plugins list shows them; remove what you do not need.",
      ],
    ],
  },
  {
    name: "models over the open network",
    weak: {
      config: {
        models: {
          providers: {
            far: { baseUrl: "http://user:pw@models.example/v1" },
            near: { baseUrl: "http://192.168.1.9:11434" },
          },
        },
      },
    },
    sound: {
      config: {
        models: {
          providers: {
            a: { baseUrl: "https://models.example/v1" },
            b: { baseUrl: "http://127.0.0.1:11434" },
            c: { baseUrl: "http://[::1]:1" },
            d: { baseUrl: "no address" },
          },
        },
      },
    },
    says: [
      [
        "warning model-plain-http:far",
        "Calls to far are not encrypted",
        "Everybody on the way to models.example can read your conversations and the key.",
        "models.providers.far.baseUrl: Use https://, or a tunnel to the machine.",
      ],
      [
        "info model-plain-http:near",
        "Calls to near are not encrypted",
        "Everybody on the way to 192.168.1.9 can read your conversations and the key.",
        "models.providers.near.baseUrl: Use https://, or a tunnel to the machine.",
      ],
    ],
  },
  {
    name: "jobs over the open network",
    weak: {
      config: { cron: { webhook: "http://a.example/x" } },
      jobs: [{ id: "j1", name: "report", urls: ["http://b.example/y?key=1"] }],
    },
    sound: {
      config: { cron: { webhook: "https://a.example/x" } },
      jobs: [{ id: "j1", name: "report", urls: ["https://b.example", "http://localhost:1"] }],
    },
    says: [
      [
        "warning job-plain-http:cron.webhook",
        "Results of a job are sent unencrypted",
        "Everybody on the way to a.example can read them.",
        "cron.webhook: Use an address that begins with https://.",
      ],
      [
        "warning job-plain-http:j1",
        "Results of a job are sent unencrypted",
        "Everybody on the way to b.example can read them.",
        'the job "report" (j1): Use an address that begins with https://.',
      ],
    ],
  },
];

describe("outside", () => runCases(CASES));

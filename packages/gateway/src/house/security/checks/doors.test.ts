// The door: what is reachable, and how people prove who they are. Each weakness once weak and once sound.
import { describe } from "vitest";
import { GUESSABLE, SHORT, STRONG, runCases, type CheckCase } from "../facts.test-support.ts";

const CASES: readonly CheckCase[] = [
  {
    name: "no credential on this machine",
    weak: { auth: { mode: "none", where: "" } },
    sound: {},
    says: [
      [
        "warning auth-none",
        "Nobody is asked for a credential",
        "Every program and every user of this machine controls your agents.",
        "gateway.auth.mode: chela config set gateway.auth.mode token",
      ],
    ],
  },
  {
    name: "no credential, reachable from others",
    weak: { auth: { mode: "none", where: "" }, config: { gateway: { bind: "lan" } } },
    sound: {},
    says: [
      [
        "critical auth-none",
        "Nobody is asked for a credential",
        'Because gateway.bind is "lan", whoever reaches this machine controls your agents.',
        "gateway.auth.mode: chela config set gateway.auth.mode token",
      ],
      [
        "info bind-open",
        "Other machines can reach the gateway",
        'Because gateway.bind is "lan", the credential is what keeps others out.',
        "gateway.bind: If nobody needs it: chela config set gateway.bind loopback",
      ],
    ],
  },
  {
    name: "no password",
    weak: { auth: { mode: "password", where: "gateway.auth.password" } },
    sound: { auth: { mode: "token", where: "gateway.auth.token" } },
    says: [
      [
        "warning auth-password-missing",
        "There is no password",
        "Nobody can prove who they are, so nobody is let in until one is set.",
        "gateway.auth.password: chela config set gateway.auth.password <a long one that is used nowhere else>",
      ],
    ],
  },
  {
    name: "a token everybody tries first",
    weak: { auth: { mode: "token", where: "gateway.auth.token", secret: GUESSABLE } },
    sound: { auth: { mode: "token", where: "gateway.auth.token", secret: STRONG } },
    says: [
      [
        "critical auth-secret-guessable",
        "The gateway's token is easy to guess",
        "It is a word or pattern that attackers try first, and whoever has it controls your agents.",
        'gateway.auth.token: chela config set gateway.auth.token "$(openssl rand -hex 24)"',
      ],
    ],
  },
  {
    name: "a short password",
    weak: { auth: { mode: "password", where: "OPENCLAW_GATEWAY_PASSWORD", secret: SHORT } },
    sound: { auth: { mode: "password", where: "gateway.auth.password", secret: STRONG } },
    says: [
      [
        "warning auth-secret-short",
        "The gateway's password is short",
        "With 9 characters it can be found by trying, and whoever has it controls your agents.",
        "OPENCLAW_GATEWAY_PASSWORD: chela config set gateway.auth.password <a long one that is used nowhere else>",
      ],
    ],
  },
  {
    name: "a short token behind Tailscale",
    weak: {
      auth: { mode: "token", where: "gateway.auth.token", secret: SHORT },
      config: { gateway: { tailscale: { mode: "serve" } } },
    },
    sound: {},
    says: [
      [
        "critical auth-secret-short",
        "The gateway's token is short",
        "With 9 characters it can be found by trying, and whoever has it controls your agents.",
        'gateway.auth.token: chela config set gateway.auth.token "$(openssl rand -hex 24)"',
      ],
      [
        "info bind-open",
        "Other machines can reach the gateway",
        'Because gateway.tailscale.mode is "serve", the credential is what keeps others out.',
        "gateway.tailscale.mode: If nobody needs it: chela config set gateway.tailscale.mode off",
      ],
    ],
  },
  {
    name: "a bind to all addresses",
    weak: { config: { gateway: { bind: "custom", customBindHost: "0.0.0.0" } } },
    sound: { config: { gateway: { bind: "custom", customBindHost: "127.0.0.1" } } },
    says: [
      [
        "info bind-open",
        "Other machines can reach the gateway",
        'Because gateway.customBindHost is "0.0.0.0", the credential is what keeps others out.',
        "gateway.customBindHost: If nobody needs it: chela config set gateway.bind loopback",
      ],
    ],
  },
  {
    name: "Tailscale Funnel",
    weak: { config: { gateway: { tailscale: { mode: "funnel" } } } },
    sound: { config: { gateway: { tailscale: { mode: "off" } } } },
    says: [
      [
        "warning tailscale-funnel",
        "The whole internet can reach the gateway",
        "With Tailscale Funnel the password is all that stands between strangers and your agents.",
        "gateway.tailscale.mode: chela config set gateway.tailscale.mode serve",
      ],
    ],
  },
  {
    name: "unencrypted credentials",
    weak: { allowsPlaintext: true, config: { gateway: { bind: "lan" } } },
    sound: { allowsPlaintext: true },
    says: [
      [
        "warning plaintext-allowed",
        "Credentials may travel unencrypted",
        "Everybody on the way between a client and the gateway can read the credential and use it.",
        "OPENCLAW_ALLOW_INSECURE_PRIVATE_WS: Unset the variable, and connect through Tailscale, an SSH tunnel or a proxy with TLS.",
      ],
      [
        "info bind-open",
        "Other machines can reach the gateway",
        'Because gateway.bind is "lan", the credential is what keeps others out.',
        "gateway.bind: If nobody needs it: chela config set gateway.bind loopback",
      ],
    ],
  },
  {
    name: "endless attempts",
    weak: { config: { gateway: { bind: "lan", auth: { rateLimit: { maxAttempts: 100000 } } } } },
    sound: { config: { gateway: { auth: { rateLimit: { maxAttempts: 100000 } } } } },
    says: [
      [
        "warning rate-limit-loose (fixable)",
        "Credentials can be tried very often",
        "100000 wrong attempts are allowed before a client has to wait, which makes guessing worthwhile.",
        "gateway.auth.rateLimit.maxAttempts: chela config unset gateway.auth.rateLimit.maxAttempts",
      ],
      [
        "info bind-open",
        "Other machines can reach the gateway",
        'Because gateway.bind is "lan", the credential is what keeps others out.',
        "gateway.bind: If nobody needs it: chela config set gateway.bind loopback",
      ],
    ],
  },
  {
    name: "proxies everywhere",
    weak: { config: { gateway: { trustedProxies: ["10.0.0.0/8", "10.1.2.3"] } } },
    sound: { config: { gateway: { trustedProxies: ["10.1.2.3", "10.1.2.0/28", "fd00::1/128"] } } },
    says: [
      [
        "warning proxies-wide",
        "Very many machines count as your proxy",
        "Every machine in 10.0.0.0/8 can say where a client comes from, and is believed.",
        "gateway.trustedProxies: List the addresses of the proxy one by one.",
      ],
    ],
  },
  {
    name: "a trusted proxy that is everybody",
    weak: { auth: { mode: "trusted-proxy", where: "" }, config: { gateway: { trustedProxies: ["*"] } } },
    sound: {
      auth: { mode: "trusted-proxy", where: "" },
      config: { gateway: { trustedProxies: ["::1"], auth: { trustedProxy: { allowUsers: ["ann"] } } } },
    },
    says: [
      [
        "critical proxies-wide",
        "Very many machines count as your proxy",
        "Every machine in * can say who a user is, and is believed.",
        "gateway.trustedProxies: List the addresses of the proxy one by one.",
      ],
      [
        "warning proxy-users-any",
        "Every user of the proxy is let in",
        "Whoever can log in at the proxy, for whatever reason, controls your agents.",
        "gateway.auth.trustedProxy.allowUsers: chela config set gateway.auth.trustedProxy.allowUsers '[\"you@example.org\"]'",
      ],
    ],
  },
  {
    name: "every origin, and one that is named",
    weak: { config: { gateway: { controlUi: { allowedOrigins: ["*", "https://a.example"] } } } },
    sound: { config: { gateway: { controlUi: { allowedOrigins: ["https://a.example"] } } } },
    says: [
      [
        "critical origins-wildcard (fixable)",
        "Every web page may talk to the gateway",
        "Any page that is open in your browser can try to use the gateway in your name.",
        "gateway.controlUi.allowedOrigins: Name the addresses from which people open the control page.",
      ],
    ],
  },
  {
    name: "every origin alone",
    weak: { config: { gateway: { controlUi: { allowedOrigins: ["*"] } } } },
    sound: {},
    says: [
      [
        "critical origins-wildcard",
        "Every web page may talk to the gateway",
        "Any page that is open in your browser can try to use the gateway in your name.",
        "gateway.controlUi.allowedOrigins: Name the addresses from which people open the control page.",
      ],
    ],
  },
  {
    name: "a page without a device",
    weak: { config: { gateway: { controlUi: { allowInsecureAuth: true } } } },
    sound: { config: { gateway: { controlUi: { allowInsecureAuth: false } } } },
    says: [
      [
        "warning page-insecure-auth",
        "The control page works without a proof of the device",
        "A stolen token is enough: the browser that uses it does not have to be one you approved.",
        "gateway.controlUi.allowInsecureAuth: chela config unset gateway.controlUi.allowInsecureAuth",
      ],
    ],
  },
];

describe("doors", () => runCases(CASES));

// Security checks about the door: what can be reached, and how somebody proves who they are.
import type { SecurityCheck, SecurityWeakness } from "@chela/sdk";
import {
  read,
  readText,
  readList,
  EVERYBODY,
  isForEverybody,
  withoutEverybody,
} from "../../base/settings/read-settings.ts";
import { setCommand } from "../../base/settings/change-settings.ts";

const NEW_TOKEN = 'chela config set gateway.auth.token "$(openssl rand -hex 24)"';

const NEW_PASSWORD = "chela config set gateway.auth.password <a long one that is used nowhere else>";

const checkCredential: SecurityCheck["look"] = (facts) => {
  const { mode, secret, where } = facts.auth;
  const exposure = facts.exposure;
  if (mode === "none") return [withoutAuth(exposure)];
  if (mode !== "token" && mode !== "password") return [];
  const fix = mode === "token" ? NEW_TOKEN : NEW_PASSWORD;
  if (!secret) {
    // The first start makes a token; a password is never made.
    if (mode === "token") return [];
    return [
      {
        id: "auth-password-missing",
        severity: exposure ? "critical" : "warning",
        title: "There is no password",
        risk: "Nobody can prove who they are, so nobody is let in until one is set.",
        where: "gateway.auth.password",
        fix,
      },
    ];
  }
  if (secret.isGuessable) {
    return [
      {
        id: "auth-secret-guessable",
        severity: "critical",
        title: `The gateway's ${mode} is easy to guess`,
        risk: "It is a word or pattern that attackers try first, and whoever has it controls your agents.",
        where,
        fix,
      },
    ];
  }
  if (!secret.isShort) return [];
  return [
    {
      id: "auth-secret-short",
      severity: exposure ? "critical" : "warning",
      title: `The gateway's ${mode} is short`,
      risk: `With ${secret.length} characters it can be found by trying, and whoever has it controls your agents.`,
      where,
      fix,
    },
  ];
};

function withoutAuth(exposure: string | undefined): SecurityWeakness {
  return {
    id: "auth-none",
    severity: exposure ? "critical" : "warning",
    title: "Nobody is asked for a credential",
    risk: exposure
      ? `Because ${exposure}, whoever reaches this machine controls your agents.`
      : "Every program and every user of this machine controls your agents.",
    where: "gateway.auth.mode",
    fix: "chela config set gateway.auth.mode token",
  };
}

const checkExposure: SecurityCheck["look"] = (facts) => {
  const exposure = facts.exposure;
  if (!exposure) return [];
  const isFunnel = readText(facts.config, "gateway.tailscale.mode") === "funnel";
  const found: SecurityWeakness[] = [
    isFunnel
      ? {
          id: "tailscale-funnel",
          severity: "warning",
          title: "The whole internet can reach the gateway",
          risk: "With Tailscale Funnel the password is all that stands between strangers and your agents.",
          where: "gateway.tailscale.mode",
          fix: "chela config set gateway.tailscale.mode serve",
        }
      : {
          id: "bind-open",
          severity: "info",
          title: "Other machines can reach the gateway",
          risk: `Because ${exposure}, the credential is what keeps others out.`,
          where: exposure.split(" ", 1)[0] ?? "gateway.bind",
          fix: `If nobody needs it: ${exposure.startsWith("gateway.tailscale") ? setCommand("gateway.tailscale.mode", "off") : setCommand("gateway.bind", "loopback")}`,
        },
  ];
  if (facts.allowsPlaintext) {
    found.push({
      id: "plaintext-allowed",
      severity: "warning",
      title: "Credentials may travel unencrypted",
      risk: "Everybody on the way between a client and the gateway can read the credential and use it.",
      where: "OPENCLAW_ALLOW_INSECURE_PRIVATE_WS",
      fix: "Unset the variable, and connect through Tailscale, an SSH tunnel or a proxy with TLS.",
    });
  }
  return found;
};

const checkRateLimit: SecurityCheck["look"] = (facts) => {
  const most = read(facts.config, "gateway.auth.rateLimit.maxAttempts");
  if (!facts.exposure || typeof most !== "number" || most <= 100) return [];
  return [
    {
      id: "rate-limit-loose",
      severity: "warning",
      title: "Credentials can be tried very often",
      risk: `${most} wrong attempts are allowed before a client has to wait, which makes guessing worthwhile.`,
      where: "gateway.auth.rateLimit.maxAttempts",
      fix: "chela config unset gateway.auth.rateLimit.maxAttempts",
      repair: { kind: "config", path: "gateway.auth.rateLimit.maxAttempts" },
    },
  ];
};

const checkProxies: SecurityCheck["look"] = ({ config, auth }) => {
  const isTrusted = auth.mode === "trusted-proxy";
  const wide = readList(config, "gateway.trustedProxies").filter(isWideRange);
  const found: SecurityWeakness[] = [];
  if (wide.length > 0) {
    found.push({
      id: "proxies-wide",
      severity: isTrusted ? "critical" : "warning",
      title: "Very many machines count as your proxy",
      risk: isTrusted
        ? `Every machine in ${wide.join(", ")} can say who a user is, and is believed.`
        : `Every machine in ${wide.join(", ")} can say where a client comes from, and is believed.`,
      where: "gateway.trustedProxies",
      fix: "List the addresses of the proxy one by one.",
    });
  }
  if (isTrusted && !Array.isArray(read(config, "gateway.auth.trustedProxy.allowUsers"))) {
    found.push({
      id: "proxy-users-any",
      severity: "warning",
      title: "Every user of the proxy is let in",
      risk: "Whoever can log in at the proxy, for whatever reason, controls your agents.",
      where: "gateway.auth.trustedProxy.allowUsers",
      fix: `chela config set gateway.auth.trustedProxy.allowUsers '["you@example.org"]'`,
    });
  }
  return found;
};

/** A proxy is one machine or a few; ranges this large hold other people's. */
function isWideRange(entry: string): boolean {
  const [address = "", bits] = entry.split("/");
  if (entry === EVERYBODY) return true;
  return bits !== undefined && Number(bits) < (address.includes(":") ? 64 : 24);
}

const checkControlPage: SecurityCheck["look"] = (facts) => {
  const { config } = facts;
  const found: SecurityWeakness[] = [];
  const origins = readList(config, "gateway.controlUi.allowedOrigins");
  const named = withoutEverybody(origins);
  if (isForEverybody(origins)) {
    found.push({
      id: "origins-wildcard",
      severity: "critical",
      title: "Every web page may talk to the gateway",
      risk: "Any page that is open in your browser can try to use the gateway in your name.",
      where: "gateway.controlUi.allowedOrigins",
      fix: "Name the addresses from which people open the control page.",
      ...(named.length > 0
        ? { repair: { kind: "config", path: "gateway.controlUi.allowedOrigins", value: named } as const }
        : {}),
    });
  }
  if (read(config, "gateway.controlUi.allowInsecureAuth") === true) {
    found.push({
      id: "page-insecure-auth",
      severity: facts.exposure ? "critical" : "warning",
      title: "The control page works without a proof of the device",
      risk: "A stolen token is enough: the browser that uses it does not have to be one you approved.",
      where: "gateway.controlUi.allowInsecureAuth",
      fix: "chela config unset gateway.controlUi.allowInsecureAuth",
    });
  }
  return found;
};

const LOOKS = [checkCredential, checkExposure, checkRateLimit, checkProxies, checkControlPage];

export const doorChecks: readonly SecurityCheck[] = LOOKS.map((look) => ({ topic: "doors", look }));

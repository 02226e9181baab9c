// `gateway`: the door. Port, who may enter, what the HTTP side serves.
import { once } from "@chela/sdk";
import {
  anyNumber,
  block,
  bool,
  choice,
  count,
  nonEmptyText,
  portNumber,
  positive,
  secret,
  text,
  textOrFalse,
  texts,
} from "./leaf.ts";
import { tailscaleMode } from "./shared.ts";

export const gatewaySection = once(() =>
  block(() => ({
    port: portNumber(),
    mode: choice("local", "remote"),
    bind: choice("auto", "lan", "loopback", "custom", "tailnet"),
    customBindHost: text(),
    controlUi: block(() => ({
      enabled: bool(),
      basePath: text(),
      root: text(),
      allowedOrigins: texts(),
      dangerouslyAllowHostHeaderOriginFallback: bool(),
      allowInsecureAuth: bool(),
      dangerouslyDisableDeviceAuth: bool(),
    })),
    auth: block(() => ({
      mode: choice("none", "token", "password", "trusted-proxy"),
      token: secret(),
      password: secret(),
      allowTailscale: bool(),
      rateLimit: block(() => ({
        maxAttempts: anyNumber(),
        windowMs: anyNumber(),
        lockoutMs: anyNumber(),
        exemptLoopback: bool(),
      })),
      trustedProxy: block(() => ({ userHeader: nonEmptyText(), requiredHeaders: texts(), allowUsers: texts() })),
    })),
    trustedProxies: texts(),
    allowRealIpFallback: bool(),
    tools: block(() => ({ deny: texts(), allow: texts() })),
    channelHealthCheckMinutes: count(),
    tailscale: block(() => ({ mode: tailscaleMode(), resetOnExit: bool() })),
    remote: block(() => ({
      url: text(),
      transport: choice("ssh", "direct"),
      token: secret(),
      password: secret(),
      tlsFingerprint: text(),
      sshTarget: text(),
      sshIdentity: text(),
    })),
    reload: block(() => ({ mode: choice("off", "restart", "hot", "hybrid"), debounceMs: count() })),
    tls: block(() => ({ enabled: bool(), autoGenerate: bool(), certPath: text(), keyPath: text(), caPath: text() })),
    http: block(() => ({
      endpoints: block(() => ({ chatCompletions: block(() => ({ enabled: bool() })), responses: responsesEndpoint() })),
      securityHeaders: block(() => ({ strictTransportSecurity: textOrFalse() })),
    })),
    nodes: block(() => ({
      browser: block(() => ({ mode: choice("auto", "manual", "off"), node: text() })),
      allowCommands: texts(),
      denyCommands: texts(),
    })),
  })),
);

const fetchLimits = () => ({
  allowUrl: bool(),
  urlAllowlist: texts(),
  allowedMimes: texts(),
  maxBytes: positive(),
  maxRedirects: count(),
  timeoutMs: positive(),
});

const responsesEndpoint = () =>
  block(() => ({
    enabled: bool(),
    maxBodyBytes: positive(),
    maxUrlParts: count(),
    files: block(() => ({
      ...fetchLimits(),
      maxChars: positive(),
      pdf: block(() => ({ maxPages: positive(), maxPixels: positive(), minTextChars: count() })),
    })),
    images: block(fetchLimits),
  }));

// `browser`: the browser that agents may steer.
import { once } from "@chela/sdk";
import { block, bool, choice, count, item, mapOf, portNumber, text, texts } from "./leaf.ts";

export const browserSection = once(() =>
  block(() => ({
    enabled: bool(),
    evaluateEnabled: bool(),
    cdpUrl: text(),
    remoteCdpTimeoutMs: count(),
    remoteCdpHandshakeTimeoutMs: count(),
    color: text(),
    executablePath: text(),
    headless: bool(),
    noSandbox: bool(),
    attachOnly: bool(),
    defaultProfile: text(),
    snapshotDefaults: block(() => ({ mode: choice("efficient") })),
    ssrfPolicy: block(() => ({
      allowPrivateNetwork: bool(),
      dangerouslyAllowPrivateNetwork: bool(),
      allowedHostnames: texts(),
      hostnameAllowlist: texts(),
    })),
    profiles: mapOf(
      item(() => ({ cdpPort: portNumber(), cdpUrl: text(), driver: choice("clawd", "extension"), color: text() })),
    ),
  })),
);

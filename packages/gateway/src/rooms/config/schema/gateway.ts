// `gateway`: the door. Port, who may enter, what the HTTP side serves.
import {
  anyNumber,
  block,
  bool,
  choice,
  count,
  key,
  nonEmptyText,
  part,
  portNumber,
  secret,
  section,
  text,
  textOrFalse,
  texts,
} from "@chela/sdk/config";
import { USUAL_PORT } from "../settings/gateway-port.ts";
import { tailscaleMode } from "./shared.ts";

export const gatewaySection = section("Where the gateway listens, and who may connect.", { reload: "restart" }, () =>
  block(() => ({
    port: key(portNumber(), "The one port of the gateway.", { preset: USUAL_PORT, reload: { room: "server" } }),
    mode: key(choice("local", "remote"), "Whether this machine runs the gateway or uses one elsewhere.", {
      preset: "local",
    }),
    bind: key(choice("auto", "lan", "loopback", "custom", "tailnet"), "From where the gateway can be reached.", {
      preset: "loopback",
      reload: { room: "server" },
    }),
    customBindHost: key(text(), "The address to listen on when bind is custom.", { reload: { room: "server" } }),
    controlUi: part(
      block(() => ({
        enabled: key(bool(), "Whether the control page is served.", { preset: true }),
        basePath: key(text(), "Path under which the control page is served.", { preset: "" }),
        root: key(text(), "Directory with another build of the control page."),
        allowedOrigins: key(texts(), "Other pages that may connect from a browser."),
        dangerouslyAllowHostHeaderOriginFallback: key(
          bool(),
          "Whether a page is trusted because its address equals the Host header. Dangerous.",
        ),
        allowInsecureAuth: key(
          bool(),
          "Whether the control page may connect from this machine without proving a device.",
        ),
        dangerouslyDisableDeviceAuth: key(bool(), "The same from anywhere. Dangerous."),
      })),
      { reload: "live" },
    ),
    auth: part(
      block(() => ({
        mode: key(choice("none", "token", "password", "trusted-proxy"), "What a client must bring to be let in.", {
          preset: "token",
        }),
        token: key(secret(), "The token clients must bring."),
        password: key(secret(), "The password clients must bring."),
        allowTailscale: key(bool(), "Whether a verified Tailscale identity is enough."),
        rateLimit: block(() => ({
          maxAttempts: key(anyNumber(), "How many failed attempts are allowed in the window.", { preset: 10 }),
          windowMs: key(anyNumber(), "Length of the window in which failed attempts are counted.", { preset: 60_000 }),
          lockoutMs: key(anyNumber(), "How long an address is locked out.", { preset: 300_000 }),
          exemptLoopback: key(
            bool(),
            "Whether this machine is never locked out. Guesses at a weak secret are slowed down here, to one a second.",
            { preset: true },
          ),
        })),
        trustedProxy: block(() => ({
          userHeader: key(nonEmptyText(), "Header in which the proxy names the user."),
          requiredHeaders: key(texts(), "Headers the proxy must send as well."),
          allowUsers: key(texts(), "Users who may enter; empty means all the proxy names."),
        })),
      })),
      { reload: "live" },
    ),
    trustedProxies: key(texts(), "Addresses of proxies whose forwarding headers are believed.", { reload: "live" }),
    allowRealIpFallback: key(
      bool(),
      "Whether such a proxy may name its client in X-Real-IP, when X-Forwarded-For is missing.",
      { preset: false, reload: "live" },
    ),
    tools: part(
      block(() => ({
        deny: key(texts(), "Tools that POST /tools/invoke may not run."),
        allow: key(texts(), "Tools that POST /tools/invoke may run although it does not by itself, such as cron."),
      })),
      { reload: "live" },
    ),

    tailscale: part(
      block(() => ({
        mode: key(
          tailscaleMode(),
          "What Tailscale does for the gateway. Run `tailscale serve` or `tailscale funnel` yourself; this says which, so that the rules for an open door hold.",
          { preset: "off" },
        ),
      })),
      { reload: { room: "server" } },
    ),
    remote: part(
      block(() => ({
        url: key(text(), "Address of the gateway elsewhere."),

        token: key(secret(), "Token for the gateway elsewhere."),
        password: key(secret(), "Password for the gateway elsewhere."),
        tlsFingerprint: key(text(), "Fingerprint of the certificate of the gateway elsewhere."),
      })),
      { reload: "live" },
    ),
    reload: part(
      block(() => ({
        mode: key(choice("off", "restart", "hot", "hybrid"), "What happens when this file changes.", {
          preset: "hybrid",
        }),
        debounceMs: key(count(), "How long to wait for further changes first.", { preset: 300 }),
      })),
      { reload: "live" },
    ),
    tls: part(
      block(() => ({
        enabled: key(bool(), "Whether the gateway speaks TLS itself."),
        autoGenerate: key(
          bool(),
          "Whether a certificate is made when there is none. Without certPath and keyPath one is made unless this is false.",
        ),
        certPath: key(text(), "File with the certificate, and those it was signed with."),
        keyPath: key(text(), "File with the certificate's private key."),
      })),
      { reload: { room: "server" } },
    ),
    http: part(
      block(() => ({
        endpoints: block(() => ({
          chatCompletions: block(() => ({ enabled: key(bool(), "Whether /v1/chat/completions is served.") })),
          responses: responsesEndpoint(),
        })),
        securityHeaders: block(() => ({
          strictTransportSecurity: key(textOrFalse(), "Value of the Strict-Transport-Security header."),
        })),
      })),
      { reload: "live" },
    ),
    nodes: block(() => ({
      allowCommands: key(texts(), "Commands nodes may be asked for beyond those of their platform."),
      denyCommands: key(texts(), "Commands nodes are never asked for."),
    })),
  })),
);

const responsesEndpoint = () =>
  block(() => ({
    enabled: key(bool(), "Whether /v1/responses is served."),
  }));

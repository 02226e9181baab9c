// S-02: a page or a name we do not know gets nothing.
import { describe, expect, it } from "vitest";
import {
  decideConnectOrigin,
  decideHttpRequest,
  decideUpgrade,
  parseAddressList,
  resolveClient,
  type Headers,
  type OriginRules,
  type WebRequest,
} from "./index.ts";

const RULES: OriginRules = {
  allowedOrigins: ["https://gw.example", "http://192.168.1.5:18789"],
  allowHostFallback: false,
  isTailscaleOn: false,
  listenHosts: ["127.0.0.1", "::1"],
};

function request(headers: Headers, peerAddress = "127.0.0.1"): WebRequest {
  return { headers, client: resolveClient({ peerAddress, headers, trustedProxies: parseAddressList([]) }) };
}

describe("S-02 every host name", () => {
  it.each([
    ["localhost:18789", {}, "ok"],
    ["127.0.0.1:18789", {}, "ok"],
    ["[::1]:18789", {}, "ok"],
    ["gw.example", {}, "ok"],
    ["192.168.1.5:18789", {}, "ok"],
    ["192.168.1.6:18789", {}, "host not allowed"],
    ["192.168.1.6", { listenHosts: ["0.0.0.0"] }, "ok"],
    ["192.168.1.6", { listenHosts: ["192.168.1.6", "127.0.0.1"] }, "ok"],
    ["evil.example", { listenHosts: ["0.0.0.0"] }, "host not allowed"],
    ["rebind.gw.example", {}, "host not allowed"],
    ["box.tail1.ts.net", {}, "host not allowed"],
    ["box.tail1.ts.net", { isTailscaleOn: true }, "ok"],
    ["box.tail1.ts.net.evil.example", { isTailscaleOn: true }, "host not allowed"],
    ["localhost/evil", {}, "host missing or invalid"],
    ["", {}, "host missing or invalid"],
    [undefined, {}, "host missing or invalid"],
    ["anything.example", { allowedOrigins: ["*"] }, "host not allowed"],
  ])("%s with %j", (host, more, expected) => {
    const rules = { ...RULES, ...more };
    const decisions = [
      decideUpgrade(request({ host }), rules),
      decideHttpRequest({ ...request({ host }), method: "GET" }, rules),
    ];
    for (const decision of decisions) expect(decision.kind === "ok" ? "ok" : decision.reason).toBe(expected);
  });
});

describe("S-02 every origin", () => {
  it.each([
    ["https://gw.example", "gw.example", {}, "ok"],
    ["HTTPS://GW.example", "gw.example", {}, "ok"],
    ["https://gw.example:443", "gw.example", {}, "ok"],
    ["http://gw.example", "gw.example", {}, "origin not allowed"],
    ["https://gw.example:8443", "gw.example", {}, "origin not allowed"],
    ["https://gw.example.evil.example", "gw.example", {}, "origin not allowed"],
    ["http://localhost:5173", "localhost:18789", {}, "ok"],
    ["http://127.0.0.1:18789", "[::1]:18789", {}, "ok"],
    ["http://localhost:5173", "gw.example", {}, "origin not allowed"],
    ["http://localhost.evil.example", "localhost:18789", {}, "origin not allowed"],
    ["null", "localhost", {}, "origin missing or invalid"],
    ["", "localhost", {}, "origin missing or invalid"],
    ["file://", "localhost", {}, "origin missing or invalid"],
    ["https://gw.example/path", "gw.example", {}, "origin missing or invalid"],
    ["https://user@gw.example", "gw.example", {}, "origin missing or invalid"],
    ["chrome-extension://abc", "localhost", {}, "origin missing or invalid"],
    ["http://192.168.1.6:18789", "192.168.1.6:18789", { listenHosts: ["0.0.0.0"] }, "origin not allowed"],
    ["http://192.168.1.6:18789", "192.168.1.6:18789", { listenHosts: ["0.0.0.0"], allowHostFallback: true }, "ok"],
    [
      "http://192.168.1.7:18789",
      "192.168.1.6:18789",
      { listenHosts: ["0.0.0.0"], allowHostFallback: true },
      "origin not allowed",
    ],
    ["https://evil.example", "localhost", { allowedOrigins: ["*"] }, "origin not allowed"],
  ])("%s at %s with %j", (origin, host, more, expected) => {
    const rules = { ...RULES, ...more };
    const asked = request({ host, origin });
    const decisions = [
      decideUpgrade(asked, rules),
      decideConnectOrigin({ ...asked, isBrowserUi: false }, rules),
      decideConnectOrigin({ ...asked, isBrowserUi: true }, rules),
      ...["GET", "POST", "DELETE"].map((method) => decideHttpRequest({ ...asked, method }, rules)),
    ];
    for (const decision of decisions) expect(decision.kind === "ok" ? "ok" : decision.reason).toBe(expected);
  });

  it("on loopback counts only from a client that is really local", () => {
    const headers = { host: "localhost", origin: "http://localhost" };
    expect(decideUpgrade(request(headers, "192.0.2.9"), RULES).kind).toBe("refused");
    expect(decideUpgrade(request({ ...headers, "x-forwarded-for": "127.0.0.1" }), RULES).kind).toBe("refused");
  });

  it("must be there for the Control UI, in the words clients know", () => {
    expect(decideConnectOrigin({ ...request({ host: "localhost" }), isBrowserUi: true }, RULES)).toEqual({
      kind: "refused",
      reason: "origin missing or invalid",
      message:
        "origin not allowed (open the Control UI from the gateway host or allow it in gateway.controlUi.allowedOrigins)",
      detailCode: "CONTROL_UI_ORIGIN_NOT_ALLOWED",
    });
    expect(decideConnectOrigin({ ...request({ host: "localhost" }), isBrowserUi: false }, RULES).kind).toBe("ok");
  });

  it.each([
    ["POST", "cross-site", "refused"],
    ["POST", "same-site", "refused"],
    ["POST", "same-origin", "ok"],
    ["POST", undefined, "ok"],
    ["GET", "cross-site", "refused"],
    ["GET", "same-origin", "ok"],
    ["GET", undefined, "ok"],
  ])("may be missing from a %s only if the browser does not say %s", (method, site, kind) => {
    const asked = { ...request({ host: "localhost", "sec-fetch-site": site }), method };
    expect(decideHttpRequest(asked, RULES).kind).toBe(kind);
  });
});

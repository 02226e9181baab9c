// S-03 and S-34: nothing listens beyond this machine unless somebody has to show a credential.
import { GatewayError } from "@chela/sdk";
import { describe, expect, it } from "vitest";
import {
  checkBindSafety,
  parseAddressList,
  resolveAuthMode,
  resolveBind,
  type AuthConfig,
  type BindConfig,
  type BindSafetyQuestion,
} from "./index.ts";

const INTERFACES = {
  lo: [{ address: "127.0.0.1" }, { address: "::1" }],
  eth0: [{ address: "192.168.1.5" }, { address: "fe80::1%eth0" }],
};
const WITH_TAILNET = { ...INTERFACES, tailscale0: [{ address: "100.101.1.2" }] };

function codeOf(run: () => unknown): string {
  try {
    run();
    return "fine";
  } catch (error) {
    if (GatewayError.is(error)) return error.code;
    throw error;
  }
}

describe("what to listen on", () => {
  it.each<[BindConfig, readonly string[], boolean]>([
    [{}, ["127.0.0.1", "::1"], true],
    [{ bind: "loopback" }, ["127.0.0.1", "::1"], true],
    [{ bind: "auto" }, ["127.0.0.1", "::1"], true],
    [{ bind: "lan" }, ["0.0.0.0"], false],
    [{ bind: "tailnet" }, ["100.101.1.2", "127.0.0.1"], false],
    [{ bind: "custom", customBindHost: "192.168.1.5" }, ["192.168.1.5"], false],
    [{ bind: "custom", customBindHost: "127.0.0.1" }, ["127.0.0.1"], true],
    [{ bind: "custom", customBindHost: "localhost" }, ["127.0.0.1", "::1"], true],
    [{ bind: "custom", customBindHost: "0.0.0.0" }, ["0.0.0.0"], false],
  ])("%j", (config, hosts, isLoopbackOnly) => {
    expect(resolveBind(config, WITH_TAILNET)).toEqual({ hosts, isLoopbackOnly });
  });

  it("leaves out IPv6 where there is none", () => {
    expect(resolveBind({}, { lo: [{ address: "127.0.0.1" }] }).hosts).toEqual(["127.0.0.1"]);
  });

  it.each<[string, BindConfig]>([
    ["a tailnet that is not there", { bind: "tailnet" }],
    ["a custom host that is not set", { bind: "custom" }],
    ["an address of another machine", { bind: "custom", customBindHost: "192.168.1.77" }],
    ["a name", { bind: "custom", customBindHost: "gw.example" }],
    ["an unknown mode", { bind: "everything" as "lan" }],
  ])("refuses %s instead of widening", (_name, config) => {
    expect(codeOf(() => resolveBind(config, INTERFACES))).toBe("CONFIG_INVALID");
  });
});

describe("whether that is safe", () => {
  const loopback = resolveBind({}, INTERFACES);
  const lan = resolveBind({ bind: "lan" }, INTERFACES);
  const trustedProxy = { userHeader: "x-user" };

  function check(auth: AuthConfig["auth"], more: Partial<BindSafetyQuestion> = {}): string {
    return codeOf(() =>
      checkBindSafety({
        bind: loopback,
        auth: resolveAuthMode({ auth }, {}),
        trustedProxies: parseAddressList([]),
        controlUi: { enabled: false },
        ...more,
      }),
    );
  }

  it.each<[string, AuthConfig["auth"], Partial<BindSafetyQuestion>, string]>([
    ["loopback without a credential", { mode: "none" }, {}, "fine"],
    ["loopback before the token is made", {}, {}, "fine"],
    ["open without a credential", { mode: "none" }, { bind: lan }, "START_OPEN_BIND"],
    ["open with a token", { token: "t" }, { bind: lan }, "fine"],
    ["open with a blank token", { token: "  " }, { bind: lan }, "START_OPEN_BIND"],
    ["open with nothing configured", undefined, { bind: lan }, "START_OPEN_BIND"],
    ["open with a password", { password: "p" }, { bind: lan }, "fine"],
    ["open in password mode without one", { mode: "password", token: "t" }, { bind: lan }, "START_OPEN_BIND"],
    ["served to the tailnet without a credential", { mode: "none" }, { tailscaleMode: "serve" }, "START_OPEN_BIND"],
    ["served to the tailnet with a token", { token: "t" }, { tailscaleMode: "serve" }, "fine"],
    ["served while listening elsewhere too", { token: "t" }, { tailscaleMode: "serve", bind: lan }, "CONFIG_INVALID"],
    ["a funnel with a token", { token: "t" }, { tailscaleMode: "funnel" }, "START_FUNNEL"],
    ["a funnel with a password", { password: "p" }, { tailscaleMode: "funnel" }, "fine"],
    ["a proxy that is not listed", { mode: "trusted-proxy", trustedProxy }, {}, "CONFIG_INVALID"],
    [
      "a proxy on loopback",
      { mode: "trusted-proxy", trustedProxy },
      { trustedProxies: parseAddressList(["127.0.0.1"]) },
      "fine",
    ],
    [
      "a proxy elsewhere on loopback",
      { mode: "trusted-proxy", trustedProxy },
      { trustedProxies: parseAddressList(["10.0.0.1"]) },
      "CONFIG_INVALID",
    ],
    [
      "a proxy elsewhere",
      { mode: "trusted-proxy", trustedProxy },
      { bind: lan, trustedProxies: parseAddressList(["10.0.0.1"]) },
      "fine",
    ],
    [
      "a proxy together with a token",
      { mode: "trusted-proxy", trustedProxy, token: "t" },
      { trustedProxies: parseAddressList(["::1"]) },
      "CONFIG_INVALID",
    ],
    [
      "a proxy without a user header",
      { mode: "trusted-proxy" },
      { trustedProxies: parseAddressList(["::1"]) },
      "CONFIG_INVALID",
    ],
    ["the Control UI open to all origins", { token: "t" }, { bind: lan, controlUi: undefined }, "CONFIG_INVALID"],
    ["the Control UI with origins", { token: "t" }, { bind: lan, controlUi: { allowedOrigins: ["http://a"] } }, "fine"],
    [
      "the Control UI with the fallback",
      { token: "t" },
      { bind: lan, controlUi: { dangerouslyAllowHostHeaderOriginFallback: true } },
      "fine",
    ],
    ["the Control UI on loopback", { token: "t" }, { controlUi: undefined }, "fine"],
  ])("%s", (_name, auth, more, expected) => expect(check(auth, more)).toBe(expected));

  it("says what to do", () => {
    const run = () =>
      checkBindSafety({
        bind: lan,
        auth: resolveAuthMode({ auth: { mode: "none" } }, {}),
        trustedProxies: parseAddressList([]),
      });
    expect(run).toThrow(/0\.0\.0\.0.*"none" is for loopback only/);
  });
});

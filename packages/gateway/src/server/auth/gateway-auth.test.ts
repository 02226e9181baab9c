// S-04, S-07, S-08, S-34: who gets in, what the others are told, and that gaps never open the door.
import { createFakeClock } from "@chela/sdk/testing";
import { describe, expect, it } from "vitest";
import {
  authorize,
  authorizeDeviceToken,
  createRateLimiter,
  createTailscaleWhois,
  deny,
  digestSecret,
  parseAddressList,
  resolveAuthMode,
  resolveClient,
  type AuthConfig,
  type AuthOutcome,
  type AuthParts,
  type AuthRequest,
  type Denied,
  type Headers,
} from "./index.ts";

const nobody = async () => undefined;

function parts(config: AuthConfig, more: Partial<AuthParts> & { env?: Record<string, string> } = {}): AuthParts {
  return {
    auth: resolveAuthMode(config, more.env ?? {}),
    limiter: createRateLimiter(createFakeClock()),
    whois: nobody,
    hasProxies: false,
    ...more,
  };
}

interface From {
  readonly peer?: string;
  readonly headers?: Headers;
  readonly proxies?: readonly string[];
}

function request(credentials: AuthRequest["credentials"], more: Partial<AuthRequest> & From = {}): AuthRequest {
  const headers = { host: "localhost", ...more.headers };
  const trustedProxies = parseAddressList(more.proxies ?? []);
  return {
    credentials,
    client: resolveClient({ peerAddress: more.peer ?? "192.0.2.1", headers, trustedProxies }),
    surface: "ws",
    foreignPage: undefined,
    clientKind: "other",
    ...more,
    headers,
  };
}

const summary = (outcome: AuthOutcome): string => (outcome.kind === "ok" ? `ok ${outcome.method}` : outcome.reason);

describe("the mode", () => {
  it.each<[AuthConfig["auth"], Record<string, string>, string]>([
    [undefined, {}, "token"],
    [{ token: "t" }, {}, "token"],
    [{ password: "p" }, {}, "password"],
    [{ token: "t", password: "p" }, {}, "token"],
    [{ mode: "password", token: "t" }, {}, "password"],
    [{ mode: "none" }, {}, "none"],
    [{}, { OPENCLAW_GATEWAY_PASSWORD: "p" }, "password"],
    [{}, { CLAWDBOT_GATEWAY_PASSWORD: "p" }, "password"],
    [{ password: "p" }, { OPENCLAW_GATEWAY_TOKEN: "t" }, "token"],
  ])("of %j with %j is %s", (auth, env, mode) => {
    expect(resolveAuthMode({ auth }, env).mode).toBe(mode);
  });

  it("takes secrets from the configuration before the environment", async () => {
    const env = { OPENCLAW_GATEWAY_TOKEN: "from-env", CLAWDBOT_GATEWAY_TOKEN: "from-old-env" };
    expect(
      summary(await authorize(request({ token: "from-file" }), parts({ auth: { token: "from-file" } }, { env }))),
    ).toBe("ok token");
    expect(
      summary(await authorize(request({ token: "from-env" }), parts({ auth: { token: "from-file" } }, { env }))),
    ).toBe("token_mismatch");
    expect(summary(await authorize(request({ token: "from-env" }), parts({ auth: { token: " " } }, { env })))).toBe(
      "ok token",
    );
    const old = { CLAWDBOT_GATEWAY_TOKEN: "from-old-env" };
    expect(summary(await authorize(request({ token: "from-old-env" }), parts({}, { env: old })))).toBe("ok token");
  });

  it("lets tailnet users in by default only for serve with a token", () => {
    const allows = (config: AuthConfig): boolean => resolveAuthMode(config, {}).allowTailscale;
    expect(allows({ auth: { token: "t" }, tailscale: { mode: "serve" } })).toBe(true);
    expect(allows({ auth: { token: "t" }, tailscale: { mode: "funnel" } })).toBe(false);
    expect(allows({ auth: { password: "p" }, tailscale: { mode: "serve" } })).toBe(false);
    expect(allows({ auth: { mode: "trusted-proxy" }, tailscale: { mode: "serve" } })).toBe(false);
    expect(allows({ auth: { token: "t", allowTailscale: false }, tailscale: { mode: "serve" } })).toBe(false);
  });

  it("S-29 keeps no secret that could be printed", () => {
    const auth = resolveAuthMode({ auth: { token: "very-secret", password: "also-secret" } }, {});
    expect(JSON.stringify(auth) + String(auth.token)).not.toContain("secret");
    expect(JSON.stringify(auth)).toContain("[redacted]");
  });
});

describe("S-08 comparing secrets", () => {
  it.each([
    ["secret", true],
    ["secre", false],
    ["secret ", false],
    ["", false],
    ["S".repeat(100_000), false],
    ["s\u0000ecret", false],
  ])("%#", (candidate, isSame) => expect(digestSecret("secret").matches(candidate)).toBe(isSame));
});

describe("a refusal", () => {
  it.each<[AuthConfig["auth"], AuthRequest["credentials"], Partial<AuthRequest>, string, string]>([
    [
      { token: "t" },
      {},
      { clientKind: "cli" },
      "AUTH_TOKEN_MISSING",
      "unauthorized: gateway token missing (set gateway.remote.token to match gateway.auth.token)",
    ],
    [
      { token: "t" },
      { token: "x" },
      {},
      "AUTH_TOKEN_MISMATCH",
      "unauthorized: gateway token mismatch (provide gateway auth token)",
    ],
    [
      { token: "t" },
      { password: "t" },
      {},
      "AUTH_TOKEN_MISSING",
      "unauthorized: gateway token missing (provide gateway auth token)",
    ],
    [
      { token: "t" },
      { token: "" },
      { clientKind: "ui" },
      "AUTH_TOKEN_MISSING",
      "unauthorized: gateway token missing (paste the gateway token in the Control UI settings)",
    ],
    [
      {},
      { token: "x" },
      {},
      "AUTH_TOKEN_NOT_CONFIGURED",
      "unauthorized: gateway token not configured on gateway (set gateway.auth.token)",
    ],
    [
      { password: "p" },
      {},
      {},
      "AUTH_PASSWORD_MISSING",
      "unauthorized: gateway password missing (provide gateway auth password)",
    ],
    [
      { password: "p" },
      { password: "x" },
      { clientKind: "cli" },
      "AUTH_PASSWORD_MISMATCH",
      "unauthorized: gateway password mismatch (set gateway.remote.password to match gateway.auth.password)",
    ],
    [
      { mode: "password" },
      { password: "x" },
      {},
      "AUTH_PASSWORD_NOT_CONFIGURED",
      "unauthorized: gateway password not configured on gateway (set gateway.auth.password)",
    ],
    [{ mode: "trusted-proxy" }, { token: "x" }, {}, "AUTH_UNAUTHORIZED", "unauthorized"],
    [{ mode: "bogus" as "token", token: "t" }, { token: "t" }, {}, "AUTH_UNAUTHORIZED", "unauthorized"],
  ])("of %j for %j %j", async (auth, credentials, more, detailCode, message) => {
    expect(await authorize(request(credentials, more), parts({ auth }))).toMatchObject({
      kind: "denied",
      detailCode,
      message,
    });
  });

  it("has the shape that was recorded from the original", async () => {
    expect(await authorize(request({ token: "wrong" }), parts({ auth: { token: "t" } }))).toEqual({
      kind: "denied",
      reason: "token_mismatch",
      detailCode: "AUTH_TOKEN_MISMATCH",
      message: "unauthorized: gateway token mismatch (provide gateway auth token)",
      advice: { canRetryWithDeviceToken: false, recommendedNextStep: "update_auth_credentials" },
    });
  });

  it.each([
    ["token_missing", "update_auth_configuration"],
    ["password_missing_config", "update_auth_configuration"],
    ["password_mismatch", "update_auth_credentials"],
    ["device_token_mismatch", "update_auth_credentials"],
    ["rate_limited", "wait_then_retry"],
    ["trusted_proxy_user_missing", "review_auth_configuration"],
    ["tailscale_whois_failed", "review_auth_configuration"],
  ] as const)("for %s recommends %s", (reason, step) => {
    expect(deny(reason, { clientKind: "other" }).advice).toEqual({
      canRetryWithDeviceToken: false,
      recommendedNextStep: step,
    });
  });

  it("tells a proved device that its own token may help", async () => {
    const outcome = await authorize(
      request({ token: "x" }, { mayHoldDeviceToken: true }),
      parts({ auth: { token: "t" } }),
    );
    expect(outcome).toMatchObject({
      advice: { canRetryWithDeviceToken: true, recommendedNextStep: "retry_with_device_token" },
    });
  });

  it("always fits into a close reason", () => {
    const reasons = [
      "token_missing",
      "token_mismatch",
      "token_missing_config",
      "password_missing",
      "password_mismatch",
      "password_missing_config",
      "tailscale_user_missing",
      "tailscale_proxy_missing",
      "tailscale_whois_failed",
      "tailscale_user_mismatch",
      "rate_limited",
      "device_token_mismatch",
      "unauthorized",
    ] as const;
    for (const reason of reasons) {
      for (const clientKind of ["cli", "ui", "other"] as const) {
        expect(Buffer.byteLength(deny(reason, { clientKind }).message)).toBeLessThanOrEqual(120);
      }
    }
  });
});

describe("no credential at all", () => {
  it.each([
    ["this machine", {}, { peer: "127.0.0.1" }, "ok none"],
    ["another machine", {}, { peer: "192.0.2.1" }, "unauthorized"],
    ["a proxy on this machine", {}, { peer: "127.0.0.1", headers: { "x-forwarded-for": "127.0.0.1" } }, "unauthorized"],
    ["a rebound name", {}, { peer: "127.0.0.1", headers: { host: "evil.example" } }, "unauthorized"],
  ])("is enough only for this machine: %s", async (_name, credentials, more, expected) => {
    expect(summary(await authorize(request(credentials, more), parts({ auth: { mode: "none" } })))).toBe(expected);
  });
});

describe("a trusted proxy", () => {
  const rules = { userHeader: "X-User", requiredHeaders: ["x-gate"], allowUsers: ["ada"] };
  const good = { peer: "10.0.0.1", proxies: ["10.0.0.1"], headers: { "x-user": "ada", "x-gate": "1" } };
  it.each<[string, AuthConfig["auth"], From, boolean, string]>([
    ["vouches", { trustedProxy: rules }, good, true, "ok trusted-proxy"],
    ["is not configured", {}, good, true, "trusted_proxy_config_missing"],
    ["has no user header", { trustedProxy: {} }, good, true, "trusted_proxy_config_missing"],
    ["has a blank user header", { trustedProxy: { userHeader: " " } }, good, true, "trusted_proxy_config_missing"],
    [
      "is not listed at all",
      { trustedProxy: rules },
      { ...good, proxies: [] },
      false,
      "trusted_proxy_no_proxies_configured",
    ],
    [
      "is somebody else",
      { trustedProxy: rules },
      { ...good, peer: "10.0.0.2" },
      true,
      "trusted_proxy_untrusted_source",
    ],
    [
      "forgets a header",
      { trustedProxy: rules },
      { ...good, headers: { "x-user": "ada" } },
      true,
      "trusted_proxy_missing_header_x-gate",
    ],
    [
      "names nobody",
      { trustedProxy: rules },
      { ...good, headers: { "x-user": " ", "x-gate": "1" } },
      true,
      "trusted_proxy_user_missing",
    ],
    [
      "names somebody else",
      { trustedProxy: rules },
      { ...good, headers: { "x-user": "eve", "x-gate": "1" } },
      true,
      "trusted_proxy_user_not_allowed",
    ],
    [
      "may vouch for nobody",
      { trustedProxy: { ...rules, allowUsers: [] } },
      good,
      true,
      "trusted_proxy_user_not_allowed",
    ],
    ["may vouch for anybody", { trustedProxy: { userHeader: "x-user" } }, good, true, "ok trusted-proxy"],
  ])("that %s", async (_name, auth, from, hasProxies, expected) => {
    const outcome = await authorize(
      request({}, from),
      parts({ auth: { ...auth, mode: "trusted-proxy" } }, { hasProxies }),
    );
    expect(summary(outcome)).toBe(expected);
    if (outcome.kind === "ok") expect(outcome.user).toBe("ada");
  });
});

describe("Tailscale Serve", () => {
  const serve: AuthConfig = { auth: { token: "t" }, tailscale: { mode: "serve" } };
  const headers = {
    "tailscale-user-login": "Ada@example.com",
    "x-forwarded-for": "100.101.1.2",
    "x-forwarded-proto": "https",
    "x-forwarded-host": "box.ts.net",
  };
  const { "tailscale-user-login": _login, ...withoutLogin } = headers;
  const { "x-forwarded-for": _for, ...withoutAddress } = headers;
  const whois = async (ip: string) => (ip === "100.101.1.2" ? { login: "ada@example.com", name: "Ada" } : undefined);
  it.each<[string, AuthRequest["credentials"], Partial<AuthRequest> & From, AuthConfig, string]>([
    ["lets a verified user in", {}, { headers }, serve, "ok tailscale"],
    ["overrules an old token", { token: "old" }, { headers }, serve, "ok tailscale"],
    ["is not asked when the token is right", { token: "t" }, { headers }, serve, "ok token"],
    ["does not count over HTTP", {}, { headers, surface: "http" }, serve, "token_missing"],
    ["does not count when it is off", {}, { headers }, { auth: { token: "t" } }, "token_missing"],
    [
      "does not speak for another user",
      {},
      { headers: { ...headers, "tailscale-user-login": "eve@example.com" } },
      serve,
      "tailscale_user_mismatch",
    ],
    [
      "does not speak for an unknown address",
      {},
      { headers: { ...headers, "x-forwarded-for": "100.101.9.9" } },
      serve,
      "tailscale_whois_failed",
    ],
    ["must name a user", {}, { headers: withoutLogin }, serve, "tailscale_user_missing"],
    ["must come with its proxy headers", {}, { headers: withoutAddress }, serve, "tailscale_proxy_missing"],
    ["must come from this machine", {}, { headers, peer: "192.0.2.1" }, serve, "tailscale_proxy_missing"],
    [
      "must name a tailnet address",
      {},
      { headers: { ...headers, "x-forwarded-for": "192.0.2.7" } },
      serve,
      "tailscale_proxy_missing",
    ],
    [
      "must name one address",
      {},
      { headers: { ...headers, "x-forwarded-for": "100.101.1.2, 100.101.1.2" } },
      serve,
      "tailscale_proxy_missing",
    ],
    [
      "leaves a wrong token what it is",
      { token: "x" },
      { headers: { ...headers, "tailscale-user-login": "eve@example.com" } },
      serve,
      "token_mismatch",
    ],
    ["is not involved in a plain request", {}, { peer: "192.0.2.1" }, serve, "token_missing"],
  ])("%s", async (_name, credentials, more, config, expected) => {
    const outcome = await authorize(request(credentials, { peer: "127.0.0.1", ...more }), parts(config, { whois }));
    expect(summary(outcome)).toBe(expected);
    if (expected === "ok tailscale") expect(outcome).toMatchObject({ user: "ada@example.com" });
  });

  it("asks tailscaled once per address and minute, and sooner again after a failure", async () => {
    const clock = createFakeClock();
    const asked: string[] = [];
    let answer = JSON.stringify({ UserProfile: { LoginName: "ada@example.com", DisplayName: "Ada" } });
    const ask = createTailscaleWhois(clock, async (ip) => {
      asked.push(ip);
      return answer;
    });
    const found = await Promise.all([ask("100.64.0.1"), ask("100.64.0.1"), ask("100.64.0.2")]);
    expect(found[0]).toEqual({ login: "ada@example.com", name: "Ada" });
    expect(asked).toEqual(["100.64.0.1", "100.64.0.2"]);
    await clock.advance(60_000);
    answer = "not json";
    expect(await ask("100.64.0.1")).toBeUndefined();
    await clock.advance(5_000);
    answer = "{}";
    expect(await ask("100.64.0.1")).toBeUndefined();
    expect(asked).toHaveLength(4);
  });
});

describe("S-07 guessing", () => {
  it.each([
    ["from another machine", { peer: "192.0.2.1" }],
    ["from a page in the local browser", { peer: "127.0.0.1", foreignPage: "http://localhost:5173" }],
    ["through a proxy on this machine", { peer: "127.0.0.1", headers: { "x-forwarded-for": "127.0.0.1" } }],
  ])("a thousand tokens at once %s looks at ten", async (_name, more) => {
    const door = parts({ auth: { token: "t" } });
    const outcomes = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) => authorize(request({ token: `guess ${index}` }, more), door)),
    );
    expect(outcomes.filter((outcome) => summary(outcome) === "token_mismatch")).toHaveLength(10);
    expect(outcomes.filter((outcome) => summary(outcome) === "rate_limited")).toHaveLength(990);
    expect(await authorize(request({ token: "t" }, more), door)).toMatchObject({
      reason: "rate_limited",
      retryAfterMs: 300_000,
    });
  });

  it("a thousand tailnet identities at once asks tailscaled at most ten times", async () => {
    let asked = 0;
    const whois = async () => {
      asked += 1;
      return undefined;
    };
    const door = parts({ auth: { token: "t" }, tailscale: { mode: "serve" } }, { whois });
    const headers = {
      "tailscale-user-login": "a",
      "x-forwarded-for": "100.64.0.1",
      "x-forwarded-proto": "https",
      "x-forwarded-host": "b",
    };
    await Promise.all(
      Array.from({ length: 1_000 }, () => authorize(request({}, { peer: "127.0.0.1", headers }), door)),
    );
    expect(asked).toBe(10);
  });

  it("without sending anything costs nothing", async () => {
    const door = parts({ auth: { token: "t" } });
    for (let count = 0; count < 100; count++) await authorize(request({}), door);
    expect(summary(await authorize(request({ token: "t" }), door))).toBe("ok token");
  });
});

describe("a device token", () => {
  const door = () => parts({ auth: { token: "t" } });
  const verify = (candidate: string) => {
    if (candidate === "good") return { kind: "ok" as const };
    return { kind: "refused" as const, reason: candidate === "narrow" ? "scope" : "mismatch" };
  };

  async function tryBoth(
    credentials: AuthRequest["credentials"],
    deviceToken: string | undefined,
    at = door(),
  ): Promise<AuthOutcome> {
    const asked = request(credentials);
    const denied = await authorize(asked, at);
    if (denied.kind === "ok") return denied;
    return authorizeDeviceToken({ request: asked, denied, deviceToken, verify }, at.limiter);
  }

  it.each<[string, AuthRequest["credentials"], string | undefined, string, string]>([
    ["sent as such", {}, "good", "ok device-token", ""],
    ["sent in the place of the shared one", { token: "good" }, undefined, "ok device-token", ""],
    ["that is wrong", {}, "bad", "device_token_mismatch", "device token mismatch"],
    ["that is wrong, in the shared place", { token: "bad" }, undefined, "token_mismatch", "gateway token mismatch"],
    ["that reaches too short", {}, "narrow", "device_token_mismatch", "device token rejected"],
    ["that is not there", {}, undefined, "token_missing", "gateway token missing"],
    ["that is empty", {}, "", "token_missing", "gateway token missing"],
  ])("%s", async (_name, credentials, deviceToken, expected, words) => {
    const outcome = await tryBoth(credentials, deviceToken);
    expect(summary(outcome)).toBe(expected);
    if (outcome.kind === "denied") expect(outcome.message).toContain(words);
  });

  it("that is right is never counted as a wrong guess of the shared one", async () => {
    const at = door();
    for (let count = 0; count < 100; count++)
      expect(summary(await tryBoth({ token: "good" }, undefined, at))).toBe("ok device-token");
    expect(summary(await authorize(request({ token: "t" }), at))).toBe("ok token");
  });

  it("that is invented does not make guesses of the shared one free", async () => {
    const at = door();
    const outcomes: string[] = [];
    for (let count = 0; count < 100; count++) {
      const outcome = await authorize(request({ token: `guess ${count}` }), at);
      outcomes.push(summary(outcome));
      authorizeDeviceToken(
        { request: request({}), denied: outcome as Denied, deviceToken: "invented", verify },
        at.limiter,
      );
    }
    expect(outcomes.filter((reason) => reason === "token_mismatch")).toHaveLength(10);
  });
});

describe("S-34 a gap in the configuration", () => {
  const full = {
    mode: ["none", "token", "password", "trusted-proxy"] as const,
    token: "right-token",
    password: "right-password",
    allowTailscale: true,
    trustedProxy: { userHeader: "x-user", requiredHeaders: ["x-gate"], allowUsers: ["ada"] },
  };
  type Auth = NonNullable<AuthConfig["auth"]>;
  const configurations: Auth[] = full.mode.flatMap((mode) =>
    Array.from({ length: 32 }, (_, bits): Auth => ({
      ...(bits & 1 ? { mode } : {}),
      ...(bits & 2 ? { token: full.token } : {}),
      ...(bits & 4 ? { password: full.password } : {}),
      ...(bits & 8 ? { allowTailscale: true } : {}),
      ...(bits & 16 ? { trustedProxy: full.trustedProxy } : {}),
    })),
  );
  const credentials: AuthRequest["credentials"][] = [
    {},
    { token: "" },
    { password: "" },
    { token: "wrong", password: "wrong" },
    { token: "right-password" },
    { password: "right-token" },
    { token: "undefined", password: "null" },
  ];
  const places: From[] = [
    { peer: "127.0.0.1" },
    { peer: "192.0.2.1" },
    { peer: "192.0.2.1", headers: { "x-user": "ada", "x-gate": "1", "tailscale-user-login": "ada" } },
    { peer: "127.0.0.1", headers: { "x-forwarded-for": "100.64.0.1", "x-user": "ada", "x-gate": "1" } },
  ];

  it("never lets in who could not show a configured secret before", async () => {
    for (const auth of configurations) {
      for (const given of credentials) {
        for (const place of places) {
          const ask = async (config: Auth): Promise<string> =>
            summary(await authorize(request(given, place), parts({ auth: config })));
          const isIn = (await ask(auth)).startsWith("ok");
          // The only way in without a secret is the mode that says so, on this machine.
          const isOpenHere = auth.mode === "none" && place.peer === "127.0.0.1" && place.headers === undefined;
          expect(isIn).toBe(isOpenHere);
          for (const key of Object.keys(auth)) {
            const { [key as keyof Auth]: _removed, ...less } = auth;
            if (!isIn) expect(await ask(less)).not.toMatch(/^ok/);
          }
        }
      }
    }
  });

  it("lets in a secret only when exactly that secret is configured for the mode", async () => {
    for (const auth of configurations) {
      for (const kind of ["token", "password"] as const) {
        const outcome = await authorize(request({ [kind]: full[kind] }), parts({ auth }));
        expect(outcome.kind === "ok").toBe(resolveAuthMode({ auth }, {}).mode === kind && auth[kind] !== undefined);
      }
    }
  });
});

// Denial that a refused client gets: the reason for programs, the sentence for people, and what to try next.

export type ClientKind = "cli" | "ui" | "other";

type NextStep =
  | "retry_with_device_token"
  | "update_auth_configuration"
  | "update_auth_credentials"
  | "wait_then_retry"
  | "review_auth_configuration";

export type DenialReason = keyof typeof DENIALS | `trusted_proxy_${string}`;

export interface Denied {
  readonly kind: "denied";
  readonly reason: DenialReason;
  readonly detailCode: string;
  readonly message: string;
  readonly advice: { readonly canRetryWithDeviceToken: boolean; readonly recommendedNextStep: NextStep };
  readonly retryAfterMs?: number;
}

/** What is known about the refused client. */
export interface Refused {
  readonly clientKind: ClientKind;
  /** It proved a device but sent no device token of its own, so it may still have one. */
  readonly mayHoldDeviceToken?: boolean | undefined;
  readonly retryAfterMs?: number | undefined;
}

const TOKEN_HINT: Record<ClientKind, string> = {
  cli: "set gateway.remote.token to match gateway.auth.token",
  ui: "paste the gateway token in the Control UI settings",
  other: "provide gateway auth token",
};
const PASSWORD_HINT: Record<ClientKind, string> = {
  cli: "set gateway.remote.password to match gateway.auth.password",
  ui: "enter the gateway password in the Control UI settings",
  other: "provide gateway auth password",
};

interface DenialRow {
  readonly code: string;
  readonly says: string;
  readonly hint?: string | Record<ClientKind, string>;
  readonly step: NextStep;
}

const DENIALS = {
  token_missing: {
    code: "AUTH_TOKEN_MISSING",
    says: "gateway token missing",
    hint: TOKEN_HINT,
    step: "update_auth_configuration",
  },
  token_mismatch: {
    code: "AUTH_TOKEN_MISMATCH",
    says: "gateway token mismatch",
    hint: TOKEN_HINT,
    step: "update_auth_credentials",
  },
  token_missing_config: {
    code: "AUTH_TOKEN_NOT_CONFIGURED",
    says: "gateway token not configured on gateway",
    hint: "set gateway.auth.token",
    step: "update_auth_configuration",
  },
  password_missing: {
    code: "AUTH_PASSWORD_MISSING",
    says: "gateway password missing",
    hint: PASSWORD_HINT,
    step: "update_auth_configuration",
  },
  password_mismatch: {
    code: "AUTH_PASSWORD_MISMATCH",
    says: "gateway password mismatch",
    hint: PASSWORD_HINT,
    step: "update_auth_credentials",
  },
  password_missing_config: {
    code: "AUTH_PASSWORD_NOT_CONFIGURED",
    says: "gateway password not configured on gateway",
    hint: "set gateway.auth.password",
    step: "update_auth_configuration",
  },
  tailscale_user_missing: {
    code: "AUTH_TAILSCALE_IDENTITY_MISSING",
    says: "tailscale identity missing",
    hint: "connect through Tailscale Serve, or use the gateway token",
    step: "review_auth_configuration",
  },
  tailscale_proxy_missing: {
    code: "AUTH_TAILSCALE_PROXY_MISSING",
    says: "tailscale proxy headers missing",
    hint: "connect through Tailscale Serve, or use the gateway token",
    step: "review_auth_configuration",
  },
  tailscale_whois_failed: {
    code: "AUTH_TAILSCALE_WHOIS_FAILED",
    says: "tailscale identity check failed",
    hint: "check that tailscaled runs, or use the gateway token",
    step: "review_auth_configuration",
  },
  tailscale_user_mismatch: {
    code: "AUTH_TAILSCALE_IDENTITY_MISMATCH",
    says: "tailscale identity mismatch",
    hint: "sign in to Tailscale again, or use the gateway token",
    step: "review_auth_configuration",
  },
  rate_limited: {
    code: "AUTH_RATE_LIMITED",
    says: "too many failed authentication attempts",
    hint: "wait before trying again",
    step: "wait_then_retry",
  },
  device_token_mismatch: {
    code: "AUTH_DEVICE_TOKEN_MISMATCH",
    says: "device token mismatch",
    hint: "rotate the device token or pair the device again",
    step: "update_auth_credentials",
  },
  bootstrap_token_invalid: {
    code: "AUTH_BOOTSTRAP_TOKEN_INVALID",
    says: "this one-time code is wrong, expired or was used before",
    hint: "run `chela dashboard` on the gateway's machine again and open the new link",
    step: "update_auth_credentials",
  },
  unauthorized: { code: "AUTH_UNAUTHORIZED", says: "", step: "review_auth_configuration" },
} satisfies Record<string, DenialRow>;

export function deny(reason: DenialReason, refused: Refused): Denied {
  const row = rowOf(reason);
  const canRetryWithDeviceToken = reason === "token_mismatch" && refused.mayHoldDeviceToken === true;
  return {
    kind: "denied",
    reason,
    detailCode: row.code,
    message: sentenceOf(row, refused.clientKind),
    advice: {
      canRetryWithDeviceToken,
      recommendedNextStep: canRetryWithDeviceToken ? "retry_with_device_token" : row.step,
    },
    ...(refused.retryAfterMs !== undefined ? { retryAfterMs: refused.retryAfterMs } : {}),
  };
}

/** A device token that is right but does not reach as far as was asked. The client should keep it. */
export function denyDeviceTokenScope(refused: Refused): Denied {
  return {
    ...deny("device_token_mismatch", refused),
    message: "unauthorized: device token rejected (ask for fewer scopes, or provide the gateway token)",
  };
}

function rowOf(reason: DenialReason): DenialRow {
  const rows: Readonly<Record<string, DenialRow>> = DENIALS;
  return rows[reason] ?? DENIALS.unauthorized;
}

function sentenceOf({ says, hint }: DenialRow, kind: ClientKind): string {
  if (says === "") return "unauthorized";
  const advice = typeof hint === "object" ? hint[kind] : hint;
  return `unauthorized: ${says}${advice ? ` (${advice})` : ""}`;
}

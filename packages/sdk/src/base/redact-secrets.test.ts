import { describe, expect, it } from "vitest";
import { redactSecrets } from "./redact-secrets.ts";

/** Made up, and put together here so that nobody's scanner takes them for real. */
const filler = "aB3".repeat(20);
const SECRETS: ReadonlyArray<readonly [string, string]> = [
  ["a key of OpenAI", `sk-proj-${filler}`],
  ["a key of Anthropic", `sk-ant-api03-${filler}`],
  ["a token of GitHub", `ghp_${filler.slice(0, 36)}`],
  ["a fine-grained token of GitHub", `github_pat_${filler}`],
  ["a token of Slack", `xoxb-${"12345678901"}-${filler.slice(0, 24)}`],
  ["a key of Google", `AIza${filler.slice(0, 35)}`],
  ["a key of AWS", `AKIA${"ABCDEFGH12345678"}`],
  ["a bot token of Telegram", `123456789:${filler.slice(0, 35)}`],
  ["a bot token of Discord", `M${filler.slice(0, 25)}.${"aBcDeF"}.${filler.slice(0, 38)}`],
  ["a JSON web token", `eyJ${filler}.${filler}.${filler}`],
  ["a key of Stripe", `sk_live_${filler.slice(0, 24)}`],
  ["a token of npm", `npm_${filler.slice(0, 36)}`],
];

describe("redactSecrets", () => {
  it.each(SECRETS)("takes out %s", (_name, secret) => {
    for (const text of [
      secret,
      `use ${secret}, please`,
      `"${secret}"`,
      `key=${secret}\n`,
      `x ${secret} y ${secret} z`,
    ]) {
      const safe = redactSecrets(text);
      expect(safe).not.toContain(secret.slice(-16));
      expect(safe).toContain("[redacted]");
    }
  });

  it.each([
    ["Authorization: Bearer abcdefghijkl.mnop", "Authorization: Bearer [redacted]"],
    ['{"apiKey":"p(a)s, s!"}', '{"apiKey":"[redacted]"}'],
    [
      String.raw`{"body":"{\"password\":\"hunter22\",\"user\":\"ann\"}"}`,
      String.raw`{"body":"{\"password\":\"[redacted]\",\"user\":\"ann\"}"}`,
    ],
    [String.raw`{"secret":"with \"quotes\" inside","next":1}`, '{"secret":"[redacted]","next":1}'],
    ["DB_PASSWORD=correcthorse and on", "DB_PASSWORD=[redacted] and on"],
    ["client_secret: 'quoted words too'", "client_secret: '[redacted]'"],
    ["password: hunter2hunter2", "password: [redacted]"],
    ["https://ann:opensesame@example.org/x", "https://ann:[redacted]@example.org/x"],
    ["?token=abcdef123&x=1", "?token=[redacted]&x=1"],
  ])("knows a secret by what stands before it: %j", (text, safe) => {
    expect(redactSecrets(text)).toBe(safe);
    expect(redactSecrets(safe)).toBe(safe);
  });

  it.each(["RSA PRIVATE KEY", "PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"])(
    "takes out a %s",
    (kind) => {
      const key = `-----BEGIN ${kind}-----\nMIIabc\n/+==\n-----END ${kind}-----`;
      expect(redactSecrets(`a\n${key}\nb\n${key}\nc`)).toBe("a\n[redacted]\nb\n[redacted]\nc");
      expect(redactSecrets(`a\n${key.slice(0, -30)}`)).toBe("a\n[redacted]");
    },
  );

  it.each([
    "The token is in the drawer.",
    "password: please choose one",
    "Secret: nobody knows",
    "max_tokens: 200000, tokens=12345678",
    '{"tokenCount":123456,"tokens":"many of them"}',
    "const token = readToken(file)",
    "sk-short, eyJhbGc, AKIA",
    "-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----",
    "5f2c8a90-1c1b-4d0e-9b42-0f7e5a6b7c8d",
    "https://example.org:8080/path@x",
    "Meet at 12345678:30",
  ])("leaves %j alone", (text) => {
    expect(redactSecrets(text)).toBe(text);
  });
});

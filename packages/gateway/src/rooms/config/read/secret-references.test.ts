import { describe, expect, test } from "vitest";
import { fillEnvironment, fillSecrets, type SecretReference } from "./secret-references.ts";
import { isWholeReference, vaultIdIn } from "./substitute.ts";
import { redactValue, soundsSecret } from "../secret-rules.ts";

const asked: string[] = [];
const resolve = (reference: SecretReference, place: string) => {
  asked.push(`${reference.kind}:${reference.id} at ${place}`);
  return reference.id === "none"
    ? ({ kind: "missing", why: "there is none" } as const)
    : ({ kind: "found", value: `value of ${reference.id}` } as const);
};

test.each([
  ["vault:a", "a"],
  ["${vault:profiles/main/x:y/key}", "profiles/main/x:y/key"],
  ["vault:", undefined],
  ["vault:a b", undefined],
  ["vault:.a", undefined],
  [" vault:a", undefined],
  ["xvault:a", undefined],
  ["${vault:a", undefined],
  ["$${vault:a}", undefined],
])("%j refers to %j", (text, id) => {
  expect(vaultIdIn(text)).toBe(id);
  expect(isWholeReference(text)).toBe(id !== undefined);
});

test.each([
  ..."pass smtpPass SMTP_PASS imap_pwd db-pw pin wifiPsk otp jwt bearer seed mnemonic sentryDsn key openaiKey".split(
    " ",
  ),
  ..."signing-key OPENAI_KEY privKey auth token apiKey password passphrase clientSecret cookie authorization".split(
    " ",
  ),
])("%s sounds secret", (name) => expect(soundsSecret(name)).toBe(true));

test.each([
  ..."bypass compass passThrough spin pinned author sessionKey mainKey publicKey idempotencyKey keyId keys".split(" "),
  ..."monkey seedling maxTokens tokenFile passwordPath authMode".split(" "),
])("%s does not sound secret", (name) => expect(soundsSecret(name)).toBe(false));

describe("references", () => {
  test.each([
    [{ hooks: { token: "vault:a" } }, { hooks: { token: "value of a" } }],
    [{ channels: { telegram: { botToken: "${vault:a}" } } }, { channels: { telegram: { botToken: "value of a" } } }],
    [
      { channels: { telegram: { accounts: { work: { botToken: "vault:a" } } } } },
      { channels: { telegram: { accounts: { work: { botToken: "value of a" } } } } },
    ],
    [
      { models: { providers: { x: { apiKey: { source: "file", provider: "p", id: "/k" } } } } },
      { models: { providers: { x: { apiKey: "value of /k" } } } },
    ],
    [{ env: { vars: { KEY: "vault:a" } } }, { env: { vars: { KEY: "value of a" } } }],
  ])("%j are filled in", (written, filled) => {
    expect(fillSecrets(written, resolve)).toEqual({ value: filled, findings: [], warnings: [] });
  });

  test.each([
    { agents: { defaults: { workspace: "vault:a" } } },
    { agents: { list: [{ id: "main", name: "vault:a" }] } },
    { models: { providers: { x: { baseUrl: "vault:a" } } } },
    { logging: { file: "vault:a" } },
    { models: { providers: { x: { apiKey: { source: "env", provider: "p", id: "K" } } } } },
    { secrets: { providers: { p: { source: "file", path: "/x" } } } },
  ])("%j stays as it is written", (written) => {
    asked.length = 0;
    expect(fillSecrets(written, resolve).value).toEqual(written);
    expect(asked).toEqual([]);
  });

  test("what cannot be had is named with its place; a pointer is only warned of", () => {
    const written = {
      hooks: { token: "vault:none" },
      models: { providers: { x: { apiKey: { source: "exec", provider: "p", id: "none" } } } },
    };
    const { value, findings, warnings } = fillSecrets(written, resolve);
    expect(value).toEqual(written);
    expect(findings).toEqual([
      { path: ["hooks", "token"], message: 'refers to the credential "none", which cannot be had: there is none' },
    ]);
    expect(warnings).toMatchObject([{ path: ["models", "providers", "x", "apiKey"] }]);
  });

  test("a source may have secrets of its own in the vault", () => {
    const source = { source: "exec", command: "/usr/bin/op", env: { OP_TOKEN: "vault:op" } };
    const apiKey = { source: "exec", provider: "p", id: "k" };
    const seen: unknown[] = [];
    const { value } = fillSecrets(
      { models: { providers: { x: { apiKey } } }, secrets: { providers: { p: source } } },
      (one) => {
        if (one.kind === "source") seen.push(one.settings);
        return { kind: "found", value: `value of ${one.id}` };
      },
    );
    const filled = { providers: { p: { ...source, env: { OP_TOKEN: "value of op" } } } };
    expect(seen).toEqual([filled]);
    expect(value).toEqual({ models: { providers: { x: { apiKey: "value of k" } } }, secrets: filled });
  });

  test("a reference is shown, what it stands for is not", () => {
    expect(redactValue({ hooks: { token: "vault:a" } })).toEqual({ hooks: { token: "vault:a" } });
    expect(redactValue({ hooks: { token: "value of a" } })).not.toEqual({ hooks: { token: "value of a" } });
  });

  test("variables are filled in too, and one that cannot be had is not set", () => {
    const env = { A: "vault:a", B: "vault:none", C: "plain" };
    expect(fillEnvironment(env, {}, resolve)).toEqual({
      env: { A: "value of a", C: "plain" },
      warnings: [{ path: [], message: "the variable B is not set: there is none" }],
    });
  });
});

// S-08: secrets are compared as digests of one length, in the same time whatever was guessed.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { digestSecret } from "../../src/server/auth/index.ts";
import { nearMisses } from "../support/security/door-credentials.ts";
import { startTestGateway } from "../support/in-process.ts";
import { countCases } from "../support/security/security-cases.ts";

const PACKAGES = fileURLToPath(new URL("../../..", import.meta.url));

/** What values are called that somebody might guess at. */
const SECRET_NAME = String.raw`(?:\w*(?:token|secret|password|passphrase|signature|credential|apikey|hmac|bearer|digest|nonce|accesscode|pairingcode)|mac|code|pin|otp)`;
const OPERAND = String.raw`[\w$"'\x60.?!-]+`;
/** Operators and functions that stop at the first difference. */
const COMPARISONS = [
  new RegExp(String.raw`(?<secret>[\w$#.?!\]]*\b${SECRET_NAME})(?:\(\)|\))*\s*[!=]==?\s*(?<other>${OPERAND})`, "gi"),
  new RegExp(
    String.raw`(?<other>${OPERAND}(?:\(\)|\)|\])*)\s*[!=]==?\s*(?<secret>[\w$#.?]*\b${SECRET_NAME})\b(?![\w(])`,
    "gi",
  ),
  new RegExp(
    String.raw`(?<other>[\w$.?]+)\.(?:equals|localeCompare|compare)\((?<secret>[\w$#.?]*\b${SECRET_NAME})\)`,
    "gi",
  ),
  new RegExp(
    String.raw`(?<secret>[\w$#.?]*\b${SECRET_NAME})\.(?:equals|localeCompare|compare)\((?<other>[\w$.?]+)\)`,
    "gi",
  ),
  new RegExp(String.raw`(?<other>[\w$.?]+)\.(?:includes|indexOf|has)\((?<secret>given|candidate)\)`, "gi"),
];
/** No value that anybody chose: something is there or not, or is of a fixed kind. */
const NO_VALUE = /^(?:undefined|null|true|false|typeof|["'\x60\d-])|["'\x60]$|^[A-Z][A-Z_]+$|^[A-Z]\w+$/;

/** Comparisons that look at nothing a caller could guess, with the reason. */
const HARMLESS: Readonly<Record<string, string>> = {
  "gateway/src/cli/connect/device-proof.ts: deviceId) === grant.deviceToken": "two values of our own book",
  "gateway/src/cli/table/parse-arguments.ts: name === token": "a word of a command line",
  "gateway/src/house/credentials/stored-credentials.ts: id === credential": "the name of an entry",
  "gateway/src/rooms/devices/changes.ts: now?.token !== last.token": "two versions of our own book",
  "gateway/src/rooms/devices/identity.ts: nonce !== input.nonce": "the challenge, which the client was told",
  "gateway/src/rooms/hooks/load-handler.ts: read.digest !== digest": "the digest of a file",
  "gateway/src/rooms/approvals/seal.ts: word] !== before.code": "digests of files",
  "gateway/src/house/start/takeover-files.ts: name))) === digest": "the digest of a file",
  "gateway/src/rooms/ledger/mirror/index-files.ts: known?.digest === digest": "the digest of a file",
  "gateway/src/rooms/hooks/known-hooks.ts: pin.digest !== read.digest": "the digest of a file",
  "gateway/src/rooms/workspace/prompt-files.ts: name) === digest": "the digest of a file",
  "gateway/src/security-audit/find-plaintext.ts: place) !== OWN_TOKEN": "the name of a setting",
  "gateway/src/rooms/webhooks/rehearse.ts: name === signature": "the name of a header",
  "channels/src/discord/send.ts: nonce === nonceOf": "a mark of our own message",
  "channels/src/irc/people.ts: about === WHO_TOKEN": "a mark of our own question",
  "channels/src/xmpp/server/scram.ts: nonce !== ours": "our own nonce, which the server was told",
  "gateway/src/rooms/models/chat-commands.ts: profiles.includes(candidate)": "the name of a profile",
  "gateway/src/rooms/models/profiles/renewal.ts: id)) === secret": "two tokens of our own file",
  "gateway/src/rooms/access/methods.ts: request.code === wanted": "whoever may ask is shown the codes by pairing.list",
  "ui/src/pages/channels/people-view.ts: this.busy === person.code": "a mark in the page, of codes it shows",
};

/** Every comparison of something that is called like a secret, as `package/src/file: text`. */
function findComparisons(): string[] {
  return readdirSync(PACKAGES).flatMap((name) => {
    const source = join(PACKAGES, name, "src");
    const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
      (file) => file.endsWith(".ts") && !/\.test\.ts$|\.test-support\.ts$|(?:^|\/)testing\//.test(file),
    );
    return files.flatMap((file) =>
      comparisonsIn(readFileSync(join(source, file), "utf8")).map((one) => `${name}/src/${file}: ${one}`),
    );
  });
}

function comparisonsIn(text: string): string[] {
  return COMPARISONS.flatMap((comparison) =>
    [...text.matchAll(comparison)]
      .filter(({ groups }) => !NO_VALUE.test(groups?.["other"] ?? ""))
      .map(([match]) => match),
  );
}

test("S-08: a guess of any length is compared and refused", () => {
  const secret = digestSecret("correct horse");
  for (const guess of ["", "c", "correct hors", "correct horse ", "x".repeat(100_000), "Correct horse", "\0"]) {
    expect(secret.matches(guess)).toBe(false);
  }
  expect(secret.matches("correct horse")).toBe(true);
  expect(`${secret.toString()} ${JSON.stringify({ secret })}`).not.toContain("horse");
});

test("S-08: guesses of any length are refused at the door", async () => {
  await using gateway = await startTestGateway();
  const { token } = gateway;
  const guesses = ["x", "y".repeat(8_000), ...Object.values(nearMisses(token))];
  for (const guess of guesses) {
    expect((await gateway.fetch("/v1/models", { token: guess })).status).toBe(401);
    expect((await gateway.dial({ token: guess, device: null }).tryConnect()).ok).toBe(false);
    expect((await gateway.dial({ token: undefined, deviceToken: guess }).tryConnect()).ok).toBe(false);
    expect((await gateway.dial({ token: undefined, bootstrapToken: guess }).tryConnect()).ok).toBe(false);
  }
  countCases("S-08", guesses.length * 4);
});

test("S-08: no secret is compared with an operator that stops at the first difference", () => {
  const found = findComparisons();
  expect(found.filter((one) => !(one in HARMLESS))).toEqual([]);
  countCases("S-08", found.length);
});

test.each([
  "if (token === expected) return true;",
  "return given !== this.#settings.password;",
  "if (call.headers.signature == mac) open();",
  "const isRight = expected.reveal() === given.secret;",
  "return stored.equals(digest);",
  "return apiKey.localeCompare(other) === 0;",
  "tokens.includes(given)",
])("S-08: it would be seen: %s", (text) => {
  expect(comparisonsIn(text)).not.toEqual([]);
});

test.each(["if (token === undefined) return;", 'typeof secret === "string"', "password !== null", 'code === "ENOENT"'])(
  "S-08: what compares no secret is left alone: %s",
  (text) => {
    expect(comparisonsIn(text)).toEqual([]);
  },
);

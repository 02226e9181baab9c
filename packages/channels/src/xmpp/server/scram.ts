// Logging in without showing the password (SCRAM, RFC 5802), with the hashes of Node: the library's own takes half a second
// of work for each login, and knows only SHA-1.
import { createHash, createHmac, pbkdf2, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import type { Client, SaslMechanism } from "@xmpp/client";

const MOST_ROUNDS = 1_000_000;
const derive = promisify(pbkdf2);

/** The best first; what comes after them is taken when the server has none of these. */
export function useScram(client: Client): void {
  client.saslFactory._mechs.unshift(
    { name: "SCRAM-SHA-512", mech: scramWith("SCRAM-SHA-512", "sha512", 64) },
    { name: "SCRAM-SHA-256", mech: scramWith("SCRAM-SHA-256", "sha256", 32) },
    { name: "SCRAM-SHA-1", mech: scramWith("SCRAM-SHA-1", "sha1", 20) },
  );
}

function scramWith(name: string, hash: string, bytes: number): new () => SaslMechanism {
  return class Scram implements SaslMechanism {
    readonly name = name;
    readonly clientFirst = true;
    readonly #nonce = randomBytes(18).toString("base64url");
    #challenge: string | undefined;

    challenge(text: string): void {
      this.#challenge = text;
    }

    async response({ username, password }: { username: string; password: string }): Promise<string> {
      const first = `n=${username.replaceAll("=", "=3D").replaceAll(",", "=2C")},r=${this.#nonce}`;
      if (this.#challenge === undefined) return `n,,${first}`;
      const { nonce, salt, rounds } = readChallenge(this.#challenge, this.#nonce);
      const salted = await derive(password.normalize("NFKC"), Buffer.from(salt, "base64"), rounds, bytes, hash);
      const sign = (key: Buffer, text: string): Buffer => createHmac(hash, key).update(text).digest();
      const clientKey = sign(salted, "Client Key");
      const last = `c=biws,r=${nonce}`;
      const signature = sign(createHash(hash).update(clientKey).digest(), `${first},${this.#challenge},${last}`);
      const proof = clientKey.map((byte, index) => byte ^ (signature[index] ?? 0));
      return `${last},p=${Buffer.from(proof).toString("base64")}`;
    }
  };
}

interface Challenge {
  readonly nonce: string;
  readonly salt: string;
  readonly rounds: number;
}

function readChallenge(text: string, ours: string): Challenge {
  const fields = new Map(text.split(",").map((field) => [field.slice(0, 1), field.slice(2)]));
  const [nonce = "", salt = "", rounds = 0] = [fields.get("r"), fields.get("s"), Number(fields.get("i"))];
  const isGood = nonce.startsWith(ours) && nonce !== ours && salt !== "" && rounds >= 1 && rounds <= MOST_ROUNDS;
  if (!isGood) throw new Error("the server asks for something odd at the login");
  return { nonce, salt, rounds };
}

// A certificate that says it is localhost and that nobody vouches for, made on the spot.
import { generateKeyPairSync, sign } from "node:crypto";

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export function createSelfSigned(): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const algorithm = sequence(tlv(0x06, Buffer.from("2b6570", "hex")));
  const name = sequence(
    tlv(0x31, sequence(tlv(0x06, Buffer.from("550403", "hex")), tlv(0x0c, Buffer.from("localhost")))),
  );
  const at = (years: number): Buffer => {
    const date = new Date();
    date.setUTCFullYear(date.getUTCFullYear() + years);
    return tlv(0x18, Buffer.from(`${date.toISOString().slice(0, 19).replace(/[-:T]/g, "")}Z`));
  };
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(at(-1), at(1)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = tlv(0x03, Buffer.concat([Buffer.from([0]), sign(null, body, privateKey)]));
  const text = sequence(body, algorithm, signature)
    .toString("base64")
    .replace(/.{1,64}/g, "$&\n");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${text}-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tlv(0x30, Buffer.concat(parts));
}

/** Tag, length, value: the one shape everything in a certificate has. */
function tlv(tag: number, value: Buffer): Buffer {
  const { length } = value;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), value]);
}

// A certificate that nobody vouches for but its fingerprint: made here, without a library, as X.509 wants it.
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

export interface CertificateNames {
  readonly hosts: readonly string[];
  /** IPv4 only; ::1 is in it always. */
  readonly addresses: readonly string[];
}

const YEARS = 10;
const [SEQUENCE, SET, INTEGER, BITS, OCTETS, NAME_TEXT, TIME] = [0x30, 0x31, 0x02, 0x03, 0x04, 0x0c, 0x18];
const ID = 0x06;
const COMMON_NAME = "550403";
const ALTERNATIVE_NAMES = "551d11";
const ECDSA_WITH_SHA256 = "2a8648ce3d040302";
const [DNS_NAME, IP_ADDRESS] = [0x82, 0x87];
const LOOPBACK_V6 = Buffer.from([...Array.from({ length: 15 }, () => 0), 1]);

/** Certificate and key in PEM. */
export function createSelfSigned(
  names: CertificateNames,
  now: number,
): { readonly cert: string; readonly key: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(id(ECDSA_WITH_SHA256));
  const subject = sequence(tlv(SET, sequence(id(COMMON_NAME), tlv(NAME_TEXT, Buffer.from("chela gateway")))));
  // A first byte below 128 keeps the number positive, and above zero it keeps its length.
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(15)]);
  const body = sequence(
    tlv(0xa0, tlv(INTEGER, Buffer.from([2]))),
    tlv(INTEGER, serial),
    algorithm,
    subject,
    sequence(timeOf(now, 0), timeOf(now, YEARS)),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    tlv(0xa3, sequence(sequence(id(ALTERNATIVE_NAMES), tlv(OCTETS, alternatives(names))))),
  );
  const signature = tlv(BITS, Buffer.concat([Buffer.from([0]), sign("sha256", body, privateKey)]));
  const text = sequence(body, algorithm, signature)
    .toString("base64")
    .replace(/.{1,64}/g, "$&\n");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${text}-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function alternatives({ hosts, addresses }: CertificateNames): Buffer {
  const bytesOf = (address: string): Buffer => Buffer.from(address.split(".").map(Number));
  return sequence(
    ...hosts.map((host) => tlv(DNS_NAME, Buffer.from(host, "latin1"))),
    ...addresses.map((address) => tlv(IP_ADDRESS, bytesOf(address))),
    tlv(IP_ADDRESS, LOOPBACK_V6),
  );
}

/** A day earlier than now, for clocks that are late. */
function timeOf(now: number, years: number): Buffer {
  const date = new Date(now - 24 * 60 * 60_000);
  date.setUTCFullYear(date.getUTCFullYear() + years);
  return tlv(TIME, Buffer.from(`${date.toISOString().slice(0, 19).replace(/[-:T]/g, "")}Z`));
}

function id(hex: string): Buffer {
  return tlv(ID, Buffer.from(hex, "hex"));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tlv(SEQUENCE, Buffer.concat(parts));
}

function tlv(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

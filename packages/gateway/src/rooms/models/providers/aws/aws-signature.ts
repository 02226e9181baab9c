// AWS Signature Version 4: the headers that prove who makes a call, without sending the secret.
import { createHash, createHmac } from "node:crypto";
import type { AwsAccess } from "./aws-access.ts";

export interface CallToSign {
  readonly method: string;
  readonly url: string;
  /** These are signed too; `host` is added. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds since the epoch. AWS refuses clocks that are five minutes off. */
  readonly now: number;
  readonly service: string;
}

/** The given headers plus those that carry the signature. */
export function signForAws(call: CallToSign, access: AwsAccess): Record<string, string> {
  const url = new URL(call.url);
  const time = new Date(call.now).toISOString().replace(/[-:]|\.\d+/g, "");
  const day = time.slice(0, 8);
  const sent: Record<string, string> = {
    ...call.headers,
    "x-amz-date": time,
    ...(access.sessionToken ? { "x-amz-security-token": access.sessionToken } : {}),
  };
  const signed = Object.entries({ ...sent, host: url.host })
    .map(([name, value]): [string, string] => [name.toLowerCase(), value.trim().replace(/\s+/g, " ")])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const names = signed.map(([name]) => name).join(";");
  const canonical = [
    call.method,
    canonicalPath(url.pathname),
    canonicalQuery(url.searchParams),
    ...signed.map(([name, value]) => `${name}:${value}`),
    "",
    names,
    sha256(call.body),
  ].join("\n");
  const scope = `${day}/${access.region}/${call.service}/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n");
  const signature = hmac(signingKey(access, day, call.service), toSign).toString("hex");
  const credential = `Credential=${access.accessKeyId}/${scope}`;
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

function signingKey(access: AwsAccess, day: string, service: string): Buffer {
  const steps = [day, access.region, service, "aws4_request"];
  return steps.reduce<Buffer>((key, step) => hmac(key, step), Buffer.from(`AWS4${access.secretAccessKey}`));
}

/** The path is encoded once more than it is sent: all services but S3 want it so. */
function canonicalPath(path: string): string {
  return path.split("/").map(encode).join("/");
}

function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join("&");
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

// Reference to fetch an attachment later: its address, and the keys when it is encrypted. Never more than that.
import * as z from "zod";
import { once } from "@chela/sdk";

export interface MediaRef {
  readonly server: string;
  readonly id: string;
  readonly keys?: FileKeys;
}

/** Base64 as Matrix writes it: without padding, the key in the alphabet for addresses. */
export interface FileKeys {
  readonly key: string;
  readonly iv: string;
  readonly sha256: string;
}

const Ref = once(() =>
  z.object({
    mxc: z.string(),
    key: z.string().optional(),
    iv: z.string().optional(),
    sha256: z.string().optional(),
  }),
);
const EncryptedFile = once(() =>
  z.object({
    url: z.string(),
    iv: z.string(),
    key: z.object({ k: z.string(), alg: z.literal("A256CTR") }),
    hashes: z.object({ sha256: z.string() }),
  }),
);

const MXC = /^mxc:\/\/([A-Za-z0-9.\-[\]:]{1,255})\/([A-Za-z0-9_-]{1,255})$/;

/** Undefined for what is no address of a file. */
export function writeMediaRef(url: string | undefined, file: unknown): string | undefined {
  if (url !== undefined) return MXC.test(url) ? JSON.stringify({ mxc: url }) : undefined;
  const read = EncryptedFile().safeParse(file);
  if (!read.success || !MXC.test(read.data.url)) return undefined;
  const { key, iv, hashes } = read.data;
  return JSON.stringify({ mxc: read.data.url, key: key.k, iv, sha256: hashes.sha256 });
}

export function readMediaRef(ref: string): MediaRef | undefined {
  try {
    const { mxc, key, iv, sha256 } = Ref().parse(JSON.parse(ref));
    const [, server, id] = MXC.exec(mxc) ?? [];
    if (!server || !id) return undefined;
    return { server, id, ...(key && iv && sha256 ? { keys: { key, iv, sha256 } } : {}) };
  } catch {
    return undefined;
  }
}

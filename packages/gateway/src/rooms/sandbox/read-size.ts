// Reads sizes as container engines write them: 512m, 2g, 1073741824.
import { GatewayError } from "@chela/sdk";

const UNITS: Readonly<Record<string, number>> = { "": 1, b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 };

export function readSize(written: string | number, where: string): number {
  if (typeof written === "number") return written;
  const match = /^\s*(\d+(?:\.\d+)?)\s*([bkmgt]?)i?b?\s*$/i.exec(written);
  const unit = UNITS[(match?.[2] ?? "").toLowerCase()];
  if (!match || unit === undefined) {
    throw new GatewayError("SANDBOX_FAILED", `${where} is "${written}", which is no size. Write it as 512m or 2g.`);
  }
  return Math.round(Number(match[1]) * unit);
}

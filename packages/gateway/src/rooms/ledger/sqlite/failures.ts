// Translates SQLite's result codes into failures a person can act on.
import { GatewayError, type ErrorCode } from "@chela/sdk";

const PRIMARY_CODES: Record<number, ErrorCode> = {
  8: "STORE_READONLY",
  10: "STORE_READONLY",
  11: "STORE_CORRUPT",
  13: "STORE_FULL",
  14: "STORE_READONLY",
  19: "STORE_CONFLICT",
  26: "STORE_CORRUPT",
};
/** The index of the log could not grow. SQLite says "full" itself for everything else that finds no room. */
const IOERR_SHMSIZE = 4874;

export function storeError(thrown: unknown): GatewayError {
  if (GatewayError.is(thrown)) return thrown;
  const extended = typeof thrown === "object" && thrown && "errcode" in thrown ? Number(thrown.errcode) : 0;
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  const code = extended === IOERR_SHMSIZE ? "STORE_FULL" : (PRIMARY_CODES[extended & 0xff] ?? "STORE_FAILED");
  return new GatewayError(code, detail, { cause: thrown });
}

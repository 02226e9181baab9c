// What `chela doctor` looks at of the MCP servers: what is wrong with one, what waits for a yes, and what to type.
import { GatewayError, type DoctorCall, type DoctorCheck, type DoctorLine } from "@chela/sdk";
import { CommandFailure } from "@chela/sdk/command-line";
import type { MethodResult } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

type Server = MethodResult<"mcp.status">["servers"][number];

export const checks: ReadonlyArray<DoctorCheck<House>> = [{ name: "MCP servers", look: checkServers }];

/** Nothing where none is named, or where nobody answers, which other checks say. */
async function checkServers(house: Pick<House, "hasMcp">, { call }: DoctorCall): Promise<DoctorLine[]> {
  if (!house.hasMcp()) return [];
  let servers: readonly Server[] = [];
  try {
    await call.gateway.askOrOffline(async (ask) => void ({ servers } = await ask("mcp.status", {})));
  } catch (error) {
    if (!CommandFailure.is(error) && !GatewayError.is(error)) throw error;
  }
  const lines = servers.flatMap((server) => judgeServer(server));
  const used = servers.filter(({ approved, enabled }) => approved && enabled);
  return lines.length > 0 ? lines : [{ state: "ok", says: `${used.length} may be used` }];
}

/** Nothing for one that is well. */
export function judgeServer({ name, ok, why, enabled, approved, held, auth }: Server): DoctorLine[] {
  if (!ok) return [{ state: "fail", says: `${name}: ${why ?? "it cannot be used"}`, fix: `chela mcp probe ${name}` }];
  if (!enabled) return [];
  if (auth === "wanted")
    return [{ state: "warn", says: `${name} wants somebody to sign in`, fix: `chela mcp login ${name}` }];
  if (!approved)
    return [{ state: "warn", says: `${name} is new, and nobody has approved it`, fix: `chela mcp approve ${name}` }];
  if (held === 0) return [];
  const says = `${held} ${held === 1 ? "tool" : "tools"} of ${name} changed or came, and nobody has approved them`;
  return [{ state: "warn", says, fix: `chela mcp approve ${name}` }];
}

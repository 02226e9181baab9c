// S-04: what a connection may do follows from what it holds, for every credential there is and every method there is.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { METHODS, SCOPES, type MethodName, type MethodSpec } from "@chela/sdk/protocol";
import { openKeyedDoor, socketCases, type SocketCase } from "../support/security/door-credentials.ts";
import { countCases } from "../support/security/security-cases.ts";
import type { WireClient } from "../support/wire-client.ts";

type Grant = NonNullable<SocketCase["grant"]>;

/** Admin is everything, write is also read, and a node is none of them. */
function mayCall({ role, scopes }: Grant, spec: MethodSpec): boolean {
  if ((spec.role ?? "operator") !== "any" && (spec.role ?? "operator") !== role) return false;
  if (spec.scope === "none" || scopes.includes("operator.admin") || scopes.includes(spec.scope)) return true;
  return spec.scope === "operator.read" && scopes.includes("operator.write");
}

/** Methods that were let in wrongly, or refused wrongly. Nobody accepts the parameter, so nothing is done. */
async function wronglyAnswered(client: WireClient, grant: Grant): Promise<string[]> {
  const wrong: string[] = [];
  for (const [method, spec] of Object.entries(METHODS) as Array<[MethodName, MethodSpec]>) {
    const isAllowed = mayCall(grant, spec);
    // Who keeps asking for what is not for their role is shown out.
    if (!isAllowed && grant.role === "node") continue;
    const { error } = await client.request(method, { "no such parameter": 1 });
    const letIn = /^(invalid .* params: |rate limit exceeded)/.test(error?.message ?? "");
    if (letIn !== isAllowed) wrong.push(`${method}: ${error?.message}`);
  }
  return wrong;
}

describe.each([false, true])("S-04: every credential (from elsewhere: %s)", (isAway) => {
  let door: Awaited<ReturnType<typeof openKeyedDoor>>;
  beforeAll(async () => void (door = await openKeyedDoor()));
  afterAll(() => door[Symbol.asyncDispose]());

  test("opens exactly the methods it is good for", async () => {
    const { gateway, keys } = door;
    const cases = socketCases(gateway, keys, await keys.freshCode(), isAway);
    let tried = 0;
    for (const { name, options, grant } of cases) {
      const client = gateway.dial(options);
      const { ok } = await client.tryConnect();
      expect([name, ok]).toEqual([name, grant !== undefined]);
      if (grant) expect([name, await wronglyAnswered(client, grant)]).toEqual([name, []]);
      else expect([name, (await client.closed).code]).toEqual([name, 1008]);
      tried += grant ? Object.keys(METHODS).length : 1;
      await client.close();
    }
    countCases("S-04", tried);
  });

  test("is worth no more than it is when it asks for everything at once", async () => {
    const { gateway, keys } = door;
    const { device, token: deviceToken } = keys.reader;
    const asked = [...SCOPES, "operator.*", "*", "admin", "operator.admin ", "OPERATOR.ADMIN"];
    for (const scopes of [asked, asked.toReversed(), ["operator.read", "operator.admin"]]) {
      const client = gateway.dial({ token: undefined, device, deviceToken, scopes });
      expect((await client.tryConnect()).ok).toBe(false);
    }
    countCases("S-04", 3);
  });
});

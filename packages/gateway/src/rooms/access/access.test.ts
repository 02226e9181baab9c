import { describe, expect, it } from "vitest";
import { decideAccess } from "./room.ts";

describe("decideAccess", () => {
  it.each([[["operator.write"]], [["operator.admin"]]])("lets %j speak", (scopes) => {
    expect(decideAccess({ kind: "operator", scopes }, {})).toEqual({ kind: "allowed" });
  });
  it.each([[[]], [["operator.read"]], [["operator.pairing", "operator.approvals"]]])("denies %j", (scopes) => {
    expect(decideAccess({ kind: "operator", scopes }, {})).toMatchObject({ kind: "denied" });
  });
  it("keeps to the session's send policy, whoever asks", () => {
    const admin = { kind: "operator", scopes: ["operator.admin"] } as const;
    expect(decideAccess(admin, { sendPolicy: "deny" })).toMatchObject({ kind: "denied" });
    expect(decideAccess(admin, { sendPolicy: "allow" })).toEqual({ kind: "allowed" });
  });
});

// `chela people …` without a gateway: people are written into the ledger, and into the audit trail.
import { expect, it } from "vitest";
import { Household } from "../support/durability/child-gateway.ts";

it("writes people down, links their ids, says who has one, and forgets them", async () => {
  await using home = new Household({ OPENCLAW_GATEWAY_PORT: "9" });
  const told = async (...words: string[]) => {
    const { stdout, stderr } = await home.chela("people", ...words);
    return (stdout || stderr).trim();
  };
  expect(await told("add", "ann", "telegram:7", "--role", "member", "--name", "Ann", "--messages-per-day", "5")).toBe(
    "Ann (member) is known now.",
  );
  expect(await told("show", "ann")).toMatch(/Name +Ann\nRole +member\nIds +telegram:7\nToday +0 of 5 messages/);
  expect(await told("show", "eve")).toMatch(/Nobody has the id "eve"/);
  expect(await told("add", "ann")).toMatch(/already somebody with the id "ann"/);
  expect(await told("add", "Ann B")).toMatch(/small letters, digits/);
  expect(await told("add", "bob", "telegram:7")).toMatch(/telegram:7 belongs to Ann/);
  expect(await told("link", "ann", "crow:a")).toBe("Ann (member): telegram:7 crow:a");
  expect(await told("unlink", "ann", "telegram:7")).toBe("Ann (member): crow:a");
  expect(await told("edit", "ann", "--role", "owner", "--no-quota")).toBe(
    "Ann (owner) is changed, from the next message on.",
  );
  expect(await told("who", "crow:a")).toMatch(/ann +Ann +owner +crow:a +-/);
  expect(await told("who", "telegram:7")).toBe("Nobody who is known has this id.");
  const { people } = JSON.parse(await told("list", "--json"));
  expect(people).toMatchObject([{ id: "ann", role: "owner", ids: [{ channel: "crow", id: "a" }] }]);
  expect(await told("remove", "ann")).toBe("Ann (owner) is forgotten.");
  const { records } = JSON.parse((await home.chela("audit", "list", "--action", "people", "--json")).stdout);
  expect(records.map(({ actor, detail }: { actor: string; detail: { step: string } }) => [actor, detail.step])).toEqual(
    [
      ["cli", "removed"],
      ["cli", "changed"],
      ["cli", "changed"],
      ["cli", "changed"],
      ["cli", "added"],
    ],
  );
});

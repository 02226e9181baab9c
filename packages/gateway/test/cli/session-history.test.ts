// `chela search`, `chela sessions list --deleted` and `chela sessions restore`.
import { afterAll, beforeAll, expect, it } from "vitest";
import { Household } from "../support/durability/child-gateway.ts";

const home = new Household();
beforeAll(async () => void (await home.startGateway()));
afterAll(() => home[Symbol.asyncDispose]());

async function chela(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await home.chela(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

it("finds what was said, and brings the conversation before a new start back", async () => {
  expect(await chela("sessions", "list", "--deleted")).toBe("Nothing was deleted or started anew.\n");
  await chela("agent", "-m", "say marmalade on toast");
  expect(await chela("search", "toast", "marmal")).toMatch(
    /agent:main:main, user, just now\n +say marmalade on toast\n/,
  );
  expect(await chela("search", "turnip")).toBe("Nothing was found.\n");
  expect(await chela("search", "toast", "--after", "1h", "--role", "user")).toContain("say marmalade on toast");
  expect(await chela("search", "toast", "--before", "1h")).toBe("Nothing was found.\n");
  await chela("agent", "-m", "/new");
  const listed = await chela("sessions", "--deleted");
  expect(listed).toMatch(/agent:main:main +just now +started anew +say marmalade on toast/);
  const id = /^(\w{8}) +agent:main:main/m.exec(listed)?.[1] ?? "";
  expect(await chela("search", "marmalade")).toMatch(/before a new start/);
  expect(await chela("sessions", "restore", id)).toBe("agent:main:main is back.\n");
  const { code, stderr } = await home.chela("sessions", "restore", "nothing-like-it");
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/has the id nothing-like-it/) });
});

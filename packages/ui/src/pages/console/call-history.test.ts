import { expect, it } from "vitest";
import { CallHistory } from "./call-history.ts";

it("goes back through calls, newest first, and forward again", () => {
  const history = new CallHistory();
  for (const method of ["a", "b", "a"]) history.add({ method, params: "{}" });
  const names = [history.older(), history.older(), history.older(), history.newer(), history.newer()];
  expect(names.map((call) => call?.method)).toEqual(["a", "b", undefined, "a", undefined]);
});

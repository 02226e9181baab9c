// What a sandbox's scope says.
import { expect, it } from "vitest";
import { readScope } from "./sandbox-scope.ts";

it.each([
  ["shared", "shared", "", "none"],
  ["shared+rw", "shared", "", "rw"],
  ["agent:main", "agent", "main", "none"],
  ["agent:main+ro", "agent", "main", "ro"],
  ["session:agent:main:telegram:direct:42@1-2+rw", "session", "agent:main:telegram:direct:42", "rw"],
  ["session:agent:main:whatsapp:group:1@g.us@9+covered", "session", "agent:main:whatsapp:group:1@g.us", "none"],
  ["session:agent:main:telegram:direct:42+rw", "session", "agent:main:telegram:direct:42", "rw"],
])("%s", (scope, kind, of, access) => {
  expect(readScope(scope)).toEqual({ kind, of, access });
});

it.each(["/tmp/chela-probe", "agent:", "other:main", ""])("says nothing of %j", (scope) => {
  expect(readScope(scope)).toBeUndefined();
});

// Where another device can open the page.
import { expect, it } from "vitest";
import { findWaysIn, linkTo } from "./reach.ts";

const local = { origin: "http://127.0.0.1:18789" };
const allowing = (...allowedOrigins: unknown[]) => ({ gateway: { controlUi: { allowedOrigins } } });

it.each([
  ["nothing is configured", local, {}, []],
  ["only plain text is allowed", local, allowing("http://192.168.1.5:18789"), []],
  ["everything odd is left out", local, allowing("*", 3, null, "https://localhost:1", "nonsense", "https://a.b/c"), []],
  ["an https address is listed", local, allowing("https://Claw.tail.ts.net/"), ["https://claw.tail.ts.net"]],
  [
    "the page itself is open to others",
    { origin: "https://claw.example" },
    allowing("https://claw.example", "https://other.example"),
    ["https://claw.example", "https://other.example"],
  ],
  ["https on this machine is no way in", { origin: "https://127.0.0.1:1" }, undefined, []],
])("%s", (_name, page, config, ways) => {
  expect(findWaysIn(page, config)).toEqual(ways);
});

it("the code stands in the fragment", () => {
  expect(linkTo("https://a.example", { basePath: "/claw", code: "xyz" })).toBe("https://a.example/claw/#code=xyz");
  expect(linkTo("https://a.example", { basePath: "", code: "xyz" })).toBe("https://a.example/#code=xyz");
});

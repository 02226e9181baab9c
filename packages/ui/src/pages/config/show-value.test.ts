import { describe, expect, it } from "vitest";
import { REDACTED } from "../../settings/json-place.ts";
import { rootSpot } from "./schema.ts";
import { hideSecrets, readLines, readScalar } from "./show-value.ts";

describe("values that are shown", () => {
  const spot = rootSpot({
    type: "object",
    properties: { token: { type: "string", secret: true }, name: { type: "string" } },
  });

  it("never hold a secret, typed or kept", () => {
    const shown = hideSecrets({ token: "123:abc", name: "bot", other: REDACTED }, spot);
    expect(JSON.stringify(shown)).not.toMatch(/123:abc|REDACTED/);
    expect(shown).toMatchObject({ name: "bot" });
  });

  it("name the variable a secret comes from", () => {
    expect(hideSecrets({ token: "${BOT_TOKEN}" }, spot)).toEqual({ token: "${BOT_TOKEN}" });
  });
});

describe("values that are typed", () => {
  it("stay numbers where they were numbers", () => {
    expect(readScalar("43", ["string", "number"], 42)).toBe(43);
    expect(readScalar("43", ["string", "number"], "42")).toBe("43");
    expect(readScalar("1", ["integer"], undefined)).toBe(1);
  });

  it("are one entry per line", () => {
    expect(readLines(" 42 \n\nanna\n43", ["string", "number"], [42, "ben"])).toEqual([42, "anna", "43"]);
  });
});

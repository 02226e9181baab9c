// Twilio's signature: the examples of its own documentation, and what must not pass.
import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isSigned } from "./signature.ts";

const URL_SIGNED = "https://mycompany.com/myapp.php?foo=1&bar=2";
const fieldsOf = (caller: string) =>
  new URLSearchParams({
    To: "+18005551212",
    Digits: "1234",
    CallSid: "CA1234567890ABCDE",
    Caller: caller,
    From: caller,
  });
const FIELDS = fieldsOf("+14158675309");
const SIGNATURE = "RSOYDt4T1cUTdK1PDd93/VVr8B8=";

describe("Twilio's signature", () => {
  it.each([
    ["+14158675309", SIGNATURE],
    ["+14158675310", "GvWf1cFY/Q7PnoempGyD5oXAezc="],
  ])("is the one in Twilio's documentation for %s", (caller, signature) => {
    expect(isSigned(signature, URL_SIGNED, fieldsOf(caller), "12345")).toBe(true);
  });

  it("fits no other signature, address, field or token", () => {
    expect(isSigned(undefined, URL_SIGNED, FIELDS, "12345")).toBe(false);
    expect(isSigned("", URL_SIGNED, FIELDS, "12345")).toBe(false);
    expect(isSigned(SIGNATURE.toLowerCase(), URL_SIGNED, FIELDS, "12345")).toBe(false);
    expect(isSigned(SIGNATURE, `${URL_SIGNED}&x`, FIELDS, "12345")).toBe(false);
    expect(isSigned(SIGNATURE, "http://mycompany.com/myapp.php?foo=1&bar=2", FIELDS, "12345")).toBe(false);
    expect(isSigned(SIGNATURE, URL_SIGNED, fieldsOf("+14158675310"), "12345")).toBe(false);
    expect(isSigned(SIGNATURE, URL_SIGNED, new URLSearchParams([...FIELDS, ["More", ""]]), "12345")).toBe(false);
    expect(isSigned(SIGNATURE, URL_SIGNED, FIELDS, "12346")).toBe(false);
  });

  it.each([
    ["https://a.org:443/x", "https://a.org/x", true],
    ["https://a.org/x", "https://a.org:443/x", true],
    ["http://a.org:80/x?y", "http://a.org/x?y", true],
    ["https://a.org:8443/x", "https://a.org/x", false],
    ["https://a.org/x", "https://a.org:8443/x", true],
    ["https://b.org/x", "https://a.org:8443/x", false],
    ["https://a.org/x", "https://a.org/x#rc=2", true],
  ])("over %s fits publicUrl %s: %s", (signed, publicUrl, isFitting) => {
    const signature = createHmac("sha1", "t").update(`${signed}BodyHi`).digest("base64");
    expect(isSigned(signature, publicUrl, new URLSearchParams({ Body: "Hi" }), "t")).toBe(isFitting);
  });
});

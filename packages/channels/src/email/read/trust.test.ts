// Who a mail is from, and whether that is believed.
import { describe, expect, it } from "vitest";
import { normaliseAddress, readId, readTarget } from "../address.ts";
import { readFrom } from "./from.ts";
import { parseHeaders } from "./headers.ts";
import { judgeSender } from "./trust.ts";

const headers = (...lines: readonly string[]) => parseHeaders(Buffer.from(lines.join("\r\n")));
const PASS = "dmarc=pass header.from=good.example";
const BORDER = "Received: from x (x [192.0.2.1]) by mx.home.example (Postfix) with ESMTPS id 1";
const LMTP = "Received: from mx.home.example by imap.home.example with LMTP id 2";
const results = (text: string, server = "mx.home.example") => `Authentication-Results: ${server}; ${text}`;

describe("a verdict about a sender", () => {
  const judge = (lines: readonly string[], servers: readonly string[] = []) =>
    judgeSender(headers(...lines), "ann@good.example", { servers, home: "imap.home.example" }).kind === "trusted";

  it.each([
    ["above what our server received", [results(PASS), BORDER], true],
    [
      "above it, with versions and odd blanks",
      [results("DMARC/1 = pass (ok) header.from = Good.Example"), BORDER],
      true,
    ],
    ["behind a hand-over of our own", [LMTP, results(PASS), BORDER], true],
    ["of a signature of the same domain", [results("dkim=pass header.d=good.example"), BORDER], true],
    ["of a server that has nothing to do with us", [results(PASS, "mx.evil.example"), BORDER], false],
    ["below what our server received", [BORDER, results(PASS)], false],
    ["below a hand-over that the sender made up", [BORDER, LMTP, results(PASS)], false],
    ["when nothing says where our server's lines end", [results(PASS)], false],
    ["when all hand-overs are by LMTP", [LMTP, results(PASS)], false],
    ["that contradicts itself", [results(PASS), results("dmarc=fail header.from=good.example"), BORDER], false],
    ["about a signature of a domain below it", [results("dkim=pass header.d=mail.good.example"), BORDER], false],
    ["about a domain that ends alike", [results("dmarc=pass header.from=notgood.example"), BORDER], false],
    ["that does not say about whom", [results("dmarc=pass"), BORDER], false],
    ["of a failed signature", [results("dkim=fail header.d=good.example"), BORDER], false],
    ["in a comment", [results(`spf=pass (x \\) ; ${PASS} )`), BORDER], false],
    ["in a comment that never ends", [results(`spf=pass (; ${PASS}`), BORDER], false],
    ["with a quote that never ends", [results(`spf="x; ${PASS}`), BORDER], false],
    ["in a reason", [results(`spf=pass reason="a\\"b; ${PASS}"`), BORDER], false],
    [
      "in the name the other side gave itself",
      [`Received: from with LMTP (x) by mx.home.example with ESMTPS id 1`, results(PASS)],
      false,
    ],
  ])("%s", (_, lines, isTrusted) => expect(judge(lines)).toBe(isTrusted));

  it.each([
    ["is believed below, too", [BORDER, results(PASS)], true],
    ["is believed by its first line only", [BORDER, results("spf=pass"), results(PASS)], false],
    ["is not asked below when it said something above", [results("dmarc=none"), BORDER, results(PASS)], false],
    ["is meant exactly", [BORDER, results(PASS, "evil.mx.home.example")], false],
  ])("of a server the operator vouches for %s", (_, lines, isTrusted) => {
    expect(judge(lines, ["mx.home.example"])).toBe(isTrusted);
  });

  it("says which server to trust when it found another", () => {
    const trust = judgeSender(headers(BORDER, results(PASS, "mx.provider.example")), "ann@good.example", {
      servers: [],
      home: "imap.home.example",
    });
    expect(trust).toMatchObject({ why: expect.stringMatching(/"mx\.provider\.example".*trustedAuthServers/) });
  });

  it("is found in long headers without waiting", () => {
    const long = `Received: ${"by x with y (".repeat(10_000)}`;
    expect(judge([long, results(PASS)])).toBe(false);
    expect(judge([results(`${"dkim=pass header.d=a; ".repeat(10_000)}`), BORDER])).toBe(false);
  });
});

describe("the sender of a mail", () => {
  it.each([
    ["Ann <ann@good.example>", "ann@good.example", "Ann"],
    ["ann@good.example", "ann@good.example", undefined],
    ["ann@good.example (Ann)", "ann@good.example", undefined],
    ['"ann@good.example" <eve@evil.example>', "eve@evil.example", "ann@good.example"],
    ['"<ann@good.example>" <eve@evil.example>', "eve@evil.example", "<ann@good.example>"],
    ['"a, b" <eve@evil.example>', "eve@evil.example", "a, b"],
    ["(ann@good.example) eve@evil.example", "eve@evil.example", undefined],
    ["=?utf-8?b?YW5uQGdvb2QuZXhhbXBsZT4=?= <eve@evil.example>", "eve@evil.example", "ann@good.example>"],
    ["Ann <ANN+tag@Good.Example>", "ann+tag@good.example", "Ann"],
    ["Jörg <jörg@bücher.example>", "jörg@xn--bcher-kva.example", "Jörg"],
    ["<ann@xn--bcher-kva.example>", "ann@xn--bcher-kva.example", undefined],
  ])("%s", (value, address, name) => {
    expect(readFrom(headers(`From: ${value}`))).toEqual({
      kind: "from",
      address,
      ...(name === undefined ? {} : { name }),
    });
  });

  it.each([
    ["two addresses", "From: ann@good.example, eve@evil.example"],
    ["two in brackets", "From: <ann@good.example> <eve@evil.example>"],
    ["a group", "From: friends: ann@good.example;"],
    ["nobody", "From: "],
    ["a quoted local part", 'From: "ann@good.example"@evil.example'],
    ["words without brackets", "From: Ann ann@good.example"],
    ["an open quote", 'From: "Ann <ann@good.example>'],
    ["brackets the wrong way round", "From: >ann@good.example<"],
    ["something behind", "From: <ann@good.example> x"],
    ["a second header", "From: ann@good.example\r\nfrom : eve@evil.example"],
    ["a name hidden in an encoded word", "From: =?utf-8?q?ann=40good.example?="],
    ["a letter that only looks like k", "From: ann@ban\u212a.example"],
    ["wide letters", "From: ann@ｇｏｏｄ.example"],
    ["unseen characters", "From: an\u200bn@good.example"],
    ["an address of numbers in brackets", "From: ann@[192.0.2.1]"],
  ])("is not believed to be anybody: %s", (_, lines) => {
    expect(readFrom(headers(lines)).kind).toBe("unusable");
  });

  it("keeps letters apart that are alike only in small print", () => {
    expect(normaliseAddress("\u212a@good.example")).not.toBe("k@good.example");
    expect(normaliseAddress("İ@good.example")).not.toBe("i@good.example");
  });

  it("is written in lists as an address, with or without a scheme", () => {
    expect(readId(" mailto:Ann@Good.Example ")).toEqual({ kind: "id", id: "ann@good.example" });
    expect(readId("*")).toEqual({ kind: "id", id: "*" });
    for (const odd of ["Ann", "@good.example", "*@good.example", "ann@", "ann@good..example"]) {
      expect(readId(odd).kind).toBe("unusable");
    }
    expect(readTarget("email:ann@good.example")).toMatchObject({ target: { to: "ann@good.example" } });
    expect(readTarget("Ann").kind).toBe("unusable");
  });
});

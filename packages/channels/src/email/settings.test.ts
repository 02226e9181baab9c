// What operators write about an account, and what becomes of it.
import { describe, expect, it } from "vitest";
import { emailChannel } from "./channel.ts";

const COMPLETE = {
  address: "Bot@Example.org",
  imap: { host: "imap.example.org", password: "secret-one" },
  smtp: { host: "smtp.example.org" },
};
const configure = (settings: unknown, env: Record<string, string> = {}) =>
  emailChannel.configure(settings, (name) => env[name]);

describe("settings of an e-mail account", () => {
  it("need little", () => {
    expect(configure(COMPLETE)).toMatchObject({
      kind: "configured",
      account: {
        address: "bot@example.org",
        imap: { port: 993, tls: true, user: "bot@example.org" },
        smtp: { port: 587, tls: "starttls", user: "bot@example.org" },
        mailbox: "INBOX",
        requireDmarc: true,
        maxMessageBytes: 25 * 1024 * 1024,
        maxPerSenderPerHour: 10,
      },
    });
  });

  it.each([
    ["an address", { ...COMPLETE, address: "bot" }, /address/],
    ["a password", { ...COMPLETE, imap: { host: "a.example" } }, /imap\.password, passwordFile or EMAIL_PASSWORD/],
    ["a server to read from", { ...COMPLETE, imap: { password: "x" } }, /imap\.host/],
    ["a server to send with", { ...COMPLETE, smtp: {} }, /smtp\.host/],
    ["a port that can be", { ...COMPLETE, smtp: { host: "a.example", port: 0 } }, /smtp\.port/],
    ["a way nobody can listen to", { ...COMPLETE, smtp: { host: "a.example", tls: false } }, /readable on the way/],
  ])("are incomplete without %s", (_, settings, why) => {
    const configured = configure(settings);
    expect(configured).toMatchObject({ kind: "incomplete", why: expect.stringMatching(why) });
  });

  it("may do without TLS on the same machine only", () => {
    for (const [host, kind] of [
      ["localhost", "configured"],
      ["127.0.0.1", "configured"],
      ["localhost.evil.example", "incomplete"],
      ["127.0.0.1.evil.example", "incomplete"],
    ]) {
      expect(configure({ ...COMPLETE, smtp: { host, tls: false } }).kind).toBe(kind);
    }
  });

  it("know when TLS begins by the port", () => {
    const tls = (imapPort: number, smtpPort: number) =>
      configure({
        ...COMPLETE,
        imap: { ...COMPLETE.imap, port: imapPort },
        smtp: { host: "a.example", port: smtpPort },
      });
    expect(tls(143, 465)).toMatchObject({ account: { imap: { tls: "starttls" }, smtp: { tls: true } } });
    expect(tls(10_993, 25)).toMatchObject({ account: { imap: { tls: true }, smtp: { tls: "starttls" } } });
  });

  it("hide passwords, and still show that one was changed", () => {
    const print = (password: string): string =>
      JSON.stringify(configure({ ...COMPLETE, imap: { ...COMPLETE.imap, password } }));
    expect(print("secret-one")).not.toContain("secret-one");
    expect(print("secret-one")).not.toBe(print("secret-two"));
    const fromEnv = configure({ ...COMPLETE, imap: { host: "a.example" } }, { EMAIL_PASSWORD: "secret-three" });
    expect(fromEnv.kind).toBe("configured");
    expect(JSON.stringify(fromEnv)).not.toContain("secret-three");
  });
});

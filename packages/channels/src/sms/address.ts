// Addresses of senders and recipients: `+4915112345678`, or a short code such as `12345`; with or without `sms:`.
import type { WrittenId, WrittenTarget } from "@chela/sdk";

/** A number with its country code, as Twilio writes it. */
export const PHONE_NUMBER = /^\+[1-9]\d{6,14}$/;
/** Numbers of services, good in one country only. */
export const SHORT_CODE = /^\d{3,8}$/;
/** A word in place of a number. Whoever sends can choose it. */
const SENDER_NAME = /^(?=.*[A-Za-z])[\w &.+-]{1,11}$/;
const HOW_TO_WRITE = "Write a number with its country code, such as +4915112345678.";

export function readId(written: string): WrittenId {
  const bare = written.trim().replace(/^sms:/i, "").trim();
  if (bare === "") return { kind: "unusable", why: `An empty entry names nobody. ${HOW_TO_WRITE}` };
  if (bare === "*") return { kind: "id", id: bare };
  // People write numbers with blanks, dashes and brackets.
  const number = bare.replace(/[\s().\-/]/g, "");
  if (SHORT_CODE.test(number)) return { kind: "id", id: number };
  const whole = number.startsWith("+") ? number : `+${number}`;
  if (PHONE_NUMBER.test(whole)) return { kind: "id", id: whole };
  return { kind: "unusable", why: `"${written}" is no telephone number. ${HOW_TO_WRITE}` };
}

export function readTarget(written: string): WrittenTarget {
  const read = readId(written);
  if (read.kind !== "id") return read;
  const { id } = read;
  if (id === "*") return { kind: "unusable", why: `"*" is no single address. ${HOW_TO_WRITE}` };
  return { kind: "target", target: { to: id }, chat: { kind: "direct", id } };
}

/** Who sent it, exactly as Twilio says; "" for what is no sender of an SMS. Names match no list, see `readId`. */
export function senderId(from: string): string {
  return [PHONE_NUMBER, SHORT_CODE, SENDER_NAME].some((form) => form.test(from)) ? from : "";
}

export function isRecipient(to: string): boolean {
  return PHONE_NUMBER.test(to) || SHORT_CODE.test(to);
}

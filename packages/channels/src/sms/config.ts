// Reads an account's settings for this channel.
import { createHash } from "node:crypto";
import { Secret, commonPolicy, type Configured } from "@chela/sdk";
import { PHONE_NUMBER, SHORT_CODE } from "./address.ts";
import { readSettings } from "@chela/sdk/config";
import { smsSection } from "./section.ts";

export { commonPolicy as policy };

export interface SmsAccount {
  readonly accountSid: string;
  readonly authToken: Secret;
  /** Secrets do not show when an account is compared with what it was; this does. */
  readonly secretsDigest: string;
  /** One of these is there, or both: the number messages are sent from, and the service that chooses one. */
  readonly from?: string;
  readonly messagingServiceSid?: string;
  /** As Twilio calls it: signatures are over every letter of it. */
  readonly publicUrl: string;
  /** Absent: one made from the account's name. */
  readonly webhookPath?: string;
  /** As browsers write it, without a slash at its end. */
  readonly apiRoot: string;
}

export const OFFICIAL_API = "https://api.twilio.com";

interface Written {
  readonly accountSid: string;
  readonly authToken: string;
  readonly from: string;
  readonly messagingServiceSid: string;
  readonly publicUrl: string;
  readonly webhookPath: string;
  readonly apiRoot: string;
}

export function configure(settings: unknown, env: (name: string) => string | undefined): Configured<SmsAccount> {
  const read = readSettings(smsSection, settings);
  if (read.kind === "unusable") return incomplete(`${read.where} has a value that cannot be used.`);
  const { settings: data } = read;
  const written: Written = {
    accountSid: firstOf(data.accountSid, env("TWILIO_ACCOUNT_SID")),
    authToken: firstOf(data.authToken, env("TWILIO_AUTH_TOKEN")),
    from: firstOf(data.from).replace(/[\s().-]/g, ""),
    messagingServiceSid: firstOf(data.messagingServiceSid),
    publicUrl: firstOf(data.publicUrl),
    webhookPath: firstOf(read.written.webhookPath),
    apiRoot: firstOf(data.apiRoot, OFFICIAL_API),
  };
  const why = findMistake(written);
  if (why) return incomplete(why);
  const { accountSid, authToken, from, messagingServiceSid, publicUrl, webhookPath, apiRoot } = written;
  return {
    kind: "configured",
    account: {
      accountSid,
      authToken: new Secret(authToken),
      secretsDigest: createHash("sha256").update(authToken).digest("hex"),
      ...(from ? { from } : {}),
      ...(messagingServiceSid ? { messagingServiceSid } : {}),
      publicUrl,
      ...(webhookPath ? { webhookPath } : {}),
      apiRoot: withoutEnd(new URL(apiRoot)),
    },
  };
}

/** What is missing or wrong, in the order in which people set an account up. */
function findMistake(written: Written): string | undefined {
  const { accountSid, authToken, from, messagingServiceSid, publicUrl, webhookPath, apiRoot } = written;
  if (!/^AC[0-9a-f]{32}$/i.test(accountSid)) {
    return "accountSid is missing or not one. It begins with AC and stands on the first page of Twilio's console; set accountSid or TWILIO_ACCOUNT_SID.";
  }
  if (!authToken) {
    return "There is no auth token, without which anybody could send messages in Twilio's name. Set authToken or TWILIO_AUTH_TOKEN.";
  }
  // It goes into a header.
  if (!/^[\x21-\x7e]+$/.test(authToken)) return "authToken has characters no token has. Copy it again.";
  if (!from && !messagingServiceSid) {
    return "There is no number to send from. Set from, such as +15551234567, or messagingServiceSid.";
  }
  if (from && !PHONE_NUMBER.test(from) && !SHORT_CODE.test(from)) {
    return "from must be a number of yours with its country code, such as +15551234567.";
  }
  if (messagingServiceSid && !/^MG[0-9a-f]{32}$/i.test(messagingServiceSid)) {
    return "messagingServiceSid must begin with MG, as Twilio's console shows it.";
  }
  if (!isWebAddress(publicUrl)) {
    return "publicUrl is missing or no web address. Set it to the address Twilio calls, letter by letter, such as https://example.org/sms/webhook; signatures cannot be checked without it.";
  }
  if (!isWebAddress(apiRoot)) return `apiRoot must be an address such as ${OFFICIAL_API}.`;
  if (webhookPath && !/^\/[\w./-]+$/.test(webhookPath)) {
    return "webhookPath must begin with / and have only letters, digits and . _ - /.";
  }
  return undefined;
}

function withoutEnd({ origin, pathname }: URL): string {
  return `${origin}${pathname}`.replace(/\/+$/, "");
}

function isWebAddress(written: string): boolean {
  const url = URL.parse(written);
  return url !== null && ["http:", "https:"].includes(url.protocol) && url.username === "" && url.password === "";
}

function firstOf(...values: ReadonlyArray<string | undefined>): string {
  return values.map((value) => value?.trim()).find(Boolean) ?? "";
}

const incomplete = (why: string): Configured<SmsAccount> => ({ kind: "incomplete", why });

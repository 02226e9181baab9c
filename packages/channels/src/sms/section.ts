// The config section `channels.sms`: what may be written there, and what each key is for.
import { once } from "@chela/sdk";
import { idList, key, secret, text } from "@chela/sdk/config";
import {
  API_ROOT,
  channelBlock,
  directShape,
  mediaMaxMb,
  namedShape,
  webhookPath,
  wholeMegabytes,
} from "@chela/sdk/config";

const accountShape = () => ({
  ...namedShape(1500),
  ...directShape(idList()),
  accountSid: key(text(), "The Twilio account (AC…); else TWILIO_ACCOUNT_SID."),
  authToken: key(
    secret(),
    "Its primary auth token, with which Twilio also signs its requests; else TWILIO_AUTH_TOKEN.",
  ),
  from: key(text(), "Your number, with its country code."),
  messagingServiceSid: key(text(), "A messaging service (MG…) that chooses the number, instead of from or beside it."),
  publicUrl: key(text(), "The address Twilio calls, letter by letter. Signatures are checked against it."),
  webhookPath: webhookPath("/sms/webhook"),
  apiRoot: key(text(), API_ROOT, { preset: "https://api.twilio.com" }),
  mediaMaxMb: mediaMaxMb(20, wholeMegabytes()),
});

export const smsSection = once(() => channelBlock(accountShape));

// The e-mail channel: what the gateway knows of it before an account is started.
import { commonPolicy, type Channel } from "@chela/sdk";
import { readId, readTarget } from "./address.ts";
import { configure, type EmailAccount } from "./config.ts";
import { measure } from "./format.ts";
import { emailSection } from "./section.ts";
import { setup } from "./setup.ts";

export const emailChannel: Channel<EmailAccount> = {
  id: "email",
  label: "E-mail",
  section: emailSection,
  setup,
  traits: {
    chats: ["direct", "thread"],
    textLimit: 100_000,
    measure,
    // A mail that was sent is looked for in the folder of sent mail.
    dedupe: "receipt",
    stallMs: 55_000,
    captionLimit: 100_000,
  },
  configure,
  policy: commonPolicy,
  readId,
  readTarget,
  async start(account, host) {
    const { connect } = await import("./connect.ts");
    return connect(account, host);
  },
};

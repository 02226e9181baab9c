// The Signal channel: what the gateway knows of it before an account is started.
import { commonPolicy, type Channel } from "@chela/sdk";
import { readId, readTarget } from "./address.ts";
import { configure, type SignalAccount } from "./config.ts";
import { measure, TEXT_LIMIT } from "./format.ts";
import { signalSection } from "./section.ts";
import { setup } from "./setup.ts";

export const signalChannel: Channel<SignalAccount> = {
  id: "signal",
  label: "Signal",
  section: signalSection,
  setup,
  traits: {
    chats: ["direct", "group"],
    textLimit: TEXT_LIMIT,
    measure,
    // Signal has no key against duplicates, and signal-cli keeps no list of what it sent.
    dedupe: "none",
    stallMs: 55_000,
    typingMs: 15_000,
    captionLimit: TEXT_LIMIT,
  },
  configure,
  policy: commonPolicy,
  readId,
  readTarget,
  async start(account, host) {
    const { connect } = await import("./connect.ts");
    return connect(account, host);
  },
  async login(account, host, signal) {
    const { link } = await import("./login.ts");
    return link(account, host, signal);
  },
};

// The Matrix channel: what the gateway knows of it before an account is started.
import type { Channel } from "@chela/sdk";
import { readId, readTarget } from "./address.ts";
import { configure, policy, type MatrixAccount } from "./config.ts";
import { measure, TEXT_LIMIT } from "./format.ts";
import { matrixSection } from "./section.ts";
import { setup } from "./setup.ts";

export const channel: Channel<MatrixAccount> = {
  id: "matrix",
  label: "Matrix",
  section: matrixSection,
  setup,
  traits: {
    chats: ["direct", "group", "thread"],
    textLimit: TEXT_LIMIT,
    measure,
    // The homeserver answers a repeated transaction id of the same device with the first event.
    dedupe: "key",
    stallMs: 58_000,
    typingMs: 30_000,
    previewEveryMs: 3_000,
    captionLimit: 4_000,
  },
  configure,
  policy,
  readId,
  readTarget,
  async start(account, host) {
    const { connect } = await import("./connect.ts");
    return connect(account, host);
  },
};

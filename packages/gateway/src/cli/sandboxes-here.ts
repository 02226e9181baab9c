// Sandboxes as this process finds and tries them, for commands that run without a gateway.
import { existsSync } from "node:fs";
import type { Ledger } from "@chela/sdk";
import { systemClock } from "../base/clock.ts";
import { createIds } from "../base/ids.ts";
import { agentSettings, openStateDirectory, sessionSettings, type StatePaths } from "../rooms/config/room.ts";
import { openSandboxes } from "../house/open-sandboxes.ts";
import { defaultAgent } from "../rooms/routing/room.ts";
import { sandboxMethods } from "../server/methods/sandbox.ts";
import type { AskFiles } from "./ask-gateway.ts";
import type { CommandCall } from "./command-spec.ts";
import { openConfig } from "./open-config.ts";
import { ledgerPath, readLedger } from "./open-ledger.ts";
import { createCommandLog } from "./silent-log.ts";

/** The same answers as the methods of a gateway give; what was set up for one of them is gone afterwards. */
export async function sandboxesHere(call: CommandCall): Promise<AskFiles> {
  const { paths, notices } = openStateDirectory(call.env, call.state);
  for (const notice of notices) call.terminal.note(notice);
  const config = openConfig(paths, call.env);
  const defaultAgentId = () => defaultAgent(config.current()).id;
  const keys = () => ({ ...sessionSettings(config.current()), defaultAgentId: defaultAgentId() });
  return async (method, params) => {
    const sandboxes = openSandboxes({
      clock: systemClock,
      ids: createIds(),
      log: createCommandLog((text) => call.terminal.note(text)),
      config,
      paths,
      ledger: onlyRead(paths),
      keys,
      workspaceOf: (id) => agentSettings(config.current(), { id, isDefault: id === defaultAgentId() }, paths).workspace,
      audit: { note() {} },
      changes: { note() {} },
    });
    const methods = sandboxMethods({ sandboxes, keys, changes: { note() {} } });
    try {
      return await (methods as unknown as Readonly<Record<string, (asked: never) => unknown>>)[method]?.(
        params as never,
      );
    } finally {
      await sandboxes.close();
    }
  };
}

/** Nothing is remembered: whether conversations are kept is for the gateway to say. */
function onlyRead(paths: StatePaths): Pick<Ledger, "value" | "commit" | "session" | "onCommit"> {
  const isThere = existsSync(ledgerPath(paths));
  return {
    value: async (key) => (isThere ? readLedger(paths, (ledger) => ledger.value(key)) : undefined),
    session: async (key) => (isThere ? readLedger(paths, (ledger) => ledger.session(key)) : undefined),
    commit: async () => {},
    onCommit: () => () => {},
  };
}

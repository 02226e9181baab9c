// Hooks as this process finds and changes them in the files, for commands that run without a gateway.
import { systemClock } from "../base/clock.ts";
import { openStateDirectory } from "../rooms/config/room.ts";
import { checkHooks, createHookDesk } from "../rooms/hooks/room.ts";
import { hookDeskParts } from "../flow/hooks/parts.ts";
import type { AskFiles } from "./ask-gateway.ts";
import type { CommandCall } from "./command-spec.ts";
import { openConfig } from "./open-config.ts";

/** The same answers as the methods of a gateway give. No hook is loaded here. */
export function askHere(call: CommandCall): AskFiles {
  const { paths, notices } = openStateDirectory(call.env, call.state);
  for (const notice of notices) call.terminal.note(notice);
  const desk = createHookDesk(hookDeskParts({ config: openConfig(paths, call.env), paths, clock: systemClock }));
  const methods: Readonly<Record<string, (params: { name: string }) => unknown>> = {
    "hooks.list": () => ({ hooks: desk.list() }),
    "hooks.check": () => checkHooks(desk.list()),
    "hooks.info": ({ name }) => ({ hook: desk.info(name) }),
    "hooks.enable": ({ name }) => ({ hook: desk.enable(name) }),
    "hooks.disable": ({ name }) => ({ hook: desk.disable(name) }),
  };
  return async (method, params) => methods[method]?.(params as { name: string });
}

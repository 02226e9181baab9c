// Methods about hooks: which there are, whether they run, and switching them on and off.
import { GatewayError } from "@chela/sdk";
import { checkHooks, type HookReport } from "./room.ts";
import { type HOOKS_METHODS, type Handlers, holdsScope, asInvalid } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

type HookMethods = Pick<Handlers, keyof typeof HOOKS_METHODS>;
type HookRow = Awaited<ReturnType<HookMethods["hooks.info"]>>["hook"];

export function hookMethods(gateway: House): HookMethods {
  const change = async (work: () => HookReport): Promise<{ hook: HookRow }> => {
    const hook = rowOf(writing(work));
    gateway.log.info("hook changed", { hook: hook.name, state: hook.state });
    gateway.changes.note("hooks");
    return { hook };
  };
  return {
    async "hooks.list"(_params, { client }) {
      const isAdmin = holdsScope(client.scopes, "operator.admin");
      return { hooks: (await gateway.hooks()).list().map((hook) => shown(hook, isAdmin)) };
    },
    async "hooks.info"({ name }, { client }) {
      const isAdmin = holdsScope(client.scopes, "operator.admin");
      return { hook: shown((await gateway.hooks()).info(name), isAdmin) };
    },
    async "hooks.check"() {
      return checkHooks((await gateway.hooks()).list());
    },
    async "hooks.enable"({ name }) {
      const hooks = await gateway.hooks();
      return change(() => hooks.enable(name));
    },
    async "hooks.disable"({ name }) {
      const hooks = await gateway.hooks();
      return change(() => hooks.disable(name));
    },
  };
}

/** Where things lie on this machine, and what a program said when it failed, is nothing for those who only read. */
function shown(hook: HookReport, isAdmin: boolean): HookRow {
  if (isAdmin) return rowOf(hook);
  const { path: _path, lastError, ...row } = rowOf(hook);
  return { ...row, ...(lastError ? { lastError: { ...lastError, error: "The log says why." } } : {}) };
}

function rowOf({ events, unknownEvents, requires, ...hook }: HookReport): HookRow {
  const lists = Object.entries(requires).map(([name, list]): [string, string[]] => [name, [...list]]);
  return { ...hook, events: [...events], unknownEvents: [...unknownEvents], requires: Object.fromEntries(lists) };
}

/** What the configuration refuses is the caller's mistake. */
function writing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw GatewayError.is(error) && error.code.startsWith("CONFIG_") ? asInvalid(error) : error;
  }
}

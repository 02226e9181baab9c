// Typed hooks of a plugin: those it was granted, with the times its owner gave them.
import { isTypedHook, typedHookRow, type EventHook, type TypedHook } from "@chela/sdk";
import { isObject } from "@chela/sdk/base";
import type { BroughtPlugin } from "./brought-plugin.ts";

export function bringHooks(plugin: BroughtPlugin): TypedHook[] {
  const { id, catalogue, grant, hookRules } = plugin;
  return catalogue.hooks.flatMap(({ hook, priority, place }): TypedHook[] => {
    if (!isTypedHook(hook)) {
      plugin.warn(`It hears the hook ${hook}, which this gateway does not have.`);
      return [];
    }
    const row = typedHookRow(hook);
    if (hook.startsWith("subagent_")) {
      plugin.warn(`Its hook ${hook} is known, and nobody calls it yet.`);
      return [];
    }
    const mayHear = grant.conversation && hookRules.allowConversationAccess !== false;
    if (row.seesWords && !mayHear) {
      plugin.warn(
        `Its hook ${hook} is not heard: what people write was not granted (chela plugins approve ${id} --conversation).`,
      );
      return [];
    }
    const mayInject = hookRules.allowPromptInjection !== false;
    if (hook === "before_prompt_build" && !mayInject) return [];
    const mostMs = hookRules.timeouts?.[hook] ?? hookRules.timeoutMs;
    return [
      {
        hook,
        from: id,
        priority,
        ...(mostMs === undefined ? {} : { mostMs }),
        async run(event, context, signal) {
          const gave = await plugin.call("hook", { hook: place, event, context }, { signal });
          return row.entersPrompt && !mayInject ? withoutPrompts(gave) : gave;
        },
      },
    ];
  });
}

/** Handlers on events hear words, too; only of the gateway itself they hear without a grant. */
export function bringEventHooks(plugin: BroughtPlugin): EventHook[] {
  const { id, catalogue, grant, hookRules } = plugin;
  const mayHear = grant.conversation && hookRules.allowConversationAccess !== false;
  return catalogue.internalHooks.flatMap(({ events, place }): EventHook[] => {
    const heard = mayHear ? events : events.filter((event) => event.startsWith("gateway"));
    if (heard.length < events.length)
      plugin.warn(
        `Its hook on ${events.join(", ")} is not heard: what people write was not granted (chela plugins approve ${id} --conversation).`,
      );
    if (heard.length === 0) return [];
    return [
      {
        from: id,
        events: heard,
        async run(event, signal) {
          const left = await plugin.call("internalHook", { hook: place, event }, { signal });
          return isObject(left) ? left : {};
        },
      },
    ];
  });
}

const PROMPTS = new Set(["systemPrompt", "prependContext", "prependSystemContext", "appendSystemContext"]);

function withoutPrompts(gave: unknown): unknown {
  return isObject(gave) ? Object.fromEntries(Object.entries(gave).filter(([name]) => !PROMPTS.has(name))) : gave;
}

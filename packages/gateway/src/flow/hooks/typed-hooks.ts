// Calls the typed hooks that parts bring: in their order, within their time, and with the say their hook gives them.
import {
  typedHookRow,
  type Clock,
  type Contribution,
  type HookFields,
  type Logger,
  type TypedHook,
  type TypedHookName,
} from "@chela/sdk";
import { isObject, waitAtMost } from "@chela/sdk/base";

export interface TypedHooksParts {
  readonly clock: Clock;
  readonly log: Logger;
  /** What plugins bring now; another list when it changes. */
  brought(): ReadonlyArray<Pick<Contribution<never>, "typedHooks">>;
}

/** What came of asking those who may change something. */
export type HookVoice =
  | { readonly kind: "said"; readonly from: string; readonly returned: HookFields }
  /** It failed or was late, and its hook says that this forbids what was to happen. */
  | { readonly kind: "forbids"; readonly from: string; readonly why: string };

export class TypedHooks {
  readonly #parts: TypedHooksParts;
  #of: object | undefined;
  #byName = new Map<TypedHookName, readonly TypedHook[]>();

  constructor(parts: TypedHooksParts) {
    this.#parts = parts;
  }

  has(name: TypedHookName): boolean {
    return this.#handlers(name).length > 0;
  }

  /** Side by side; nobody waits for them unless they want to. Never rejects. */
  async watch(name: TypedHookName, event: HookFields, context: HookFields): Promise<void> {
    await Promise.all(this.#handlers(name).map((hook) => this.#call(hook, event, context)));
  }

  /**
   * One after the other, higher priorities first. Each hears the event as `apply` left it for the ones before; `apply` is
   * given what a handler returned, and says whether the others are still asked. Never rejects.
   */
  async change(
    name: TypedHookName,
    event: () => HookFields,
    context: HookFields,
    apply: (voice: HookVoice) => "go on" | "enough",
  ): Promise<void> {
    for (const hook of this.#handlers(name)) {
      const voice = await this.#call(hook, event(), context);
      if (voice && apply(voice) === "enough") return;
    }
  }

  #handlers(name: TypedHookName): readonly TypedHook[] {
    const brought = this.#parts.brought();
    if (brought !== this.#of) {
      this.#of = brought;
      this.#byName = inOrder(brought.flatMap(({ typedHooks = [] }) => typedHooks));
    }
    return this.#byName.get(name) ?? [];
  }

  async #call(hook: TypedHook, event: HookFields, context: HookFields): Promise<HookVoice | undefined> {
    const { clock, log } = this.#parts;
    const row = typedHookRow(hook.hook);
    const mostMs = hook.mostMs ?? row.mostMs;
    const end = new AbortController();
    const failed = (why: string): HookVoice | undefined => {
      log.warn("a hook of a plugin failed", { plugin: hook.from, hook: hook.hook, why });
      return row.failsClosed ? { kind: "forbids", from: hook.from, why } : undefined;
    };
    try {
      const returned = await waitAtMost(mostMs, hook.run(event, context, end.signal), clock);
      if (returned === "late") return failed(`it took longer than ${mostMs} ms`);
      return isObject(returned) ? { kind: "said", from: hook.from, returned } : undefined;
    } catch (error) {
      return failed(error instanceof Error ? error.message : String(error));
    } finally {
      end.abort();
    }
  }
}

/** Ties keep the order in which they were brought. */
function inOrder(hooks: readonly TypedHook[]): Map<TypedHookName, readonly TypedHook[]> {
  const byName = new Map<TypedHookName, TypedHook[]>();
  for (const hook of hooks.toSorted((a, b) => b.priority - a.priority)) {
    const known = byName.get(hook.hook) ?? [];
    known.push(hook);
    byName.set(hook.hook, known);
  }
  return byName;
}

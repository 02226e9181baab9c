// Hooks: which there are, and switching them on and off.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Part } from "../../app/part.ts";
import { renderAsked } from "../../parts/asked.ts";
import { groupOf, HOOK_GROUPS, type Hook } from "./hook-facts.ts";
import { renderHook } from "./hook-row.ts";

class HooksTab extends Part {
  static override properties: PropertyDeclarations = { ...Part.properties, busy: { state: true } };
  /** The hook that is being switched. */
  declare busy: string | undefined;
  readonly #hooks = this.asking(() => ({ method: "hooks.list", params: {}, topics: ["hooks", "config", "agents"] }));

  override render(): TemplateResult {
    const retry = { label: this.words("app").retry, run: () => this.#hooks.again() };
    return html`<div class="stack automation-hooks">
      <p class="muted automation-intro">${this.words("automation").hooksIntro}</p>
      ${renderAsked(this.#hooks.state, ({ hooks }) => HOOK_GROUPS.map((group) => this.#renderGroup(hooks, group)), retry)}
    </div>`;
  }

  #renderGroup(hooks: readonly Hook[], group: (typeof HOOK_GROUPS)[number]): TemplateResult | typeof nothing {
    const words = this.words("automation");
    const mine = hooks.filter((hook) => groupOf(hook) === group);
    if (mine.length === 0 && group !== "own") return nothing;
    return html`<section class="stack">
      <div>
        <h2>${words[`group_${group}`]}</h2>
        ${group === "workspace" ? html`<p class="hint">${words.workspaceHow}</p>` : nothing}
        ${mine.length === 0 ? html`<p class="hint">${words.noOwnHooks}</p>` : nothing}
      </div>
      ${
        mine.length === 0
          ? nothing
          : html`<ul class="automation-list">
              ${repeat(
                mine,
                ({ name, source, path }) => `${source} ${path ?? name}`,
                (hook) =>
                  renderHook(hook, {
                    texts: words,
                    words: this.world.words,
                    isBusy: this.busy === hook.name,
                    set: (isOn) => void this.#set(hook, isOn),
                  }),
              )}
            </ul>`
      }
    </section>`;
  }

  async #set({ name, source, path }: Hook, isOn: boolean): Promise<void> {
    const words = this.words("automation");
    const { wire, notices } = this.world;
    if (isOn && source === "workspace") {
      const text = words.enableText(path ?? name);
      const question = { title: words.enableTitle(name), text, yes: words.enable, isDangerous: true };
      // The switch goes back to where it was.
      if (!(await notices.ask(question))) return this.requestUpdate();
    }
    this.busy = name;
    await this.attempt(async () => {
      const { hook } = await wire.call(isOn ? "hooks.enable" : "hooks.disable", { name });
      notices.say(hook.state === "on" ? words.hookOn(name) : words.hookOff(name));
    });
    this.busy = undefined;
    this.#hooks.again();
  }
}

customElements.define("chela-automation-hooks", HooksTab);

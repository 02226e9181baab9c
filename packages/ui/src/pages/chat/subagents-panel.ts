// The sub-agents of the conversation that is shown: who is at work on what, and what can be said to them.
import type { MethodAnswer } from "@chela/sdk/protocol";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { icon } from "../../parts/icon.ts";
import { Ticking } from "../../state/ticking.ts";
import { childTitle, isAtWork, treeOf, type Branch } from "./subagent-tree.ts";
import "./subagents-panel.css";

type Subagent = MethodAnswer<"subagents.list">["subagents"][number];

const TICK_MS = 1000;
const LONGEST_WORDS = 4000;

/** `<chela-subagents .world .sessionKey>`: nothing while there are none. */
class SubagentsPanel extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    sessionKey: { attribute: false },
    isOpen: { state: true },
    steered: { state: true },
  };
  declare sessionKey: string;
  declare isOpen: boolean;
  /** The run somebody is saying something to. */
  declare steered: string | undefined;
  readonly #list = this.asking(() =>
    this.world.wire.has("subagents.list")
      ? { method: "subagents.list", params: { sessionKey: this.sessionKey, recursive: true }, topics: ["errands"] }
      : undefined,
  );

  constructor() {
    super();
    this.isOpen = false;
    this.addController(new Ticking(this, TICK_MS, () => this.isOpen && this.#all.some(isAtWork)));
  }

  get #all(): readonly Subagent[] {
    return this.#list.value?.subagents ?? [];
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("sessionKey")) this.steered = undefined;
  }

  override render(): TemplateResult | typeof nothing {
    const all = this.#all;
    if (all.length === 0) return nothing;
    const words = this.words("subagents");
    const running = all.filter(isAtWork).length;
    const summary = this.#summary(running, all.length - running);
    return html`<section class="chat-subagents" aria-label=${words.title}>
      <h2 class="seen-by-readers">${words.title}</h2>
      <p class="seen-by-readers" role="status">${summary}</p>
      <button
        class="chat-subagents-head"
        aria-expanded=${this.isOpen}
        aria-controls="chat-subagents-tree"
        @click=${() => (this.isOpen = !this.isOpen)}
      >
        ${running > 0 ? html`<i class="chat-subagents-dot" data-state="running"></i>` : icon("branch")}
        <span>${summary}</span>
        ${icon(this.isOpen ? "chevronDown" : "chevronUp")}
      </button>
      <div id="chat-subagents-tree" ?hidden=${!this.isOpen}>
        ${this.isOpen ? this.#renderLevel(treeOf(all, this.sessionKey)) : nothing}
      </div>
    </section>`;
  }

  #summary(running: number, done: number): string {
    const words = this.words("subagents");
    if (running === 0) return words.done(done);
    return done === 0 ? words.atWork(running) : `${words.atWork(running)} · ${words.moreDone(done)}`;
  }

  #renderLevel(branches: ReadonlyArray<Branch<Subagent>>): TemplateResult {
    return html`<ul class="chat-subagents-level">
      ${repeat(
        branches,
        ({ child }) => child.runId,
        ({ child, below }) =>
          html`<li>
            ${this.#renderRow(child)} ${this.steered === child.runId ? this.#renderSteering(child) : nothing}
            ${below.length > 0 ? this.#renderLevel(below) : nothing}
          </li>`,
      )}
    </ul>`;
  }

  #renderRow(subagent: Subagent): TemplateResult {
    const words = this.words("subagents");
    const title = childTitle(subagent);
    const canOpen = !subagent.isArchived;
    return html`<div class="chat-subagents-row">
      <i class="chat-subagents-dot" data-state=${subagent.outcome ?? subagent.state}></i>
      <div class="chat-subagents-words">
        ${
          canOpen
            ? html`<a class="cut" href=${writeRoute("chat", [subagent.sessionKey])} title=${subagent.task}>${title}</a>`
            : html`<span class="cut" title=${subagent.task}>${title}</span>`
        }
        <span class="hint">${this.#facts(subagent).join(" · ")}</span>
      </div>
      ${
        subagent.state === "running"
          ? html`${this.#renderAct("chat", words.steer(title), () => void this.#startSteering(subagent), this.steered === subagent.runId)}
            ${this.#renderAct("stop", words.stop(title), () => void this.#stop(subagent))}`
          : nothing
      }
    </div>`;
  }

  #renderAct(name: "chat" | "stop", label: string, act: () => void, isPressed?: boolean): TemplateResult {
    return html`<button
      class="button quiet square small"
      aria-label=${label}
      title=${label}
      aria-expanded=${isPressed === undefined ? nothing : isPressed}
      @click=${act}
    >
      ${icon(name)}
    </button>`;
  }

  #renderSteering(subagent: Subagent): TemplateResult {
    const words = this.words("subagents");
    return html`<form
      class="row chat-subagents-steer"
      @submit=${(event: SubmitEvent) => void this.#steer(event, subagent)}
    >
      <input
        class="input"
        name="words"
        required
        autocomplete="off"
        maxlength=${LONGEST_WORDS}
        aria-label=${words.steer(childTitle(subagent))}
        placeholder=${words.steerHint}
        @keydown=${(event: KeyboardEvent) => event.key === "Escape" && (this.steered = undefined)}
      />
      <button class="button">${words.steerSend}</button>
    </form>`;
  }

  #facts(subagent: Subagent): string[] {
    const words = this.words("subagents");
    const { words: format } = this.world;
    const { state, outcome, error, startedAt, createdAt, runtimeMs, tokens, delivered, label, task } = subagent;
    const word = outcome
      ? words[`outcome_${outcome}`]
      : words[state === "announcing" ? "state_announcing" : "state_running"];
    // While it runs the clock of this page goes on.
    const ms = state === "running" ? Date.now() - (startedAt ?? createdAt) : runtimeMs;
    return [
      error ? `${word}: ${error}` : word,
      format.duration(ms < 1000 ? ms : Math.round(ms / 1000) * 1000),
      ...(tokens === undefined ? [] : [words.tokens(format.compact(tokens))]),
      ...(delivered === "not-delivered" ? [words.notDelivered] : []),
      ...(label && label !== task ? [task] : []),
    ];
  }

  async #startSteering({ runId }: Subagent): Promise<void> {
    this.steered = this.steered === runId ? undefined : runId;
    await this.updateComplete;
    this.querySelector<HTMLElement>(".chat-subagents-steer input")?.focus();
  }

  async #steer(event: SubmitEvent, { runId, parentKey: sessionKey }: Subagent): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const message = String(new FormData(form).get("words") ?? "").trim();
    if (message === "") return;
    const isSaid = await this.attempt(
      () => this.world.wire.call("subagents.steer", { sessionKey, target: runId, message }),
      this.words("subagents").steered,
    );
    if (isSaid) this.steered = undefined;
  }

  async #stop(subagent: Subagent): Promise<void> {
    const words = this.words("subagents");
    // Each is in the hands of the conversation that started it.
    const { runId: target, parentKey: sessionKey } = subagent;
    const title = words.stopTitle(childTitle(subagent));
    const question = { title, text: words.stopText, yes: words.stopYes, isDangerous: true };
    if (!(await this.world.notices.ask(question))) return;
    await this.attempt(() => this.world.wire.call("subagents.kill", { sessionKey, target }), words.stopped);
    this.#list.again();
  }
}

customElements.define("chela-subagents", SubagentsPanel);

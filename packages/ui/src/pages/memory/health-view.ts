// Health of the index: what is in it, who makes vectors, what is wrong, and what can be done about it.
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import type { MethodAnswer, MethodParams } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { renderAsked } from "../../parts/asked.ts";
import { icon } from "../../parts/icon.ts";
import type { MenuChoice } from "../../parts/menu.ts";
import { renderIndexFacts } from "./index-facts.ts";
import type { ChosenAgent } from "./place.ts";
import type { MemoryStatus } from "./progress-view.ts";
import "../../parts/menu.ts";

type Findings = MethodAnswer<"memory.check">["findings"];
type Busy = "sync" | "check" | "repair" | "rebuild";

const PARTS = ["all", "notes", "learned"] as const;

/** `<chela-memory-health .world .agent>` */
class HealthView extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    agent: { attribute: false },
    busy: { state: true },
    findings: { state: true },
    isRebuilding: { state: true },
  };
  declare agent: ChosenAgent;
  declare busy: Busy | undefined;
  /** Of the last check; undefined before the first. */
  declare findings: Findings | undefined;
  /** Of the index: it was started here, and its end is to be told. */
  declare isRebuilding: boolean;
  readonly #status = this.asking(() => ({
    method: "memory.status",
    params: { agentId: this.agent.id },
    topics: ["memory", "config"],
  }));

  constructor() {
    super();
    this.isRebuilding = false;
  }

  override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const { state } = this.#status;
    const isOver = state.kind === "here" && !state.isOld && state.value.agents[0]?.isIndexing === false;
    if (!this.isRebuilding || this.busy === "rebuild" || !isOver) return;
    this.isRebuilding = false;
    this.world.notices.say(this.words("memory").rebuilt);
  }

  override render(): TemplateResult {
    const retry = { label: this.words("app").retry, run: () => this.#status.again() };
    return html`${renderAsked(this.#status.state, ({ agents: [status] }) => (status ? this.#renderStatus(status) : nothing), retry)}`;
  }

  #renderStatus(status: MemoryStatus): TemplateResult {
    const words = this.words("memory");
    return html`<div class="memory-health">
      ${this.#renderActions(status)}
      <p role="status" class="hint memory-rebuilding">${this.isRebuilding ? words.rebuilding : words.derived}</p>
      ${this.#renderNotes(status)} ${this.#renderFindings()} ${renderIndexFacts(status, words, this.world.words)}
    </div>`;
  }

  #renderActions({ isOn }: MemoryStatus): TemplateResult {
    const words = this.words("memory");
    const isBusy = this.busy !== undefined || !isOn;
    return html`<div class="row wrap memory-actions">
      <button class="button primary" ?disabled=${isBusy} @click=${() => void this.#sync()}>
        ${icon("retry")}${words.sync}
      </button>
      <button class="button" ?disabled=${isBusy} @click=${() => void this.#check(false)}>
        ${icon("check")}${words.check}
      </button>
      ${
        isBusy
          ? html`<button class="button" disabled>${words.rebuild}${icon("chevronDown")}</button>`
          : html`<chela-menu
              label=${words.rebuild}
              .choices=${PARTS.map((part) => ({ id: part, label: words[`rebuild_${part}`] }))}
              @menu-choose=${({ detail }: CustomEvent<MenuChoice>) => void this.#rebuild(detail)}
            ></chela-menu>`
      }
    </div>`;
  }

  #renderNotes({ fallback, reading, notes }: MemoryStatus): TemplateResult | typeof nothing {
    const words = this.words("memory");
    const all = [
      ...(fallback ? [words.fallback(fallback.model, fallback.why)] : []),
      ...(reading?.problem ? [words.readingProblem(reading.model, reading.problem)] : []),
      ...notes,
    ];
    if (all.length === 0) return nothing;
    return html`<section class="banner warn memory-to-know" aria-label=${words.toKnow}>
      ${icon("warning")}
      <ul>
        ${all.map((note) => html`<li>${note}</li>`)}
      </ul>
    </section>`;
  }

  #renderFindings(): TemplateResult | typeof nothing {
    const words = this.words("memory");
    const { findings } = this;
    if (!findings || findings.length === 0) return nothing;
    const canRepair = findings.some(({ isRepaired }) => !isRepaired);
    return html`<section class="card memory-findings" aria-labelledby="memory-findings">
      <header>
        <h2 id="memory-findings">${words.findings}</h2>
        ${
          canRepair
            ? html`<button
                class="button primary"
                ?disabled=${this.busy !== undefined}
                @click=${() => void this.#check(true)}
              >
                ${icon("tool")}${words.repair}
              </button>`
            : nothing
        }
      </header>
      <ul>
        ${findings.map(
          ({ what, fix, isRepaired }) =>
            html`<li>
              <p>
                ${what}
                ${isRepaired ? html`<span class="badge good">${icon("check")}${words.repaired}</span>` : nothing}
              </p>
              <p class="hint">${fix}</p>
            </li>`,
        )}
      </ul>
    </section>`;
  }

  async #sync(): Promise<void> {
    await this.#while("sync", async () => {
      const words = this.words("memory");
      const format = this.world.words;
      const { files, changed, removed } = await this.world.wire.call("memory.index", { agentId: this.agent.id });
      const notes = words.noteCount(format.number(files), files);
      this.world.notices.say(words.synced(notes, format.number(changed), format.number(removed)));
    });
  }

  async #check(repair: boolean): Promise<void> {
    await this.#while(repair ? "repair" : "check", async () => {
      const { findings } = await this.world.wire.call("memory.check", { agentId: this.agent.id, repair });
      this.findings = findings;
      if (findings.length === 0) this.world.notices.say(this.words("memory").checked);
    });
  }

  async #rebuild({ id, label }: MenuChoice): Promise<void> {
    const { rebuildTitle, rebuildText: text, rebuild: yes } = this.words("memory");
    const what: MethodParams<"memory.rebuild">["what"] = PARTS.find((part) => part === id);
    if (!what || !(await this.world.notices.ask({ title: `${label}: ${rebuildTitle}`, text, yes }))) return;
    await this.#while("rebuild", async () => {
      this.findings = undefined;
      await this.world.wire.call("memory.rebuild", { agentId: this.agent.id, what });
      // The index says when it is done; what conversations teach comes bit by bit, when it is quiet.
      this.isRebuilding = what !== "learned";
      if (what === "learned") this.world.notices.say(this.words("memory").relearning);
    });
  }

  async #while(busy: Busy, act: () => Promise<void>): Promise<void> {
    this.busy = busy;
    await this.attempt(act);
    // Asked before anybody looks whether it is over: what is known is from before it began.
    this.#status.again();
    this.busy = undefined;
  }
}

customElements.define("chela-memory-health", HealthView);

// Heartbeats: whether they are on, and how that of each agent stands.
import type { MethodAnswer } from "@chela/sdk/protocol";
import { html, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { Part } from "../../app/part.ts";
import { renderAsked } from "../../parts/asked.ts";
import { KnownNames } from "../../state/known-names.ts";
import { Ticking } from "../../state/ticking.ts";
import { renderBeat, type AgentBeat } from "./beat-card.ts";
import "./wake-dialog.ts";

type Status = MethodAnswer<"heartbeat.status">;

/** How often "in 3 minutes" is looked at again. */
const TICK_MS = 20_000;

class HeartbeatTab extends Part {
  static override properties: PropertyDeclarations = { ...Part.properties, waking: { state: true } };
  /** The agent that is to be told something. */
  declare waking: string | undefined;
  readonly #names = new KnownNames(this, () => this.world);
  readonly #status = this.asking(() => ({
    method: "heartbeat.status",
    params: {},
    // The agent writes HEARTBEAT.md itself, too: after each of its turns it may be another.
    topics: ["heartbeat", "config", "agents", "runs"],
  }));

  constructor() {
    super();
    this.waking = undefined;
    this.addController(new Ticking(this, TICK_MS));
  }

  override render(): TemplateResult {
    const retry = { label: this.words("app").retry, run: () => this.#status.again() };
    return html`<div class="stack">
      <p class="muted automation-intro">${this.words("automation").beatIntro}</p>
      ${renderAsked(this.#status.state, (status) => this.#renderStatus(status), retry)}
    </div>`;
  }

  #renderStatus({ enabled, agents }: Status): TemplateResult {
    const words = this.words("automation");
    return html`<div class="automation-bar">
        <label class="automation-switch">
          <input
            class="switch"
            type="checkbox"
            role="switch"
            aria-describedby="automation-beats-hint"
            .checked=${enabled}
            @change=${(event: Event) => void this.#switch(event.target as HTMLInputElement)}
          />
          <span>${words.allBeats}</span>
        </label>
        <span class="hint" id="automation-beats-hint">${words.allBeatsHow}</span>
      </div>
      <ul class="cards automation-beats">
        ${repeat(
          agents,
          ({ agentId }) => agentId,
          (beat) => html`<li>${this.#renderBeat(beat, enabled)}</li>`,
        )}
      </ul>
      <chela-automation-wake
        .world=${this.world}
        .agentId=${this.waking}
        .agentName=${this.#names.agent(this.waking ?? "")}
        @dialog-close=${() => (this.waking = undefined)}
      ></chela-automation-wake>`;
  }

  #renderBeat(beat: AgentBeat, isOn: boolean): TemplateResult {
    return renderBeat(beat, {
      isOn,
      name: this.#names.agent(beat.agentId),
      channel: (id) => this.#names.channel(id, this.pageTitle("chat")),
      texts: this.words("automation"),
      words: this.world.words,
      ...(this.world.wire.has("wake") ? { wake: () => void (this.waking = beat.agentId) } : {}),
    });
  }

  async #switch(box: HTMLInputElement): Promise<void> {
    const words = this.words("automation");
    const enabled = box.checked;
    const isDone = await this.attempt(
      async () => {
        await this.world.wire.call("set-heartbeats", { enabled });
        this.#status.again();
      },
      enabled ? words.beatsOn : words.beatsOff,
    );
    // What is shown is what is, whatever was clicked.
    if (!isDone) box.checked = !enabled;
  }
}

customElements.define("chela-automation-heartbeat", HeartbeatTab);

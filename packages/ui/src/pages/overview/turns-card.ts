// Turns that go on now or wait for their turn, with a way to stop them.
import { html, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { renderAsked } from "../../parts/asked.ts";
import { icon } from "../../parts/icon.ts";
import { shortKey } from "../../state/session-title.ts";
import { Ticking } from "../../state/ticking.ts";

type Run = MethodAnswer<"runs.list">["runs"][number];

const MOST = 20;
const SECOND_MS = 1000;

class TurnsCard extends Part {
  readonly #running = this.asking(() => ({
    method: "runs.list",
    params: { state: "running", limit: MOST },
    topics: ["runs"],
  }));
  readonly #queued = this.asking(() => ({
    method: "runs.list",
    params: { state: "queued", limit: MOST },
    topics: ["runs"],
  }));

  constructor() {
    super();
    this.addController(new Ticking(this, SECOND_MS, () => this.#runs.length > 0));
  }

  get #runs(): readonly Run[] {
    return [...(this.#running.value?.runs ?? []), ...(this.#queued.value?.runs ?? [])];
  }

  override render(): TemplateResult {
    const words = this.words("overview");
    const retry = { label: this.words("app").retry, run: () => this.#askAgain() };
    return html`<section class="card overview-card">
      <h2>${words.working}</h2>
      ${renderAsked(this.#running.state, () => this.#renderRuns(), retry)}
    </section>`;
  }

  #renderRuns(): TemplateResult {
    const words = this.words("overview");
    const runs = this.#runs;
    if (runs.length === 0) return html`<p class="muted">${words.idle}</p>`;
    return html`<ul class="overview-list">
      ${repeat(
        runs,
        ({ runId }) => runId,
        (run) => this.#renderRun(run),
      )}
    </ul>`;
  }

  #renderRun(run: Run): TemplateResult {
    const words = this.words("overview");
    const isRunning = run.state === "running";
    const passed = this.world.words.duration(passedMs(run.startedAt ?? run.receivedAt));
    const facts = [shortKey(run.sessionKey), run.channel, isRunning ? passed : words.waits(passed)];
    const preview = run.preview.trim() || words.noText;
    return html`<li class="overview-row">
      <i class="overview-dot" data-tone=${isRunning ? "busy" : "soft"}></i>
      <a class="overview-row-words" href=${writeRoute("chat", [run.sessionKey])}>
        <span class="cut">${preview}</span>
        <small>${facts.join(" · ")}</small>
      </a>
      <button class="button small" aria-label="${words.stop}: ${preview}" @click=${() => void this.#stop(run)}>
        ${icon("stop")}<span>${words.stop}</span>
      </button>
    </li>`;
  }

  async #stop({ sessionKey, runId }: Run): Promise<void> {
    const words = this.words("overview");
    await this.attempt(async () => {
      const { aborted } = await this.world.wire.call("chat.abort", { sessionKey, runId });
      this.world.notices.say(aborted ? words.stopped : words.endedAlready);
    });
  }

  #askAgain(): void {
    this.#running.again();
    this.#queued.again();
  }
}

/** Whole seconds; the clocks of two machines may differ. */
function passedMs(since: number): number {
  return Math.max(SECOND_MS, Math.floor((Date.now() - since) / SECOND_MS) * SECOND_MS);
}

customElements.define("chela-overview-turns", TurnsCard);

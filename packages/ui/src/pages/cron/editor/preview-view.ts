// Preview of a schedule as the gateway understands it: the next runs, or the sentence that says what is wrong.
import type { CronSchedule } from "@chela/sdk/cron";
import { html, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { Part } from "../../../app/part.ts";
import { scheduleWords } from "../../../jobs/schedule-words.ts";
import { Ticking } from "../../../state/ticking.ts";
import { WireFailure, wordsOf } from "../../../wire/failure.ts";
import { renderInstants } from "../instants.ts";
import type { ReadWhen } from "./when-draft.ts";

type SchedulePreview =
  | {
      readonly kind: "runs";
      readonly schedule: CronSchedule;
      readonly human: string | undefined;
      readonly runs: readonly number[];
    }
  | { readonly kind: "problem"; readonly text: string };

const SHOWN_RUNS = 5;
/** Whoever types is not asked about every letter. */
const TYPING_MS = 180;
const TICK_MS = 20_000;

/** `<chela-cron-preview .world .read>` */
class PreviewView extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    read: { attribute: false },
    told: { state: true },
  };
  declare read: ReadWhen;
  declare told: SchedulePreview | undefined;
  /** What was asked for last. */
  #asked = "";
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.addController(new Ticking(this, TICK_MS));
  }

  override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    const name = JSON.stringify(this.read);
    if (name === this.#asked) return;
    const isFirst = this.#asked === "";
    this.#asked = name;
    clearTimeout(this.#typing);
    if (this.read.kind === "problem") {
      this.told = { kind: "problem", text: this.words("cron")[`problem_${this.read.problem}`] };
      return;
    }
    const { schedule } = this.read;
    this.#typing = setTimeout(() => void this.#ask(schedule, name), isFirst ? 0 : TYPING_MS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#typing);
    this.#asked = "";
  }

  override render(): TemplateResult {
    return html`<div class="cron-preview" aria-live="polite">${this.#renderTold()}</div>`;
  }

  #renderTold(): TemplateResult {
    const { told } = this;
    if (!told) return html`<div class="waiting" aria-busy="true"><span></span><span></span></div>`;
    if (told.kind === "problem") return html`<p class="problem">${told.text}</p>`;
    const words = this.words("cron");
    const said = scheduleWords(told.schedule, this.world.words, words, told.human);
    return html`<p class="cron-preview-words">${said}</p>
      ${renderInstants(told.runs, this.world.words, words)}`;
  }

  async #ask(schedule: CronSchedule, name: string): Promise<void> {
    const told = await this.#tell(schedule);
    if (name === this.#asked && told) this.told = told;
  }

  async #tell(schedule: CronSchedule): Promise<SchedulePreview | undefined> {
    try {
      const { runs, human, problems } = await this.world.wire.call("cron.preview", { schedule, count: SHOWN_RUNS });
      if (problems && problems.length > 0) return { kind: "problem", text: problems.join(" ") };
      return { kind: "runs", schedule, human, runs: runs.map(({ atMs }) => atMs) };
    } catch (error) {
      // The lost connection is told elsewhere.
      if (error instanceof WireFailure && error.code === "OFFLINE") return undefined;
      return { kind: "problem", text: wordsOf(error) };
    }
  }
}

customElements.define("chela-cron-preview", PreviewView);

// The form for a job: what it does, when, and where its result goes. What is typed is never lost.
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { Part } from "../../../app/part.ts";
import { writeRoute } from "../../../app/route.ts";
import type { Job } from "../../../jobs/job-actions.ts";
import { renderAsked } from "../../../parts/asked.ts";
import { icon } from "../../../parts/icon.ts";
import type { Draft } from "../../../settings/drafts.ts";
import { Watching } from "../../../state/live.ts";
import { wordsOf } from "../../../wire/failure.ts";
import { EXAMPLES, exampleDraft } from "../examples.ts";
import { draftOf, emptyDraft, readDraft, type JobDraft } from "./job-draft.ts";
import { jobDrafts } from "./job-drafts.ts";
import { saveJob } from "./save-job.ts";
import { readWhen } from "./when-draft.ts";
import "./more-fields.ts";
import "./preview-view.ts";
import "./what-fields.ts";
import "./when-fields.ts";
import "./where-fields.ts";

type Change = CustomEvent<Partial<JobDraft>>;

/** `<chela-cron-editor .world .jobId>` or `… .pattern>`: of a new job, "", an example, or `copy:` and the id of another. */
class JobEditor extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    jobId: { attribute: false },
    pattern: { attribute: false },
    problem: { state: true },
    isBusy: { state: true },
  };
  declare jobId: string | undefined;
  declare pattern: string | undefined;
  /** Why the gateway, or the form, did not take it. */
  declare problem: string;
  declare isBusy: boolean;
  readonly #watching = new Watching(this);
  readonly #job = this.asking(() => {
    const id = this.#source;
    return id === undefined ? undefined : { method: "cron.get", params: { id }, topics: ["jobs"] };
  });

  constructor() {
    super();
    this.problem = "";
    this.isBusy = false;
  }

  /** The job that is changed or copied. */
  get #source(): string | undefined {
    return this.jobId ?? (this.pattern?.startsWith("copy:") ? this.pattern.slice("copy:".length) : undefined);
  }

  get #name(): string {
    return this.jobId === undefined ? `new ${this.pattern}` : `job ${this.jobId}`;
  }

  get #draft(): Draft<JobDraft> | undefined {
    return jobDrafts(this.world).get(this.#name);
  }

  override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (changed.has("jobId") || changed.has("pattern")) this.problem = "";
    const { state } = this.#job;
    if (this.#source === undefined) this.#begin(this.#firstContent());
    // An answer that is being asked for again may be from before what was just saved.
    else if (state.kind === "here" && !state.isOld) this.#offer(state.value);
    const draft = this.#draft;
    if (draft) this.#watching.show(draft.now, draft.newer);
  }

  override render(): TemplateResult {
    const retry = { label: this.words("app").retry, run: () => this.#job.again() };
    const draft = this.#draft;
    return html`${this.#renderHead()}
    ${draft ? this.#renderForm(draft) : renderAsked(this.#job.state, () => nothing, retry)}`;
  }

  #renderHead(): TemplateResult {
    const words = this.words("cron");
    const back = this.jobId === undefined ? writeRoute("cron") : writeRoute("cron", [this.jobId]);
    return html`<nav class="back-link">
        <a href=${back}> ${icon("chevronLeft")}${this.jobId === undefined ? words.allJobs : words.backToJob} </a>
      </nav>
      <header class="page-head"><h1>${this.jobId === undefined ? words.newJob : words.editJob}</h1></header>`;
  }

  #renderForm(draft: Draft<JobDraft>): TemplateResult {
    const { world } = this;
    const words = this.words("cron");
    const content = draft.now.value;
    return html`<form
      class="cron-form"
      novalidate
      @submit=${(event: Event) => void this.#save(event, draft)}
      @draft-change=${({ detail }: Change) => this.#changed(draft, detail)}
    >
      <div class="cron-form-fields">
        ${draft.newer.value ? this.#renderNewer(draft) : nothing}
        <section class="card form">
          <h2>${words.what}</h2>
          <chela-cron-what .world=${world} .draft=${content}></chela-cron-what>
        </section>
        <section class="card form">
          <h2>${words.when}</h2>
          <chela-cron-when .world=${world} .when=${content.when}></chela-cron-when>
        </section>
        <section class="card form">
          <h2>${words.where}</h2>
          <chela-cron-where .world=${world} .draft=${content}></chela-cron-where>
        </section>
        <chela-cron-more .world=${world} .draft=${content}></chela-cron-more>
      </div>
      <aside class="cron-form-side">${this.#renderSide(draft)}</aside>
    </form>`;
  }

  #renderSide(draft: Draft<JobDraft>): TemplateResult {
    const words = this.words("cron");
    return html`<section class="card">
        <h2>${words.nextRuns}</h2>
        <chela-cron-preview .world=${this.world} .read=${readWhen(draft.now.value.when)}></chela-cron-preview>
      </section>
      ${this.problem ? html`<p class="problem cron-problem" role="alert">${this.problem}</p>` : nothing}
      <div class="cron-form-acts">
        <button class="button primary" ?disabled=${this.isBusy || draft.newer.value !== undefined}>
          ${this.jobId === undefined ? words.create : this.words("app").save}
        </button>
        <button type="button" class="button" @click=${() => void this.#cancel(draft)}>
          ${this.words("app").cancel}
        </button>
        ${draft.isEdited ? html`<span class="hint" role="status">${words.unsaved}</span>` : nothing}
      </div>`;
  }

  #renderNewer(draft: Draft<JobDraft>): TemplateResult {
    const words = this.words("cron");
    return html`<div class="banner warn cron-newer" role="status">
      ${icon("warning")}
      <p>${words.changedMeanwhile}</p>
      <div class="row wrap">
        <button type="button" class="button small" @click=${() => draft.discard()}>${words.takeTheirs}</button>
        <button type="button" class="button small" @click=${() => draft.rebase(draft.now.value)}>
          ${words.keepMine}
        </button>
      </div>
    </div>`;
  }

  #firstContent(): JobDraft {
    const example = EXAMPLES.find((one) => one === this.pattern);
    return example ? exampleDraft(example, this.words("cron")) : emptyDraft();
  }

  #begin(content: JobDraft): Draft<JobDraft> {
    return this.#draft ?? jobDrafts(this.world).begin(this.#name, content);
  }

  #offer(job: Job): void {
    if (this.jobId === undefined) {
      this.#begin({ ...draftOf(job), name: this.words("cron").copyOf(job.name) });
      return;
    }
    this.#begin(draftOf(job)).offer(draftOf(job), String(job.updatedAtMs));
  }

  #changed(draft: Draft<JobDraft>, change: Partial<JobDraft>): void {
    this.problem = "";
    draft.now.set({ ...draft.now.value, ...change });
  }

  async #cancel(draft: Draft<JobDraft>): Promise<void> {
    const words = this.words("cron");
    const question = { title: words.discardTitle, text: words.discardText, yes: words.discard, isDangerous: true };
    if (draft.isEdited && !(await this.world.notices.ask(question))) return;
    jobDrafts(this.world).forget(this.#name);
    this.world.router.go("cron", this.jobId === undefined ? [] : [this.jobId]);
  }

  async #save(event: Event, draft: Draft<JobDraft>): Promise<void> {
    event.preventDefault();
    const read = readDraft(draft.now.value);
    if (read.kind === "problem") {
      this.problem = this.words("cron")[`problem_${read.problem}`];
      return;
    }
    this.isBusy = true;
    try {
      const before = this.jobId === undefined ? undefined : this.#job.value;
      const saved = await saveJob(this.world, read.wishes, before);
      jobDrafts(this.world).forget(this.#name);
      this.world.router.go("cron", [saved.id]);
    } catch (error) {
      this.problem = wordsOf(error);
    } finally {
      this.isBusy = false;
    }
  }
}

customElements.define("chela-cron-editor", JobEditor);

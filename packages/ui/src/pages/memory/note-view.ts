// One note in an editor: saved by hand, never over what somebody else wrote meanwhile, and deleted after a question.
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { renderAsked } from "../../parts/asked.ts";
import type { Editor } from "../../parts/editor/editor.ts";
import { icon } from "../../parts/icon.ts";
import type { Draft } from "../../settings/drafts.ts";
import { textDrafts } from "../../settings/text-drafts.ts";
import { Watching } from "../../state/live.ts";
import type { ListedNote } from "./notes-view.ts";
import { linkTo, queryOf, type ChosenAgent } from "./place.ts";
import { removeNote, saveNote } from "./note-actions.ts";
import "../../parts/editor/editor.ts";
import "../../parts/list/newer-text.ts";

type Note = MethodAnswer<"memory.notes.get">;

/** `<chela-memory-note .world .agent .path .line .listed>`: `listed` is what the list knows of it. */
class NoteView extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    agent: { attribute: false },
    path: { attribute: false },
    line: { attribute: false },
    listed: { attribute: false },
    isBusy: { state: true },
  };
  declare agent: ChosenAgent;
  declare path: string;
  /** From 1; 0 for wherever it opens. */
  declare line: number;
  declare listed: ListedNote | undefined;
  declare isBusy: boolean;
  readonly #note = this.asking(() => ({
    method: "memory.notes.get",
    params: { agentId: this.agent.id, path: this.path },
    topics: ["memory", "runs"],
  }));
  readonly #watching = new Watching(this);
  /** The line that was gone to, so that it is gone to once. */
  #shownLine = 0;
  #offered: Note | undefined;

  constructor() {
    super();
    this.isBusy = false;
  }

  get #draft(): Draft<string> {
    return textDrafts(this.world).of("note", this.agent.id, this.path);
  }

  override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    this.#watching.show(this.#draft.now, this.#draft.newer);
    const { state } = this.#note;
    // An answer that is being asked for again may be from before what was just saved, and so may one that was offered.
    if (state.kind !== "here" || state.isOld || state.value === this.#offered) return;
    this.#offered = state.value;
    this.#draft.offer(state.value.text, state.value.hash);
  }

  override updated(): void {
    const editor = this.querySelector<Editor>("chela-editor");
    if (!editor || this.line === this.#shownLine) return;
    this.#shownLine = this.line;
    if (this.line > 0) void editor.updateComplete.then(() => editor.jumpTo(this.line));
  }

  override render(): TemplateResult {
    const retry = { label: this.words("app").retry, run: () => this.#note.again() };
    return html`<nav class="back-link">
        <a href=${linkTo(this.agent, ["notes"])}>${icon("chevronLeft")}${this.words("memory").allNotes}</a>
      </nav>
      <section class="memory-note" aria-label=${this.path} @keydown=${(event: KeyboardEvent) => this.#pressed(event)}>
        ${renderAsked(this.#note.state, (note) => this.#renderNote(note), retry)}
      </section>`;
  }

  #renderNote(note: Note): TemplateResult {
    const words = this.words("memory");
    const draft = this.#draft;
    const isReadOnly = this.#isReadOnly(note);
    return html`<header class="memory-note-head">
        <div>
          <h2 class="mono">${this.path}</h2>
          <p class="hint">${this.#about()}</p>
        </div>
        ${isReadOnly ? nothing : this.#renderActions(draft)}
      </header>
      ${isReadOnly ? html`<p class="banner">${icon("info")}<span>${note.isCut ? words.tooLong : words.readOnly}</span></p>` : nothing}
      <chela-newer-text .world=${this.world} .draft=${draft} says=${words.changedMeanwhile}></chela-newer-text>
      <chela-editor
        .value=${draft.now.value}
        .language=${"markdown"}
        .readOnly=${isReadOnly}
        .label=${words.editorOf(this.path)}
        @editor-change=${({ detail }: CustomEvent<string>) => draft.now.set(detail)}
      ></chela-editor>`;
  }

  #isReadOnly(note: Note): boolean {
    return note.isCut || this.listed?.isWritable === false;
  }

  #about(): string {
    const words = this.words("memory");
    const format = this.world.words;
    if (!this.listed) return "";
    const { updatedAtMs, size, chunks } = this.listed;
    const pieces = words.pieceCount(format.number(chunks), chunks);
    return words.noteAbout(format.ago(updatedAtMs), format.bytes(size), pieces);
  }

  #renderActions(draft: Draft<string>): TemplateResult {
    const words = this.words("memory");
    return html`<div class="row wrap">
      <button
        class="button quiet square"
        aria-label=${words.remove}
        title=${words.remove}
        ?disabled=${this.isBusy}
        @click=${() => void this.#remove()}
      >
        ${icon("trash")}
      </button>
      ${
        draft.isEdited
          ? html`<button class="button quiet" @click=${() => void this.#discard()}>${words.discard}</button>`
          : nothing
      }
      <button
        class="button primary"
        title=${words.saveKeys}
        ?disabled=${!this.#canSave(draft)}
        @click=${() => void this.#save()}
      >
        ${this.words("app").save}
      </button>
    </div>`;
  }

  #canSave(draft: Draft<string>): boolean {
    return !this.isBusy && draft.isEdited && draft.newer.value === undefined;
  }

  #pressed(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== "s") return;
    event.preventDefault();
    if (this.#canSave(this.#draft)) void this.#save();
  }

  async #save(): Promise<void> {
    this.isBusy = true;
    await saveNote(this.world, this.agent.id, this.path, this.#draft);
    this.isBusy = false;
    this.#note.again();
  }

  async #discard(): Promise<void> {
    const { discardTitle, discardText: text, discard: yes } = this.words("memory");
    const question = { title: discardTitle(this.path), text, yes, isDangerous: true };
    if (await this.world.notices.ask(question)) this.#draft.discard();
  }

  async #remove(): Promise<void> {
    const { world, agent, path } = this;
    this.isBusy = true;
    const isGone = await removeNote(world, agent.id, path, this.#draft);
    this.isBusy = false;
    if (isGone) world.router.go("memory", ["notes"], queryOf(agent));
  }
}

customElements.define("chela-memory-note", NoteView);

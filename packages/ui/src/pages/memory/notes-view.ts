// The notes of an agent: a list of them, or the one that is open, and a way to begin another.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { repeat } from "lit/directives/repeat.js";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { renderAsked } from "../../parts/asked.ts";
import { icon } from "../../parts/icon.ts";
import type { Renaming } from "../../parts/rename-dialog.ts";
import { textDrafts } from "../../settings/text-drafts.ts";
import { pathOfName, titleOfName } from "./note-path.ts";
import { linkTo, queryOf, type ChosenAgent } from "./place.ts";
import "../../parts/rename-dialog.ts";
import "./note-view.ts";

type NoteList = MethodAnswer<"memory.notes.list">;
export type ListedNote = NoteList["notes"][number];

/** `<chela-memory-notes .world .agent .path .line>`: without a path the list. */
class NotesView extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    agent: { attribute: false },
    path: { attribute: false },
    line: { attribute: false },
    isNaming: { state: true },
  };
  declare agent: ChosenAgent;
  declare path: string | undefined;
  declare line: number;
  declare isNaming: boolean;
  // Agents write notes while they work; not everything of that is told as a change of memory.
  readonly #notes = this.asking(() => ({
    method: "memory.notes.list",
    params: { agentId: this.agent.id },
    topics: ["memory", "runs"],
  }));

  constructor() {
    super();
    this.isNaming = false;
  }

  override render(): TemplateResult {
    const { path, world, agent } = this;
    if (path === undefined) return this.#renderAll();
    return html`${keyed(
      path,
      html`<chela-memory-note
        .world=${world}
        .agent=${agent}
        .path=${path}
        .line=${this.line}
        .listed=${this.#notes.value?.notes.find((note) => note.path === path)}
      ></chela-memory-note>`,
    )}`;
  }

  #renderAll(): TemplateResult {
    const retry = { label: this.words("app").retry, run: () => this.#notes.again() };
    return html`${renderAsked(this.#notes.state, (listed) => this.#renderListed(listed), retry)}
      <chela-rename
        .world=${this.world}
        .renaming=${this.isNaming ? this.#naming() : undefined}
        @dialog-close=${() => (this.isNaming = false)}
      ></chela-rename>`;
  }

  #renderListed({ workspace, notes }: NoteList): TemplateResult {
    const words = this.words("memory");
    if (notes.length === 0) {
      return html`<div class="empty">
        <h2>${words.noNotes}</h2>
        <p>${words.noNotesHow}</p>
        ${this.#renderNew()}
      </div>`;
    }
    return html`<div class="memory-bar">
        <p class="hint">${words.notesWhere} <code>${workspace}</code></p>
        ${this.#renderNew()}
      </div>
      ${this.#renderTable(notes)}`;
  }

  #renderNew(): TemplateResult {
    return html`<button class="button primary" @click=${() => (this.isNaming = true)}>
      ${icon("plus")}${this.words("memory").newNote}
    </button>`;
  }

  #renderTable(notes: readonly ListedNote[]): TemplateResult {
    const words = this.words("memory");
    return html`<table class="table memory-table">
      <thead>
        <tr>
          <th scope="col">${words.note}</th>
          <th scope="col" class="number memory-wide">${words.size}</th>
          <th scope="col" class="number memory-wide" title=${words.piecesHint}>${words.pieces}</th>
          <th scope="col">${words.changed}</th>
        </tr>
      </thead>
      <tbody>
        ${repeat(
          notes,
          ({ path }) => path,
          (note) => this.#renderRow(note),
        )}
      </tbody>
    </table>`;
  }

  #renderRow({ path, size, chunks, updatedAtMs }: ListedNote): TemplateResult {
    const { words } = this.world;
    const { isEdited } = textDrafts(this.world).of("note", this.agent.id, path);
    return html`<tr>
      <th scope="row">
        <a class="mono" href=${linkTo(this.agent, ["notes", path])}>${path}</a>
        ${isEdited ? html`<span class="badge warn">${this.words("memory").notSaved}</span>` : nothing}
      </th>
      <td class="number memory-wide">${words.bytes(size)}</td>
      <td class="number memory-wide">${words.number(chunks)}</td>
      <td><time title=${words.date(updatedAtMs)}>${words.ago(updatedAtMs)}</time></td>
    </tr>`;
  }

  #naming(): Renaming {
    const { newNote: title, newNoteName: label, newNoteHint: hint } = this.words("memory");
    return { title, label, hint, current: "", longest: 100, save: (name) => this.#begin(name) };
  }

  /** Written at once, so that it is a note from its first moment; never over one that is there. */
  async #begin(name: string): Promise<void> {
    const words = this.words("memory");
    const { agent, world } = this;
    const path = pathOfName(name);
    if (path === undefined) throw new Error(words.newNoteNameless);
    const { notes } = await world.wire.call("memory.notes.list", { agentId: agent.id });
    if (notes.some((note) => note.path === path)) throw new Error(words.newNoteExists(path));
    const text = `# ${titleOfName(name)}\n\n`;
    await world.wire.call("memory.notes.set", { agentId: agent.id, path, text, baseHash: "" });
    world.router.go("memory", ["notes", path], queryOf(agent, { line: "3" }));
  }
}

customElements.define("chela-memory-notes", NotesView);

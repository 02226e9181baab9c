// One file of an agent in an editor: saved by hand, and never over what somebody else wrote meanwhile.
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { renderAsked } from "../../parts/asked.ts";
import { Watching } from "../../state/live.ts";
import type { Draft } from "../../settings/drafts.ts";
import { textDrafts } from "../../settings/text-drafts.ts";
import "../../parts/editor/editor.ts";
import "../../parts/list/newer-text.ts";

type File = MethodAnswer<"agents.files.get">["file"];

class FileView extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    agentId: { attribute: false },
    name: { attribute: false },
    isBusy: { state: true },
  };
  declare agentId: string;
  declare name: string;
  declare isBusy: boolean;
  readonly #file = this.asking(() => ({
    method: "agents.files.get",
    params: { agentId: this.agentId, name: this.name },
    topics: ["agents", "runs"],
  }));
  readonly #watching = new Watching(this);

  constructor() {
    super();
    this.isBusy = false;
  }

  get #draft(): Draft<string> {
    return textDrafts(this.world).of("file", this.agentId, this.name);
  }

  override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    this.#watching.show(this.#draft.now, this.#draft.newer);
    const { state } = this.#file;
    // An answer that is being asked for again may be from before what was just saved.
    if (state.kind === "here" && !state.isOld) this.#offer(state.value.file);
  }

  override render(): TemplateResult {
    const retry = { label: this.words("app").retry, run: () => this.#file.again() };
    return html`<section
      class="agents-file"
      aria-label=${this.name}
      @keydown=${(event: KeyboardEvent) => this.#pressed(event)}
    >
      ${renderAsked(this.#file.state, ({ file }) => this.#renderFile(file), retry)}
    </section>`;
  }

  #renderFile(file: File): TemplateResult {
    const words = this.words("agents");
    const draft = this.#draft;
    return html`<header class="agents-file-head">
        <div>
          <h2 class="mono">${this.name}</h2>
          <p class="hint">${this.#about(file)}</p>
        </div>
        ${
          draft.isEdited
            ? html`<button class="button quiet" @click=${() => void this.#discard()}>${words.discard}</button>`
            : nothing
        }
        <button
          class="button primary"
          title=${words.saveKeys}
          ?disabled=${this.isBusy || !draft.isEdited || draft.newer.value !== undefined}
          @click=${() => void this.#save()}
        >
          ${file.missing ? words.createFile : this.words("app").save}
        </button>
      </header>
      <chela-newer-text .world=${this.world} .draft=${draft} says=${words.changedMeanwhile}></chela-newer-text>
      <chela-editor
        .value=${draft.now.value}
        .language=${"markdown"}
        .label=${words.editorOf(this.name)}
        @editor-change=${({ detail }: CustomEvent<string>) => draft.now.set(detail)}
      ></chela-editor>`;
  }

  #about({ missing, updatedAtMs, size }: File): string {
    const words = this.words("agents");
    const all = this.world.words;
    if (missing) return words.createFileText(this.name);
    return updatedAtMs === undefined ? "" : words.fileChangedAt(all.ago(updatedAtMs), all.bytes(size ?? 0));
  }

  #pressed(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== "s") return;
    event.preventDefault();
    if (this.#draft.isEdited && !this.isBusy && !this.#draft.newer.value) void this.#save();
  }

  #offer(file: File): void {
    this.#draft.offer(file.content ?? "", versionOf(file));
  }

  async #save(): Promise<void> {
    const { agentId, name, world } = this;
    const draft = this.#draft;
    this.isBusy = true;
    await this.attempt(async () => {
      // Nobody tells when a file changes on the disk: it is looked at once more before it is replaced.
      const { file } = await world.wire.call("agents.files.get", { agentId, name });
      if (versionOf(file) !== draft.hash) {
        this.#offer(file);
        if (draft.newer.value) return;
      }
      const saved = await world.wire.call("agents.files.set", { agentId, name, content: draft.now.value });
      // What was typed while it was being saved goes on from what was saved.
      this.#offer(saved.file);
      draft.rebase(draft.now.value);
      world.notices.say(this.words("agents").fileSaved(name));
    });
    this.isBusy = false;
    this.#file.again();
  }

  async #discard(): Promise<void> {
    const words = this.words("agents");
    const question = {
      title: words.discardTitle(this.name),
      text: words.discardText,
      yes: words.discard,
      isDangerous: true,
    };
    if (await this.world.notices.ask(question)) this.#draft.discard();
  }
}

/** Names a version of a file: its text does it best, and a file that is not there differs from an empty one. */
function versionOf({ missing, content = "" }: File): string {
  return missing ? "missing" : `text ${content}`;
}

customElements.define("chela-agents-file", FileView);

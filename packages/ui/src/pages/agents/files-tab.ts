// The files that shape the agent: which there are, and the one that is open.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { renderAsked } from "../../parts/asked.ts";
import { textDrafts } from "../../settings/text-drafts.ts";
import { Watching } from "../../state/live.ts";
import type { InOtherWords, Sections } from "../../words/index.ts";
import type { Agent } from "./agent-facts.ts";
import "./file-view.ts";

type FileList = MethodAnswer<"agents.files.list">;

class FilesTab extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    agent: { attribute: false },
    name: { attribute: false },
  };
  declare agent: Agent;
  /** The file that is open; without it the first. */
  declare name: string | undefined;
  // The agent writes its own files, too: after each of its turns they may be others.
  readonly #files = this.asking(() => ({
    method: "agents.files.list",
    params: { agentId: this.agent.id },
    topics: ["agents", "runs"],
  }));
  readonly #watching = new Watching(this);

  override render(): TemplateResult {
    const retry = { label: this.words("app").retry, run: () => this.#files.again() };
    return renderAsked(this.#files.state, (listed) => this.#renderFiles(listed), retry);
  }

  #renderFiles({ workspace, files }: FileList): TemplateResult {
    const words = this.words("agents");
    const drafts = files.map(({ name }) => textDrafts(this.world).of("file", this.agent.id, name));
    this.#watching.show(...drafts.map(({ now }) => now));
    const open = files.find(({ name }) => name === this.name) ?? (this.name === undefined ? files[0] : undefined);
    return html`<p class="hint agents-files-where">${words.filesWhere} <code>${workspace}</code></p>
      <div class="agents-files">
        <nav aria-label=${words.files}>
          <ul>
            ${files.map((file, at) => this.#renderLink(file, file === open, drafts[at]?.isEdited ?? false))}
          </ul>
        </nav>
        ${
          open
            ? keyed(
                open.name,
                html`<chela-agents-file
                  .world=${this.world}
                  .agentId=${this.agent.id}
                  .name=${open.name}
                ></chela-agents-file>`,
              )
            : html`<div class="empty"><p>${words.chooseFile}</p></div>`
        }
      </div>`;
  }

  #renderLink({ name, missing }: FileList["files"][number], isOpen: boolean, isEdited: boolean): TemplateResult {
    const words = this.words("agents");
    return html`<li>
      <a href=${writeRoute("agents", [this.agent.id, "files", name])} aria-current=${isOpen ? "page" : nothing}>
        <span class="row">
          <strong class="mono">${name}</strong>
          ${isEdited ? html`<span class="badge warn">${words.fileEdited}</span>` : nothing}
          ${missing && !isEdited ? html`<span class="badge">${words.createFile}</span>` : nothing}
        </span>
        <span class="hint">${purposeOf(name, words)}</span>
      </a>
    </li>`;
  }
}

function purposeOf(name: string, words: InOtherWords<Sections["agents"]>): string {
  const known: Readonly<Record<string, string>> = {
    "agents.md": words.file_agents,
    "soul.md": words.file_soul,
    "tools.md": words.file_tools,
    "identity.md": words.file_identity,
    "user.md": words.file_user,
    "heartbeat.md": words.file_heartbeat,
    "bootstrap.md": words.file_bootstrap,
    "memory.md": words.file_memory,
  };
  return known[name.toLowerCase()] ?? "";
}

customElements.define("chela-agents-files", FilesTab);

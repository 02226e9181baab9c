// Fields of where a job's result goes: the place one spoke at last, a chat, a web address, or nowhere.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../../app/part.ts";
import type { PickerChoice } from "../../../parts/picker-choices.ts";
import { KnownNames } from "../../../state/known-names.ts";
import { renderCheck, renderChoice, renderSelect, renderText } from "./fields.ts";
import { placeOf, WHERES, type JobDraft } from "./job-draft.ts";
import { chatChoices, chatId, OWN_CHANNEL, readChatId } from "../known-chats.ts";
import "../../../parts/picker.ts";

const MOST_SESSIONS = 200;

/** `<chela-cron-where .world .draft>`; it bubbles `draft-change`. */
class WhereFields extends Part {
  static override properties: PropertyDeclarations = { ...Part.properties, draft: { attribute: false } };
  declare draft: JobDraft;
  readonly #names = new KnownNames(this, () => this.world);
  readonly #sessions = this.asking(() =>
    this.draft.where === "chat"
      ? { method: "sessions.list", params: { limit: MOST_SESSIONS, includeDerivedTitles: true }, topics: ["sessions"] }
      : undefined,
  );
  readonly #channels = this.asking(() =>
    this.draft.where === "chat" ? { method: "channels.status", params: {}, topics: ["channels"] } : undefined,
  );

  override render(): TemplateResult {
    const words = this.words("cron");
    const { draft } = this;
    const isReminder = draft.what === "reminder";
    const place = placeOf(draft);
    const choices = isReminder
      ? ([
          { id: "none", label: words.where_main, hint: words.where_mainHint },
          { id: "webhook", label: words.where_webhook, hint: words.where_webhookHint },
        ] as const)
      : WHERES.map((id) => ({ id, label: words[`where_${id}`], hint: words[`where_${id}Hint`] }));
    const choice = { name: "cron-where", label: words.where, chosen: place };
    return html`<div class="form">
      ${renderChoice(choice, choices, (where) => this.#change({ where }))}
      ${place === "chat" ? this.#renderChat() : nothing}
      ${
        place === "webhook"
          ? renderText({ label: words.url, value: draft.url, type: "url", placeholder: "https://" }, (url) =>
              this.#change({ url }),
            )
          : nothing
      }
      ${
        place === "none"
          ? nothing
          : renderCheck(words.bestEffort, draft.isBestEffort, (isBestEffort) => this.#change({ isBestEffort }))
      }
    </div>`;
  }

  #renderChat(): TemplateResult {
    const words = this.words("cron");
    const { channel, to, accountId } = this.draft;
    const nameOf = (id: string): string => this.#names.channel(id, words.thisPage);
    const chats = chatChoices(this.#sessions.value?.sessions ?? [], nameOf);
    const chosen = chatId({ channel, to, accountId });
    return html`<div class="field">
        <span>${words.knownChat}</span>
        <chela-picker
          class="cron-chat"
          label=${words.knownChat}
          text=${chats.find(({ id }) => id === chosen)?.label ?? words.chooseChat}
          searchLabel=${words.searchChats}
          note=${words.noChats}
          .choices=${chats}
          .chosen=${chosen}
          @picker-choose=${({ detail }: CustomEvent<PickerChoice>) => this.#change(readChatId(detail.id))}
        ></chela-picker>
      </div>
      <div class="cron-line">
        ${renderSelect({ label: words.channel, chosen: channel }, this.#channelChoices(nameOf), (id) =>
          this.#change({ channel: id, accountId: "", ...(id === channel ? {} : { to: "" }) }),
        )}
        ${renderText({ label: words.to, value: to, isCode: true, hint: words.toHint }, (value) => this.#change({ to: value }))}
      </div>`;
  }

  #channelChoices(nameOf: (id: string) => string): Array<{ id: string; label: string }> {
    const { channel } = this.draft;
    const known = new Set([OWN_CHANNEL, ...(this.#channels.value?.channelOrder ?? []), ...(channel ? [channel] : [])]);
    const none = channel === "" ? [{ id: "", label: this.words("cron").chooseChannel }] : [];
    return [...none, ...[...known].map((id) => ({ id, label: nameOf(id) }))];
  }

  #change(change: Partial<JobDraft>): void {
    this.dispatchEvent(new CustomEvent("draft-change", { detail: change, bubbles: true }));
  }
}

customElements.define("chela-cron-where", WhereFields);

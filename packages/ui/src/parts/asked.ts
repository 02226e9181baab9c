// Shows an answer of the gateway: what to show while it is awaited, when it failed, and when it is there.
import { html, nothing, type TemplateResult } from "lit";
import type { CachedAnswer } from "../state/keep.ts";
import { icon } from "./icon.ts";

export function renderAsked<T>(
  asked: CachedAnswer<T>,
  render: (value: T) => unknown,
  retry: { readonly label: string; run(): void },
): TemplateResult {
  switch (asked.kind) {
    case "waiting":
      return html`<div class="waiting" role="status" aria-busy="true"><span></span><span></span><span></span></div>`;
    case "here":
      return html`${render(asked.value)}`;
    case "failed":
      return html`<div class="failure" role="alert">
          ${icon("warning")}
          <p>${asked.error.message}</p>
          <button class="button" @click=${() => retry.run()}>${retry.label}</button>
        </div>
        ${asked.value === undefined ? nothing : render(asked.value)}`;
  }
}

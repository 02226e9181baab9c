// The face of an agent, as a round picture or a few characters.
import { html, type TemplateResult } from "lit";
import { faceOf, type Agent } from "./agent-facts.ts";

/** Decoration only: the name stands beside it. */
export function renderAvatar(agent: Agent, size: "small" | "usual" | "large" = "usual"): TemplateResult {
  const face = faceOf(agent);
  return html`<span class="agents-avatar" data-size=${size} aria-hidden="true"
    >${face.kind === "picture" ? html`<img src=${face.url} alt="" />` : face.text}</span
  >`;
}

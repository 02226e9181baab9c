// Bar of a spending limit: how much of it is used, and when somebody should take note of it.
import { html, type TemplateResult } from "lit";
import { styled } from "../styled.ts";

/** From this share on a limit is near. */
const NEAR = 0.8;

export function isNear(share: number): boolean {
  return share >= NEAR;
}

export function renderBudgetMeter(
  share: number,
  words: { readonly label: string; readonly text: string },
): TemplateResult {
  const shown = Math.min(1, share);
  const tone = share >= 1 ? "bad" : isNear(share) ? "warn" : "good";
  return html`<div
    class="bar"
    role="meter"
    aria-label=${words.label}
    aria-valuemin="0"
    aria-valuemax="100"
    aria-valuenow=${Math.round(shown * 100)}
    aria-valuetext=${words.text}
    data-tone=${tone}
    ${styled({ "--share": `${shown * 100}%` })}
  ></div>`;
}

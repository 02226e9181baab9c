// Secrets that lie on the disk in plain text, and the button that moves them into the vault.
import { html, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { icon } from "../../parts/icon.ts";
import type { InOtherWords, Sections } from "../../words/index.ts";

type Plain = MethodAnswer<"credentials.list">["plain"];

interface Moving {
  readonly words: InOtherWords<Sections["credentials"]>;
  readonly isMoving: boolean;
  move(): void;
}

export function renderPlain(plain: Plain, { words, isMoving, move }: Moving): TemplateResult {
  const files = Map.groupBy(plain, ({ file }) => file);
  return html`<section class="credentials-plain">
    ${icon("warning")}
    <div>
      <h2>${words.plainTitle(plain.length)}</h2>
      <p>${words.plainText}</p>
      <details>
        <summary>${words.plainWhere}</summary>
        <ul>
          ${[...files].map(
            ([file, within]) =>
              html`<li>
                <code>${file}</code>
                <ul>
                  ${within.map(({ where }) => html`<li>${where}</li>`)}
                </ul>
              </li>`,
          )}
        </ul>
      </details>
    </div>
    <button class="button" ?disabled=${isMoving} @click=${move}>${isMoving ? words.moving : words.move}</button>
  </section>`;
}

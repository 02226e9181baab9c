// Card of what the model was given, by parts.
import { html, nothing, type TemplateResult } from "lit";
import { styled } from "../../parts/styled.ts";
import type { Telling } from "./step-words.ts";
import type { Run } from "./steps.ts";

type Prompt = NonNullable<Run["prompt"]>;
type PartName = "system" | "tools" | "history" | "message";

interface PromptParts {
  readonly unit: "tokens" | "chars";
  readonly parts: ReadonlyArray<{ readonly name: PartName; readonly size: number }>;
}

/** In tokens where they were counted, else in what is known of the characters. */
function partsOf({ tokens, systemChars = 0, toolChars = 0 }: Prompt): PromptParts {
  const named = tokens
    ? { system: tokens.system, tools: tokens.tools, history: tokens.history, message: tokens.message }
    : { system: systemChars, tools: toolChars, history: 0, message: 0 };
  const parts = (Object.keys(named) as PartName[]).map((name) => ({ name, size: named[name] }));
  return { unit: tokens ? "tokens" : "chars", parts: parts.filter(({ size }) => size > 0) };
}

export function renderPrompt(prompt: Prompt, { words, format }: Telling): TemplateResult | typeof nothing {
  const { unit, parts } = partsOf(prompt);
  const total = parts.reduce((sum, { size }) => sum + size, 0);
  if (total === 0) return nothing;
  const sizeWords = (size: number): string =>
    unit === "tokens" ? words.tokensOf(format.compact(size)) : words.charsOf(format.compact(size));
  const { fileChars = 0, systemChars = 0 } = prompt;
  const percent = (share: number): string => format.number(share, { style: "percent", maximumFractionDigits: 0 });
  return html`<section class="card" aria-labelledby="explain-prompt">
    <header>
      <h2 id="explain-prompt">${words.prompt}</h2>
      <span class="muted">${sizeWords(total)}</span>
    </header>
    <div class="explain-parts" aria-hidden="true">
      ${parts.map(({ name, size }) => html`<i data-part=${name} ${styled({ "--share": String(size / total) })}></i>`)}
    </div>
    <dl class="explain-part-list">
      ${parts.map(
        ({ name, size }) =>
          html`<div>
            <dt><i data-part=${name}></i>${words[`part_${name}`]}</dt>
            <dd>${sizeWords(size)} <span class="muted">${percent(size / total)}</span></dd>
          </div>`,
      )}
    </dl>
    <p class="hint">
      ${words.promptHint}
      ${fileChars > 0 && systemChars > 0 ? words.filesShare(percent(Math.min(1, fileChars / systemChars))) : nothing}
    </p>
  </section>`;
}

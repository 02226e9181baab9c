// The figures of an index, as pairs of what and how much.
import { html, nothing, type TemplateResult } from "lit";
import { styled } from "../../parts/styled.ts";
import type { Words } from "../../words/index.ts";
import type { MemoryWords } from "./fact-words.ts";
import type { MemoryStatus } from "./progress-view.ts";

export function renderIndexFacts(status: MemoryStatus, words: MemoryWords, format: Words): TemplateResult {
  const { mode, files, chunks, bytes, syncedAt, isIndexing, workspace, extraPaths, path, cache } = status;
  const number = (count: number): string => format.number(count);
  return html`<section class="card">
    <dl class="pairs memory-facts-pairs">
      <dt>${words.state}</dt>
      <dd>
        <span class="badge ${mode === "hybrid" ? "good" : "warn"}">${words[`mode_${mode}`]}</span>
        ${isIndexing ? html`<span class="badge info">${words.working}</span>` : nothing}
      </dd>
      <dt>${words.notes}</dt>
      <dd>${words.noteCount(number(files), files)} · ${words.pieceCount(number(chunks), chunks)}</dd>
      ${renderVectors(status, words, format)}
      <dt>${words.learned}</dt>
      <dd>${learnedText(status, words, number)}</dd>
      ${status.reading ? renderReading(status.reading, words, number) : nothing}
      <dt>${words.syncedAt}</dt>
      <dd>
        ${syncedAt === undefined ? words.never : html`<time title=${format.date(syncedAt)}>${format.ago(syncedAt)}</time>`}
      </dd>
      <dt>${words.indexSize}</dt>
      <dd>${format.bytes(bytes)}</dd>
      <dt>${words.cache}</dt>
      <dd>${words.cacheOf(number(cache.entries), number(cache.most))}</dd>
      <dt>${words.looksIn}</dt>
      <dd>${status.sources.map((source) => words[`source_${source}`]).join(", ")} · <code>${workspace}</code></dd>
      ${
        extraPaths.length > 0
          ? html`<dt>${words.furtherPaths}</dt>
              <dd>${extraPaths.map((extra) => html`<code>${extra}</code> `)}</dd>`
          : nothing
      }
      <dt>${words.indexAt}</dt>
      <dd><code>${path}</code></dd>
    </dl>
  </section>`;
}

function renderVectors(status: MemoryStatus, words: MemoryWords, format: Words): TemplateResult {
  const { provider, model, dimensions, vectors, chunks } = status;
  const share = chunks === 0 ? 1 : Math.min(1, vectors / chunks);
  if (model === "") {
    return html`<dt>${words.madeBy}</dt>
      <dd>${words.nobody}</dd>`;
  }
  return html`<dt>${words.vectors}</dt>
    <dd>
      ${words.vectorsOf(format.number(vectors), format.number(chunks))}
      <span
        class="bar"
        aria-hidden="true"
        data-tone=${share === 1 ? "good" : nothing}
        ${styled({ "--share": `${share * 100}%` })}
      ></span>
    </dd>
    <dt>${words.madeBy}</dt>
    <dd>
      ${words.modelOf(provider, model)}
      ${dimensions === undefined ? nothing : html`<span class="hint">${words.dimensions(format.number(dimensions))}</span>`}
    </dd>`;
}

function renderReading(
  { model, read, waiting, tokensToday, maxTokensPerDay }: NonNullable<MemoryStatus["reading"]>,
  words: MemoryWords,
  number: (count: number) => string,
): TemplateResult {
  return html`<dt>${words.readBy}</dt>
    <dd>
      ${model} · ${words.readCount(words.episodeCount(number(read), read), number(waiting))}
      <span class="hint">${words.tokensToday(number(tokensToday), number(maxTokensPerDay))}</span>
    </dd>`;
}

function learnedText({ learned }: MemoryStatus, words: MemoryWords, number: (count: number) => string): string {
  const { entries, facts, episodes } = learned;
  return words.learnedFrom(
    words.messageCount(number(entries), entries),
    words.factCount(number(facts), facts),
    words.episodeCount(number(episodes), episodes),
  );
}

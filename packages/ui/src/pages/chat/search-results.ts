// Results of a web search, as links.
import { html, nothing, type TemplateResult } from "lit";
import { fieldsOf, textField } from "../../conversations/tool-call.ts";

interface SearchResult {
  readonly title: string;
  readonly url: string;
  readonly site: string;
  readonly text: string;
}

export function searchResultsOf(details: unknown): SearchResult[] {
  const { results } = fieldsOf(details);
  if (!Array.isArray(results)) return [];
  return results.flatMap((one: unknown) => {
    const fields = fieldsOf(one);
    const url = textField(fields, "url") ?? "";
    // Strangers wrote these: nothing but web pages is a link.
    if (!/^https?:\/\//i.test(url)) return [];
    const title = textField(fields, "title") ?? url;
    return [{ title, url, site: textField(fields, "siteName") ?? "", text: textField(fields, "description") ?? "" }];
  });
}

export function renderSearchResults(results: readonly SearchResult[]): TemplateResult {
  return html`<ol class="chat-tool-found">
    ${results.map(
      ({ title, url, site, text }) =>
        html`<li>
          <a href=${url} target="_blank" rel="noopener noreferrer nofollow">${title}</a>
          ${site ? html`<span class="hint">${site}</span>` : nothing}
          ${text ? html`<p class="muted">${text}</p>` : nothing}
        </li>`,
    )}
  </ol>`;
}

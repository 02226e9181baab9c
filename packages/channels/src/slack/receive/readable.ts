// Makes a text in Slack's mark-up readable: mentions, links and escapes as a person would write them.

/** `names` knows what some user ids are called at the moment; it is for showing only. */
export function readableText(markup: string, names: ReadonlyMap<string, string>): string {
  const shown = markup.replace(/<([^<>]*)>/g, (_whole, inner: string) => readToken(inner, names));
  return unescape(shown).trim();
}

export function mentions(markup: string, userId: string): boolean {
  return mentionedIds(markup).includes(userId);
}

/** Ids of the people named in a text, in order. */
export function mentionedIds(markup: string): string[] {
  return [...markup.matchAll(/<@([A-Z0-9]+)(?:\|[^<>]*)?>/g)].map((match) => match[1] ?? "");
}

/** "@us do this" says "do this" to us. */
export function withoutLeadingMention(markup: string, userId: string): string {
  const start = /^\s*<@([A-Z0-9]+)(?:\|[^<>]*)?>[\s:,]*/.exec(markup);
  return start && start[1] === userId ? markup.slice(start[0].length) : markup;
}

function readToken(inner: string, names: ReadonlyMap<string, string>): string {
  const bar = inner.indexOf("|");
  const target = bar < 0 ? inner : inner.slice(0, bar);
  const label = bar < 0 ? "" : inner.slice(bar + 1).trim();
  const id = target.slice(1);
  switch (target[0]) {
    case "@":
      return `@${label || names.get(id) || id}`;
    case "#":
      return `#${label || id}`;
    case "!":
      return readSpecial(id, label);
    default:
      return readLink(target, label);
  }
}

/** `<!here>`, `<!subteam^S1|@team>`, `<!date^…|yesterday>`. */
function readSpecial(name: string, label: string): string {
  if (label) return /^(here|channel|everyone)$/.test(label) ? `@${label}` : label;
  return `@${name.replace(/^subteam\^/, "").replace(/\^.*$/, "")}`;
}

function readLink(url: string, label: string): string {
  const bare = url.replace(/^(mailto|tel):/, "");
  if (!label || label === url || label === bare || url === `http://${label}` || url === `https://${label}`) {
    return bare;
  }
  return `${label} (${bare})`;
}

/** The ampersand comes last, or `&amp;lt;` would become `<`. */
function unescape(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

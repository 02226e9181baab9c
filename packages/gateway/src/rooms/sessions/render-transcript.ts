// A conversation as one page of HTML that can be read anywhere: no scripts, nothing loaded, every text escaped.
import type { AgentMessage, TextBlock, ToolCallBlock, TranscriptEntry } from "@chela/sdk";
import { asWritten } from "../../base/text/written-text.ts";

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1c1c1e}
article{margin:1rem 0;padding:.6rem 1rem;border-radius:.8rem;background:#f2f2f4;overflow-wrap:anywhere}
.user{background:#e4efff}.tool,.note{background:none;border:1px solid #ddd;color:#555;font-size:.85rem}
time{color:#888;font-size:.75rem}pre{white-space:pre-wrap;margin:.3rem 0}img{max-width:100%}`;

export function renderTranscript(title: string, entries: readonly TranscriptEntry[]): string {
  const articles = entries.filter((entry) => !entry["internal"]).flatMap(renderEntry);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${escape(title)}</title><style>${STYLE}</style></head>
<body><h1>${escape(title)}</h1>
${articles.join("\n")}
</body></html>
`;
}

function renderEntry(entry: TranscriptEntry): string[] {
  if (entry.type === "compaction")
    return [article("note", entry.timestamp, `<pre>${escape(String(entry["summary"]))}</pre>`)];
  const message = entry.type === "message" ? (entry["message"] as AgentMessage | undefined) : undefined;
  if (!message) return [];
  const kind = message.role === "toolResult" ? "tool" : message.role;
  const body = renderContent(message);
  return body ? [article(kind, entry.timestamp, body)] : [];
}

function article(kind: string, timestamp: string, body: string): string {
  return `<article class="${escape(kind)}"><time>${escape(timestamp)}</time>${body}</article>`;
}

function renderContent(message: AgentMessage): string {
  if (typeof message.content === "string") return text(message.content);
  return message.content
    .map((block) => {
      if (block.type === "text") return text((block as TextBlock).text);
      if (block.type === "toolCall") return renderCall(block as ToolCallBlock);
      return block.type === "image" ? renderImage(block as { mimeType: string; data: string }) : "";
    })
    .join("");
}

function renderCall({ name, arguments: args }: ToolCallBlock): string {
  return `<pre>${escape(`${name} ${JSON.stringify(args, null, 1)}`)}</pre>`;
}

function renderImage({ mimeType, data }: { mimeType: string; data: string }): string {
  const isPlain = /^image\/(png|jpeg|gif|webp)$/.test(mimeType) && /^[A-Za-z0-9+/=]*$/.test(data);
  return isPlain ? `<img alt="" src="data:${mimeType};base64,${data}">` : "";
}

function text(written: string): string {
  return written.trim() ? `<pre>${escape(asWritten(written))}</pre>` : "";
}

function escape(written: string): string {
  return written.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

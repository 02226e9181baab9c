// Parses how recent results shall be: "pd" … "py", or from one day to another.
import { GatewayError } from "@chela/sdk";

const SPANS = { pd: "day", pw: "week", pm: "month", py: "year" } as const;

export type Freshness =
  | { readonly kind: "span"; readonly code: keyof typeof SPANS; readonly span: (typeof SPANS)[keyof typeof SPANS] }
  | { readonly kind: "range"; readonly from: string; readonly to: string };

export function parseFreshness(written: string): Freshness {
  const text = written.trim().toLowerCase();
  const code = Object.keys(SPANS).find((known) => known === text || SPANS[known as keyof typeof SPANS] === text);
  if (code) return { kind: "span", code: code as keyof typeof SPANS, span: SPANS[code as keyof typeof SPANS] };
  const [, from = "", to = ""] = /^(\d{4}-\d\d-\d\d)to(\d{4}-\d\d-\d\d)$/.exec(text) ?? [];
  if (isDay(from) && isDay(to) && from <= to) return { kind: "range", from, to };
  throw new GatewayError(
    "TOOL_ARGUMENTS",
    `freshness is "${written}"; allowed are pd, pw, pm, py and YYYY-MM-DDtoYYYY-MM-DD, the earlier day first`,
  );
}

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text);
}

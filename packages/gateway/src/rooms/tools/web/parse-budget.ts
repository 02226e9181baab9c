// Says whether a page is small and flat enough to be parsed: parsing happens on the one thread that everybody shares.

const MAX_TAGS = 12_000;
const MAX_DEPTH = 100;
/** Every element costs as much as it is deep. */
const MAX_TOTAL_DEPTH = 200_000;
/** Each of these begins a new piece of text, even where it is no tag. */
const PIECE = /[<&]/g;
const MAX_PIECES = 40_000;
const TAG = /<(\/?)([a-z][a-z0-9-]{0,30})/gi;
/** Elements that have no end, or that the next one of their kind ends. */
const WITHOUT_END = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|td|th|tr|dt|dd|option)$/i;

/** An estimate in one pass: right for pages people write, and a bound for those that are meant to hurt. */
export function isWorthParsing(html: string): boolean {
  let pieces = 0;
  for (const _ of html.matchAll(PIECE)) if (++pieces > MAX_PIECES) return false;
  return hasBearableTags(html);
}

function hasBearableTags(html: string): boolean {
  let tags = 0;
  let depth = 0;
  let totalDepth = 0;
  for (const [, slash, name = ""] of html.matchAll(TAG)) {
    if (!slash) {
      tags++;
      totalDepth += depth;
    }
    if (!WITHOUT_END.test(name)) depth = slash ? Math.max(0, depth - 1) : depth + 1;
    if (tags > MAX_TAGS || depth > MAX_DEPTH || totalDepth > MAX_TOTAL_DEPTH) return false;
  }
  return true;
}

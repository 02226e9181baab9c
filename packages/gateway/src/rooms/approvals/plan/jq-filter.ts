// Recognises jq filters that read only their input and make little more of it: plain paths, operators, listed functions.

/** None of them repeats, tries patterns, or makes much out of little: `range`, `while`, `walk`, `gsub` and the like ask. */
const FUNCTIONS: ReadonlySet<string> = new Set(
  (
    "add all and any arrays ascii_downcase ascii_upcase as booleans catch ceil contains del elif else empty end endswith error " +
    "explode false first flatten floor from_entries fromjson group_by has if implode in index inside isvalid join " +
    "keys keys_unsorted last length ltrimstr map map_values max max_by min min_by not nth null nulls numbers objects or " +
    "reverse rindex round rtrimstr scalars select sort sort_by split sqrt startswith strings " +
    "tail then to_entries todate tojson tonumber tostring true try type unique unique_by values with_entries"
  ).split(" "),
);
const TOKEN =
  /\s+|"(?:[^"\\]|\\["\\/bfnrt])*"|\.?[A-Za-z_][A-Za-z0-9_]*|\$[a-z][a-z0-9_]*|\d+(?:\.\d+)?|@(?:csv|tsv|json|text|base64|uri|html)\b|[=!<>]=|[.[\]{}()|,:;?+\-/%<>!]/y;
/** How many times as long as its input what comes out may be, roughly: each of these makes it longer, and one may follow another. */
const MOST_GROWTH = 64;
const GROWTH: Readonly<Record<string, number>> = { ",": 2, "+": 2, tojson: 2, split: 4, explode: 8, join: 8 };

export function isPlainJqFilter(filter: string): boolean {
  const open: Array<{ readonly sign: string; members: number }> = [];
  let growth = 1;
  let before = "";
  for (let at = 0; at < filter.length;) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(filter)?.[0];
    if (token === undefined) return false;
    const around = open.at(-1);
    // In `{name: .x, id}` a word is a key, not a call.
    const isKey = around?.sign === "{" && (before === "{" || before === ",");
    if (/^[A-Za-z_]/.test(token) && !isKey && !FUNCTIONS.has(token)) return false;
    // `..` is everything below, each with all that is below it.
    if (token === "." && before === ".") return false;
    if (/^[[{(]$/.test(token)) open.push({ sign: token, members: 1 });
    if (/^[\]})]$/.test(token)) growth *= open.pop()?.members ?? 1;
    // Members of an object stand side by side; elsewhere each of two may double all that the other makes.
    if (token === "," && around?.sign === "{") around.members += 1;
    else if (!isKey) growth *= growthBy(token);
    if (growth * open.reduce((all, { members }) => all * members, 1) > MOST_GROWTH) return false;
    if (token.trim() !== "") before = token;
    at += token.length;
  }
  return true;
}

function growthBy(token: string): number {
  if (token.startsWith('"')) return 1 + Math.floor(token.length / 16);
  if (token.startsWith("@")) return 4;
  return Object.hasOwn(GROWTH, token) ? (GROWTH[token] ?? 1) : 1;
}

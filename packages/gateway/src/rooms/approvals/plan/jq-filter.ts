// Which jq filters read nothing but their input: plain paths, operators and functions of a list.

const FUNCTIONS: ReadonlySet<string> = new Set(
  (
    "add all and any arrays ascii_downcase ascii_upcase as booleans catch ceil contains del elif else empty end endswith error " +
    "explode false first flatten floor foreach from_entries fromjson group_by gsub has if implode in index indices inside isvalid join " +
    "keys keys_unsorted last length limit ltrimstr map map_values match max max_by min min_by not nth null nulls numbers objects or " +
    "path paths range reduce reverse rindex round rtrimstr scalars select sort sort_by split splits sqrt startswith strings sub " +
    "tail test then to_entries todate tojson tonumber tostring transpose true try type unique unique_by until values walk while with_entries"
  ).split(" "),
);
const TOKEN =
  /\s+|"(?:[^"\\]|\\["\\/bfnrt])*"|\.?[A-Za-z_][A-Za-z0-9_]*|\$[a-z][a-z0-9_]*|\d+(?:\.\d+)?|@(?:csv|tsv|json|text|base64|uri|html)\b|[.[\]{}()|,:;?+\-*/%<>=!]/y;

export function isPlainJqFilter(filter: string): boolean {
  const open: string[] = [];
  let before = "";
  for (let at = 0; at < filter.length;) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(filter)?.[0];
    if (token === undefined) return false;
    // In `{name: .x, id}` a word is a key, not a call.
    const isKey = open.at(-1) === "{" && (before === "{" || before === ",");
    if (/^[A-Za-z_]/.test(token) && !isKey && !FUNCTIONS.has(token)) return false;
    if (/^[[{(]$/.test(token)) open.push(token);
    if (/^[\]})]$/.test(token)) open.pop();
    if (token.trim() !== "") before = token;
    at += token.length;
  }
  return true;
}

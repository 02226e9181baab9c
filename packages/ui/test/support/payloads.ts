// What strangers write to make a page do something: each of these runs `__ran`, or asks a foreign server, where a page is careless.

/** Nobody is there. */
const ELSEWHERE = "http://elsewhere.invalid";
const HIDDEN = "\u200B\u200D\uFEFF";
const BACKWARDS = "\u202E";
/** Enough to fill a screen many times, without a place to break. */
const LONG = "long".repeat(2500);

const MARKUP = [
  "<script>__ran(1)</script>",
  "<scr<script>ipt>__ran(1)</scr</script>ipt>",
  `<script src=${ELSEWHERE}/s.js></script>`,
  "<img src=x onerror=__ran(1)>",
  `<img src="${ELSEWHERE}/p.png">`,
  "<svg onload=__ran(1)>",
  "<svg><script>__ran(1)</script></svg>",
  "<svg><animate onbegin=__ran(1) attributeName=x></svg>",
  '<svg><a xlink:href="javascript:__ran(1)"><text y=20>x</text></a></svg>',
  "<body onload=__ran(1)>",
  "<input autofocus onfocus=__ran(1)>",
  "<details open ontoggle=__ran(1)>",
  "<video><source onerror=__ran(1)></video>",
  "<marquee onstart=__ran(1)>",
  '<iframe srcdoc="<script>parent.__ran(1)</script>">',
  '<iframe src="javascript:parent.__ran(1)">',
  `<object data="data:text/html,<script>__ran(1)</script>">`,
  `<embed src="${ELSEWHERE}/e.swf">`,
  `<meta http-equiv=refresh content="0;url=${ELSEWHERE}">`,
  `<base href="${ELSEWHERE}/">`,
  `<form action="${ELSEWHERE}"><button autofocus>x</button></form>`,
  '<button formaction="javascript:__ran(1)">x</button>',
  `<link rel=stylesheet href="${ELSEWHERE}/s.css">`,
  `<link rel=preload as=script href="${ELSEWHERE}/s.js">`,
  `<style>@import "${ELSEWHERE}/s.css";</style>`,
  `</style><script>__ran(1)</script>`,
  `</title><script>__ran(1)</script>`,
  `--><script>__ran(1)</script>`,
  `]]><script>__ran(1)</script>`,
  `" onmouseover="__ran(1)" autofocus onfocus="__ran(1)`,
  `' onfocus='__ran(1)' autofocus x='`,
  "`><img src=x onerror=__ran(1)>",
  `<div style="background:url(${ELSEWHERE}/b.png)">x</div>`,
  "<template><script>__ran(1)</script></template>",
] as const;

/** Markup that is harmless until a browser has read, written and read it again. */
const MUTATING = [
  '<noscript><p title="</noscript><img src=x onerror=__ran(1)>">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=__ran(1)&gt;">',
  "<form><math><mtext></form><form><mglyph><style></math><img src onerror=__ran(1)>",
  '<svg></p><style><a id="</style><img src=1 onerror=__ran(1)>">',
  "&lt;img src=x onerror=__ran(1)&gt;",
  '<xmp><p title="</xmp><img src=x onerror=__ran(1)>">',
] as const;

const LINKS = [
  "[x](javascript:__ran(1))",
  "[x](JaVaScRiPt:__ran(1))",
  "[x](java\tscript:__ran(1))",
  "[x](<java\nscript:__ran(1)>)",
  "[x](&#106;avascript:__ran(1))",
  "[x](javascript&colon;__ran(1))",
  "[x](\u0001javascript:__ran(1))",
  "[x](%6Aavascript:__ran(1))",
  "[x](vbscript:__ran(1))",
  "[x](data:text/html,<script>__ran(1)</script>)",
  "[x](data:text/html;base64,PHNjcmlwdD5fX3JhbigxKTwvc2NyaXB0Pg==)",
  "[x](blob:null/x)",
  "[x](file:///etc/passwd)",
  '[x](https://safe.invalid "t" onmouseover=__ran(1))',
  "<javascript:__ran(1)>",
  `![x](${ELSEWHERE}/pixel.png)`,
  "![x](javascript:__ran(1))",
  `![x"onerror="__ran(1)](${ELSEWHERE}/p)`,
  "[![x](data:image/svg+xml,<svg onload=__ran(1)>)](javascript:__ran(1))",
  `[x]: javascript:__ran(1)\n\n[x][x]`,
  "```html\n<script>__ran(1)</script>\n```",
  '```"><img/src=x/onerror=__ran(1)>\nx\n```',
  "| <img src=x onerror=__ran(1)> | [x](javascript:__ran(1)) |\n| --- | --- |\n| <svg onload=__ran(1)> | x |",
  "||<img src=x onerror=__ran(1)>||",
] as const;

const WORDS = [
  "${__ran(1)}",
  "{{constructor.constructor('__ran(1)')()}}",
  "#{__ran(1)}<%= __ran(1) %>",
  "?lit$123456789$<!--?lit$123456789$-->",
  "__proto__",
  "constructor",
  `${BACKWARDS}gnp.exe`,
  `a${HIDDEN}b`,
  "\u001B[31mred\u001B[0m\u001B]8;;http://elsewhere.invalid\u0007link\u001B]8;;\u0007",
  "\u0007\u0008\u007F\uFFFE\uD800",
] as const;

/** All of them; the long one last. */
export const PAYLOADS: readonly string[] = [...MARKUP, ...MUTATING, ...LINKS, ...WORDS, LONG];

/** Those that fit where a name has to be short, cut where they would not. */
export function shortPayloads(limit: number): string[] {
  return PAYLOADS.map((payload) => payload.slice(0, limit)).filter((payload) => payload.trim() !== "");
}

/** All of them in texts of no more than so many characters; what is longer is cut. */
export function packedPayloads(limit: number): string[] {
  const packed: string[] = [];
  for (const payload of shortPayloads(limit)) {
    const last = packed.at(-1);
    if (last !== undefined && last.length + payload.length < limit) packed[packed.length - 1] = `${last} ${payload}`;
    else packed.push(payload);
  }
  return packed;
}

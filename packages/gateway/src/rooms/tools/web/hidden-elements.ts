// Takes out of a page what its readers do not see: machinery, comments, and text that is hidden from people but not from models.

/** The little of the DOM that is used here. */
export interface PageNode {
  readonly nodeType: number;
  readonly textContent: string | null;
  readonly childNodes: ArrayLike<PageNode>;
  remove(): void;
}

export interface PageElement extends PageNode {
  readonly tagName: string;
  readonly children: ArrayLike<PageElement>;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  closest(selector: string): PageElement | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): ArrayLike<PageElement>;
  cloneNode(deep: true): PageElement;
}

const MACHINERY =
  "script,style,noscript,template,iframe,frame,object,embed,svg,canvas,audio,video,link,meta,dialog:not([open])";
const HIDDEN_BY_ATTRIBUTE =
  '[hidden],[aria-hidden="true"],input[type="hidden"],.sr-only,.visually-hidden,.screen-reader-text,.d-none';
const HIDDEN_BY_STYLE =
  /display:none|visibility:(?:hidden|collapse)|opacity:0(?:\.0+)?(?:;|$|%)|font-size:0(?:px|em|rem|pt|%)?(?:;|$)|(?:text-indent|left|top|right|bottom|margin-left):-\d{3,}|clip:rect\((?:0|1px)|clip-path:inset\((?:50|100)%|color:transparent|(?:^|;)(?:max-)?(?:height|width):0(?:px)?(?:;|$).{0,99}overflow:hidden/;

export function removeHidden(body: PageElement): void {
  for (const element of Array.from(body.querySelectorAll(`${MACHINERY},${HIDDEN_BY_ATTRIBUTE}`))) element.remove();
  for (const element of Array.from(body.querySelectorAll("[style]"))) {
    if (isHiddenByStyle(element.getAttribute("style") ?? "")) element.remove();
  }
  removeComments(body);
}

function isHiddenByStyle(style: string): boolean {
  return HIDDEN_BY_STYLE.test(
    style
      .slice(0, 1000)
      .toLowerCase()
      .replace(/\/\*.{0,200}?\*\//g, "")
      .replace(/\s+|!important/g, ""),
  );
}

const COMMENT = 8;

function removeComments(root: PageNode): void {
  const waiting: PageNode[] = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    for (const child of Array.from(node.childNodes)) {
      if (child.nodeType === COMMENT) child.remove();
      else waiting.push(child);
    }
  }
}

// The icons of the page: one stroke, one size, drawn in the colour of the text around them.
import { html, svg, type SVGTemplateResult, type TemplateResult } from "lit";

const ICONS = {
  chat: svg`<path d="M4 5.5h16v11H9l-5 4z" />`,
  overview: svg`<path d="M4 13h4l2.5-7 3.5 12 2.5-5H20" />`,
  channels: svg`<path d="M7 4v16M17 4v16M3 9h18M3 15h18" />`,
  sessions: svg`<path d="M4 6h16M4 12h16M4 18h10" />`,
  agents: svg`<circle cx="12" cy="8" r="4" /><path d="M4.5 20c1.2-4 4-5.5 7.5-5.5s6.3 1.5 7.5 5.5" />`,
  automation: svg`<path d="M13 3L5 13.5h6L10 21l8-10.5h-6z" />`,
  cron: svg`<circle cx="12" cy="12" r="8.5" /><path d="M12 7v5l3.5 2" />`,
  usage: svg`<path d="M5 20v-7M12 20V5M19 20v-10" />`,
  explain: svg`<path d="M4 6h7M7 12h9M12 18h8" />`,
  memory: svg`<path d="M5 4h11l3 3v13H5zM9 4v5h6V4" />`,
  skills: svg`<path d="M12 3l2.6 5.6 6.1.7-4.5 4.2 1.2 6L12 16.5 6.6 19.5l1.2-6-4.5-4.2 6.1-.7z" />`,
  plugins: svg`<path d="M9 3v5M15 3v5M6 8h12v4a6 6 0 0 1-12 0zM12 18v3" />`,
  people: svg`<circle cx="9" cy="8.5" r="3.5" /><path d="M2.5 19.5c.9-3.7 3.3-5.2 6.5-5.2s5.6 1.5 6.5 5.2M15 5.2a3.5 3.5 0 0 1 0 6.6M17.5 14.8c2 .7 3.3 2.2 4 4.7" />`,
  devices: svg`<rect x="3" y="5" width="12" height="10" rx="1.5" /><path d="M7 19h4" /><rect x="17" y="9" width="4" height="10" rx="1" />`,
  approvals: svg`<path d="M12 3l7.5 3v6c0 4.5-3 7.6-7.5 9-4.5-1.4-7.5-4.5-7.5-9V6z" /><path d="M8.5 12l2.5 2.5 4.5-5" />`,
  security: svg`<path d="M12 3l7.5 3v6c0 4.5-3 7.6-7.5 9-4.5-1.4-7.5-4.5-7.5-9V6z" /><path d="M12 8.5v4.5M12 16v.3" />`,
  audit: svg`<path d="M6 3h9l4 4v14H6zM9 12h6M9 16h6" />`,
  logs: svg`<rect x="3" y="4" width="18" height="16" rx="2" /><path d="M7 9l3 3-3 3M13 15h4" />`,
  config: svg`<path d="M4 7h10M18 7h2M4 17h2M10 17h10" /><circle cx="16" cy="7" r="2" /><circle cx="8" cy="17" r="2" />`,
  console: svg`<path d="M8 6l-5 6 5 6M16 6l5 6-5 6" />`,
  plus: svg`<path d="M12 5v14M5 12h14" />`,
  close: svg`<path d="M6 6l12 12M18 6L6 18" />`,
  check: svg`<path d="M5 12.5l4.5 4.5L19 7" />`,
  send: svg`<path d="M12 20V5M5.5 11.5L12 5l6.5 6.5" />`,
  stop: svg`<rect x="7" y="7" width="10" height="10" rx="1.5" />`,
  attach: svg`<path d="M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.3 3.3 0 0 1 4.7 4.7L9.5 17a1.7 1.7 0 0 1-2.4-2.4L15 6.8" />`,
  microphone: svg`<rect x="9" y="3" width="6" height="11" rx="3" /><path d="M5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3" />`,
  search: svg`<circle cx="11" cy="11" r="6.5" /><path d="M16 16l4.5 4.5" />`,
  copy: svg`<rect x="8" y="8" width="12" height="12" rx="2" /><path d="M16 8V5a1 1 0 0 0-1-1H5a1 1 0 0 0-1 1v10a1 1 0 0 0 1 1h3" />`,
  retry: svg`<path d="M4.5 12a7.5 7.5 0 1 1 2.2 5.3M4 20v-4.5h4.5" />`,
  edit: svg`<path d="M4 20l1-4.5L16 4.5 19.5 8 8.5 19z" />`,
  branch: svg`<circle cx="6" cy="5" r="2" /><circle cx="6" cy="19" r="2" /><circle cx="18" cy="8" r="2" /><path d="M6 7v10M18 10c0 4-12 2-12 6" />`,
  flag: svg`<path d="M6 21V4h11l-2 4 2 4H6" />`,
  rewind: svg`<path d="M9 6L4 11l5 5M4 11h10a6 6 0 0 1 0 12" />`,
  download: svg`<path d="M12 4v11M6.5 10.5L12 16l5.5-5.5M4 20h16" />`,
  upload: svg`<path d="M12 16V5M6.5 9.5L12 4l5.5 5.5M4 20h16" />`,
  trash: svg`<path d="M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13" />`,
  tool: svg`<path d="M14.5 6.5a4 4 0 0 0-5.3 5.2L3.5 17.4 6.6 20.5l5.7-5.7a4 4 0 0 0 5.2-5.3L15 12l-3-3z" />`,
  thinking: svg`<path d="M9 18h6M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.7.6 1.1 1.3 1.1 2.2h5c0-.9.4-1.6 1.1-2.2A6 6 0 0 0 12 3z" />`,
  file: svg`<path d="M6 3h8l4 4v14H6zM14 3v4h4" />`,
  image: svg`<rect x="3.5" y="5" width="17" height="14" rx="2" /><circle cx="9" cy="10" r="1.5" /><path d="M4 17l5-4 4 3 3-2.5 4 3.5" />`,
  chevronDown: svg`<path d="M6 9l6 6 6-6" />`,
  chevronRight: svg`<path d="M9 6l6 6-6 6" />`,
  chevronLeft: svg`<path d="M15 6l-6 6 6 6" />`,
  chevronUp: svg`<path d="M6 15l6-6 6 6" />`,
  arrowDown: svg`<path d="M12 4v15M5.5 12.5L12 19l6.5-6.5" />`,
  menu: svg`<path d="M4 7h16M4 12h16M4 17h16" />`,
  more: svg`<circle cx="5.5" cy="12" r="1" /><circle cx="12" cy="12" r="1" /><circle cx="18.5" cy="12" r="1" />`,
  sun: svg`<circle cx="12" cy="12" r="4" /><path d="M12 2.5V5M12 19v2.5M2.5 12H5M19 12h2.5M5.3 5.3L7 7M17 17l1.7 1.7M18.7 5.3L17 7M7 17l-1.7 1.7" />`,
  moon: svg`<path d="M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z" />`,
  system: svg`<rect x="3" y="4" width="18" height="12" rx="2" /><path d="M9 20h6M12 16v4" />`,
  warning: svg`<path d="M12 4l9 16H3zM12 10v4.5M12 17.2v.3" />`,
  info: svg`<circle cx="12" cy="12" r="8.5" /><path d="M12 11v5M12 8v.3" />`,
  bell: svg`<path d="M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 20.5h4" />`,
  play: svg`<path d="M8 5l11 7-11 7z" />`,
  pause: svg`<path d="M8 5v14M16 5v14" />`,
  link: svg`<path d="M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.7-5.7L12 7M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.7 5.7L12 17" />`,
  key: svg`<circle cx="8" cy="14" r="4" /><path d="M11 11l8-8M16 6l3 3M14 8l2 2" />`,
  external: svg`<path d="M14 4h6v6M20 4l-9 9M18 14v6H4V6h6" />`,
} as const satisfies Record<string, SVGTemplateResult>;

export type IconName = keyof typeof ICONS;

/** Decoration only: whatever it stands on has a text or a label of its own. */
/** One of ours by its name, or a drawing of the same size. */
export function icon(which: IconName | SVGTemplateResult): TemplateResult {
  const drawing = typeof which === "string" ? ICONS[which] : which;
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${drawing}</svg>`;
}

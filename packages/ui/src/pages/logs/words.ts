// The log page, in English.
const words = {
  lines: "Lines of the log",
  filter: "Filter by text",
  part: "Part",
  everything: "Everything",
  levels: "Levels",
  level: "Level",
  time: "Time",
  text: "Message",
  wrap: "Wrap",
  pause: "Pause",
  resume: "Resume",
  download: "Download what is shown",
  newest: "Newest",
  newestOf: (count: number) => (count === 1 ? "1 new line" : `${count} new lines`),
  none: "No lines to show. They appear here as soon as something is written.",
  details: "Line of the log",
  heldWith: (count: string) => `Paused. ${count} lines came meanwhile.`,
  skipped: (count: number) => `… ${count} lines came too fast to be shown`,
  shown: (shown: string, all: string) => `${shown} of ${all} lines`,
};
export default words;

declare module "../../words/index.ts" {
  interface PageSections {
    logs: typeof words;
  }
}

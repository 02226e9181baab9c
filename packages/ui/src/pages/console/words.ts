// The console page, in English.
const words = {
  about: "Call any method of this gateway, and see what goes over the wire.",
  method: "Method",
  params: "Parameters (JSON)",
  noParams: "It takes no parameters.",
  required: "required",
  call: "Call",
  history: "Earlier calls",
  result: "Result",
  ok: "OK",
  failed: "Failed",
  badJson: "The parameters are not valid JSON.",
  frames: "Frames",
  filter: "Filter by method or event",
  pause: "Pause",
  resume: "Resume",
  clear: "Clear",
  noFrames: "Nothing went over the wire yet. Call something, or wait for an event.",
  sent: "Sent",
  received: "Received",
};
export default words;

declare module "../../words/index.ts" {
  interface PageSections {
    console: typeof words;
  }
}

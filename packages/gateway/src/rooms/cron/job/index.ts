// Jobs: read from whatever was written, changed, checked, and written again.
export { hideValues } from "./hidden-values.ts";
export { normaliseJob, unwrap } from "./normalise.ts";
export { applyPatch } from "./patch.ts";
export { readJobFile } from "./read-file.ts";
export type { ShapeOptions } from "./shape-schedule.ts";
export { writeJob, writeJobFile } from "./write.ts";

// Jobs: read from whatever was written, changed, checked, and written again.
export { hideValues } from "./hidden-values.ts";
export { normaliseJob, type Normalised } from "./normalise.ts";
export { applyPatch, type Patched } from "./patch.ts";
export { readJobFile, type ReadJobs, type ReadOptions, type UnreadableJob } from "./read-file.ts";
export type { ShapeOptions } from "./shape-schedule.ts";
export { writeJob, writeJobFile, type JobFile } from "./write.ts";

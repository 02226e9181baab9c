// Schedules: when they are due, how they are written, and how they are told to people.
export { describeNext, describeSchedule } from "./describe.ts";
export { findDuration, readDuration } from "./duration.ts";
export { splitFields } from "./expression.ts";
export { checkReach, readInstant } from "./natural.ts";
export { openTimetable, type JobTimes, type Timetable } from "./next-run.ts";
export { readAt, readWritten, writeAt } from "./written-time.ts";
export { openZone } from "./zone.ts";

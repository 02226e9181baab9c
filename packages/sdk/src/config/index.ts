// The words in which config sections are written: keys with what is said of them, parts that channels have in common, and how
// settings are read by the section that describes them.
export * from "./keys.ts";
export * from "./shared-keys.ts";
export * from "./channel-keys.ts";
export { filled, filledSection, laidOver, type FilledPart } from "./filled.ts";
export { readSettings, type SettingsOf, type SettingsRead, type WrittenOf } from "./read-settings.ts";
export { shapeOf, unwrap, type Schema, type Shaped } from "./shape.ts";

// The name of this language, and where numbers and times are written as they are here.
import type { LanguageSpec } from "../index.ts";

export default { name: "中文", locale: "zh-CN" } satisfies LanguageSpec;

// The name of this language.
import type { LanguageSpec } from "../index.ts";

export default { name: "English" } satisfies LanguageSpec;

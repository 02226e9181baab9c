// The `search.progress` event: how far the search index is, while it is being filled. Both are equal at its end.
import * as z from "zod";
import { once, type Parsed } from "../schema.ts";

export const SearchProgress = once(() => z.looseObject({ done: z.int(), of: z.int() }));
export type SearchProgress = Parsed<typeof SearchProgress>;

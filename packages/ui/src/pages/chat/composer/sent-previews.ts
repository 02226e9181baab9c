// Previews of files that were sent: the browser holds their memory until they are given back.
import type { UnsentMessages } from "./unsent-messages.ts";

/** Gives previews back when the message they belong to is in the conversation. Call the returned function to end. */
export function giveBackPreviews(unsent: UnsentMessages): () => void {
  let shown = previewsOf(unsent);
  return unsent.all.subscribe(() => {
    const now = previewsOf(unsent);
    for (const url of shown) if (!now.has(url)) URL.revokeObjectURL(url);
    shown = now;
  });
}

function previewsOf({ all }: UnsentMessages): ReadonlySet<string> {
  return new Set(all.value.flatMap(({ files }) => files.flatMap(({ previewUrl }) => previewUrl ?? [])));
}

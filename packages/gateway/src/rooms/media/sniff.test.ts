// What a file is: decided by its bytes, whatever it is called.
import { expect, it } from "vitest";
import { openMediaWorld } from "./media-world.test-support.ts";
import { SAMPLES } from "./sample-files.test-support.ts";

it.for(SAMPLES)("%s is %s", async ([, mimeType, content, declaredType]) => {
  using world = openMediaWorld();
  const media = await world.take(await content(), { declaredType, name: "name.exe" });
  expect(media.mimeType).toBe(mimeType);
  expect(await world.media.find(media.id)).toEqual(media);
});

it.for([
  ["image/png", "image"],
  ["image/heic", "image"],
  ["image/svg+xml", "file"],
  ["audio/ogg", "audio"],
  ["video/mp4", "video"],
  ["application/pdf", "file"],
  ["text/plain", "file"],
] as const)("%s is handled as %s", async ([mimeType, kind]) => {
  const sample = SAMPLES.find(([, type]) => type === mimeType);
  using world = openMediaWorld();
  expect(await world.take((await sample?.[2]()) ?? "")).toMatchObject({ mimeType, kind });
});

it("a text that tries to be slow to look at is looked at all the same", async () => {
  using world = openMediaWorld();
  for (const text of ["<!--".repeat(100_000), "<?".repeat(100_000), `${" ".repeat(100_000)}<`, "{".repeat(200_000)]) {
    expect((await world.take(text)).mimeType).toMatch(/^text\/plain$|^application\/json$/);
  }
});

// How files are shown.
import { expect, test } from "vitest";
import { mediaKindOf } from "./media-kind.ts";

test("only pictures that cannot hold scripts are pictures", () => {
  expect(mediaKindOf("image/png")).toBe("image");
  expect(mediaKindOf("IMAGE/JPEG; q=1")).toBe("image");
  expect(mediaKindOf("image/svg+xml")).toBe("document");
});

test("web pages are known by their type, or by their name when they look like a text", () => {
  expect(mediaKindOf("text/html")).toBe("document");
  expect(mediaKindOf("text/plain", "report.HTML")).toBe("document");
  expect(mediaKindOf("text/plain", "report.txt")).toBe("file");
  expect(mediaKindOf("application/pdf", "report.html")).toBe("file");
});

test("what can be played is played", () => {
  expect(mediaKindOf("audio/ogg")).toBe("audio");
  expect(mediaKindOf("video/mp4")).toBe("video");
});

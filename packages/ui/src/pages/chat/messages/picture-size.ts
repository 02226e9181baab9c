// Size and format of pictures that are made smaller, and which ones are.

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size with this longest side; undefined when it is not larger. */
export function sizeWithin({ width, height }: Size, longest: number): Size | undefined {
  const share = longest / Math.max(width, height);
  if (share >= 1) return undefined;
  return { width: Math.max(1, Math.round(width * share)), height: Math.max(1, Math.round(height * share)) };
}

/** What a smaller picture is written as; undefined for what must stay as it is: drawings, and pictures that move. */
export function pictureType(type: string): string | undefined {
  if (!type.startsWith("image/") || /^image\/(?:gif|svg|apng)/.test(type)) return undefined;
  return ["image/png", "image/webp"].includes(type) ? type : "image/jpeg";
}

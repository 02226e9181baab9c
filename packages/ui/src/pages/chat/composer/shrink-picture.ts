// Makes large pictures smaller before they are sent: models see no more of them, and the way is shorter.
import { pictureType, sizeWithin } from "../messages/picture-size.ts";

const LONGEST_SIDE = 2000;
const QUALITY = 0.9;

/** The same file if it is no picture, small enough, or none that this browser can draw. */
export async function shrinkPicture(file: File): Promise<File> {
  const type = pictureType(file.type);
  if (!type) return file;
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return file;
  const size = sizeWithin(picture, LONGEST_SIDE);
  try {
    return size ? await draw(file, picture, size, type) : file;
  } finally {
    picture.close();
  }
}

async function draw(
  { name }: File,
  picture: ImageBitmap,
  { width, height }: { readonly width: number; readonly height: number },
  type: string,
): Promise<File> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (!context) throw new Error(name);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, width, height);
  const blob = await canvas.convertToBlob({ type, quality: QUALITY });
  // A browser that cannot write the type writes PNG.
  const ending = blob.type.replace("image/", "").replace("jpeg", "jpg");
  const endsRight = new RegExp(`\\.(?:${ending}${ending === "jpg" ? "|jpeg" : ""})$`, "i").test(name);
  const newName = endsRight ? name : `${name.replace(/\.[^.]*$/, "")}.${ending}`;
  return new File([blob], newName, { type: blob.type });
}

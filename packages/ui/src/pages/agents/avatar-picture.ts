// Makes a picture somebody chose into a small square one that the gateway takes.

const SIDE = 256;

/** A data URL of the middle of the picture. Rejects when the browser cannot draw it. */
export async function squarePicture(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file);
  try {
    const side = Math.min(picture.width, picture.height);
    const canvas = new OffscreenCanvas(Math.min(SIDE, side), Math.min(SIDE, side));
    const context = canvas.getContext("2d");
    if (!context) throw new Error("canvas");
    context.imageSmoothingQuality = "high";
    const [left, top] = [(picture.width - side) / 2, (picture.height - side) / 2];
    context.drawImage(picture, left, top, side, side, 0, 0, canvas.width, canvas.height);
    return await toDataUrl(await canvas.convertToBlob({ type: "image/webp", quality: 0.9 }));
  } finally {
    picture.close();
  }
}

function toDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result)));
    reader.addEventListener("error", () => reject(reader.error ?? new Error("read")));
    reader.readAsDataURL(blob);
  });
}

// The keyboard on its way to the input line; what somebody else takes does not arrive there.
import { PassThrough } from "node:stream";

export class Keyboard extends PassThrough {
  /** `take` is true when it wants the keys for itself. */
  constructor(take: (typed: string) => boolean) {
    super();
    process.stdin.on("data", (chunk: Buffer) => {
      if (!take(String(chunk))) this.write(chunk);
    });
    process.stdin.on("end", () => this.end());
  }

  setRawMode(isRaw: boolean): this {
    process.stdin.setRawMode(isRaw);
    return this;
  }
}

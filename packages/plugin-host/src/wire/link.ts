// A link: plain messages both ways, in order. One end is the gateway, the other the program of a plugin.

export interface Link<Out, In> {
  send(message: Out): void;
  /** Whatever comes in is nothing but data: the gateway's end checks it. */
  onMessage(listener: (message: In) => void): void;
  /** Called once: the other end is gone, or said what cannot be understood. */
  onClose(listener: (why: string) => void): void;
  close(): void;
}

// A recording from the microphone: how loud it is, how long, and the file in the end.

/** What browsers can record, the best understood first. */
const TYPES = ["audio/webm;codecs=opus", "audio/ogg;codecs=opus", "audio/mp4"] as const;

export type MicrophoneProblem = "denied" | "missing" | "failed";

export function canRecord(): boolean {
  return typeof MediaRecorder === "function" && navigator.mediaDevices !== undefined;
}

export function problemOf(error: unknown): MicrophoneProblem {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError" || name === "SecurityError") return "denied";
  return name === "NotFoundError" ? "missing" : "failed";
}

export class VoiceRecording {
  readonly startedAt = Date.now();
  readonly #stream: MediaStream;
  readonly #recorder: MediaRecorder;
  readonly #sound = new AudioContext();
  readonly #analyser: AnalyserNode;
  readonly #pieces: Blob[] = [];

  /** Asks for the microphone; rejects when there is none or somebody says no. */
  static async start(): Promise<VoiceRecording> {
    return new VoiceRecording(await navigator.mediaDevices.getUserMedia({ audio: true }));
  }

  private constructor(stream: MediaStream) {
    this.#stream = stream;
    const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type));
    this.#recorder = new MediaRecorder(stream, mimeType ? { mimeType } : {});
    this.#recorder.addEventListener("dataavailable", ({ data }) => this.#pieces.push(data));
    this.#recorder.start();
    this.#analyser = this.#sound.createAnalyser();
    this.#analyser.fftSize = 512;
    this.#sound.createMediaStreamSource(stream).connect(this.#analyser);
  }

  /** From 0 to 1. */
  get level(): number {
    const samples = new Float32Array(this.#analyser.fftSize);
    this.#analyser.getFloatTimeDomainData(samples);
    const power = samples.reduce((sum, one) => sum + one * one, 0) / samples.length;
    return Math.min(1, Math.sqrt(power) * 4);
  }

  async stop(): Promise<File> {
    const stopped = new Promise((resolve) => this.#recorder.addEventListener("stop", resolve, { once: true }));
    this.#recorder.stop();
    await stopped;
    this.release();
    // Parameters such as the codec are in the file itself.
    const type = this.#recorder.mimeType.replace(/;.*/, "") || "audio/webm";
    const name = `voice-${new Date(this.startedAt).toISOString().slice(0, 19).replaceAll(":", "-")}`;
    return new File(this.#pieces, `${name}.${type === "audio/mp4" ? "m4a" : type.replace("audio/", "")}`, { type });
  }

  /** Lets go of the microphone; what was recorded is gone unless it was taken before. */
  release(): void {
    for (const track of this.#stream.getTracks()) track.stop();
    if (this.#sound.state !== "closed") void this.#sound.close();
  }
}

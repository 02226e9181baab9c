// Reads the conversation an OpenAI client sends with each call as one message with its history and its files.
import { HttpError } from "../../base/http/request.ts";

export interface PromptTurn extends ReadContent {
  readonly role: string;
  readonly name?: string | undefined;
}

export interface ReadPrompt {
  readonly message: string;
  readonly system: string;
  /** Those of the whole conversation: an earlier picture may be what is asked about. */
  readonly files: readonly EnclosedFile[];
}

const HISTORY_MARK = "[Chat messages since your last reply - for context]";
const CURRENT_MARK = "[Current message - respond to this]";

/** The last thing a user or tool said is the message; what came before is history. Undefined without one. */
export function readPrompt(turns: readonly PromptTurn[]): ReadPrompt | undefined {
  const isSystem = ({ role }: PromptTurn) => role === "system" || role === "developer";
  const system = turns
    .filter(isSystem)
    .map(({ text }) => text)
    .join("\n\n");
  const spoken = turns.filter((turn) => !isSystem(turn) && (turn.text.trim() !== "" || turn.files.length > 0));
  const at = spoken.findLastIndex(({ role }) => role === "user" || role === "tool");
  const current = spoken[at];
  if (!current) return undefined;
  const files = spoken.slice(0, at + 1).flatMap((turn) => turn.files);
  const history = spoken.slice(0, at).map((turn) => `${speaker(turn)}: ${saidWithFiles(turn)}`);
  if (history.length === 0) return { message: current.text, system, files };
  const message = [HISTORY_MARK, ...history, "", CURRENT_MARK, `${speaker(current)}: ${saidWithFiles(current)}`].join(
    "\n",
  );
  return { message, system, files };
}

/** All files go with one message: where each belongs is said in words. */
function saidWithFiles({ text, files }: PromptTurn): string {
  const marks = files.map(({ fileName }) => (fileName ? `(file: ${fileName})` : "(a file)"));
  return [text, ...marks].filter(Boolean).join(" ");
}

function speaker({ role, name }: PromptTurn): string {
  if (role === "assistant") return "Assistant";
  if (role === "tool") return name ? `Tool:${name}` : "Tool";
  return "User";
}

/** A file that came inside a message, as `chat.send` takes attachments. */
interface EnclosedFile {
  readonly content: string;
  readonly fileName?: string;
  readonly mimeType?: string;
}

export interface ReadContent {
  readonly text: string;
  readonly files: readonly EnclosedFile[];
}

interface ContentPart {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly image_url?: unknown;
  readonly source?: unknown;
  readonly file?: unknown;
  readonly file_data?: unknown;
  readonly filename?: unknown;
  readonly input_audio?: unknown;
}

/** Of tools the client has: what was called in an earlier answer, in words. */
export function calledIn(calls: unknown): string {
  if (!Array.isArray(calls)) return "";
  return calls
    .map(
      (call: { readonly function?: { name?: unknown; arguments?: unknown }; name?: unknown; arguments?: unknown }) => {
        const { name, arguments: given } = call?.function ?? call ?? {};
        return `(called ${String(name)} with ${typeof given === "string" ? given : JSON.stringify(given ?? {})})`;
      },
    )
    .join("\n");
}

/** A message's content: a text, or parts. A part that cannot be read is refused by name, never left out. */
export function readContent(content: unknown, calls = ""): ReadContent {
  const { text, files } = readWritten(content);
  return { text: [text, calls].filter(Boolean).join("\n"), files };
}

function readWritten(content: unknown): ReadContent {
  if (typeof content === "string") return { text: content, files: [] };
  if (!Array.isArray(content)) return { text: "", files: [] };
  const parts = content.map((part: ContentPart) => readPart(part ?? {}));
  const texts = parts.flatMap((part) => (typeof part === "string" ? [part] : []));
  return { text: texts.join("\n"), files: parts.flatMap((part) => (typeof part === "string" ? [] : [part])) };
}

function readPart(part: ContentPart): string | EnclosedFile {
  if (typeof part.text === "string") return part.text;
  const inner = (part.file ?? part.source ?? {}) as Record<string, unknown>;
  const name = [part.filename, inner["filename"]].find((one) => typeof one === "string");
  const named = name ? { fileName: name } : {};
  switch (part.type) {
    case "refusal":
      return String((part as { refusal?: unknown }).refusal ?? "");
    case "image_url":
    case "input_image":
      return { ...fileOf(part.image_url ?? part.source, "image"), ...named };
    case "file":
    case "input_file":
      return { ...fileOf(part.file_data ?? inner["file_data"] ?? part.source, "file"), ...named };
    case "input_audio": {
      const { data, format } = (part.input_audio ?? {}) as { data?: unknown; format?: unknown };
      return fileOf({ data, media_type: `audio/${format === "mp3" ? "mpeg" : String(format ?? "wav")}` }, "audio");
    }
    default:
      throw unusable(`A part of type "${String(part.type)}" cannot be read. Text, images, files and audio can.`);
  }
}

/** A data URL, as a text or under `url`; or `data` with its `media_type`. */
function fileOf(written: unknown, what: string): EnclosedFile {
  const { url, data, media_type } = (typeof written === "object" && written !== null ? written : { url: written }) as {
    url?: unknown;
    data?: unknown;
    media_type?: unknown;
  };
  if (typeof data === "string") {
    return { content: data, ...(typeof media_type === "string" ? { mimeType: media_type } : {}) };
  }
  if (typeof url === "string" && url.startsWith("data:")) return { content: url };
  if (typeof url === "string" && url !== "") {
    throw unusable(`The ${what} is only named by an address, and addresses are not fetched here. Send a data: URL.`);
  }
  throw unusable(`A part of the content holds no ${what}. Send it as a data: URL.`);
}

export function unusable(why: string): HttpError {
  return new HttpError(400, "invalid_request_error", why);
}

/** `openclaw:work`, `openclaw/work`, `chela:work` and `agent:work` name an agent; anything else is the default one. */
export function agentOfModel(model: string): string | undefined {
  return /^(?:openclaw[:/]|chela[:/]|agent:)([a-z0-9][a-z0-9_-]{0,63})$/i.exec(model)?.[1]?.toLowerCase();
}

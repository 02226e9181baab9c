// Takes what a person types or a program pipes in. Secrets come only this way: what stands on a command line is kept in
// the shell's history and shown to everybody who lists processes.
import { Secret } from "@chela/sdk";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { CommandFailure, type Terminal, usageFailure } from "@chela/sdk/command-line";

export type TypedInput = NodeJS.ReadableStream & { readonly isTTY?: boolean };

export interface InputParts {
  readonly terminal: Terminal;
  readonly input: TypedInput;
}

const MOST_CHARACTERS = 65_536;

/** `what` is named in questions and failures: "key of Anthropic". */
export async function readSecret(what: string, { terminal, input }: InputParts): Promise<Secret> {
  if (!input.isTTY) return toSecret(await readAll(input), what);
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const ask = (): void => terminal.note(`Paste the ${what}, then press Enter. It is not shown.`);
  return toSecret(await readLine(input, silence, ask), what);
}

export async function askLine(question: string, { terminal, input }: InputParts): Promise<string> {
  const echo = new Writable({
    write(chunk, _encoding, done) {
      // What is typed, as the line editor draws it.
      terminal.control(String(chunk));
      done();
    },
  });
  return (await readLine(input, echo, () => terminal.write(`${question} `))).trim();
}

/** Asks only when the terminal has stopped showing keys by itself, so that even a quick paste is not shown. */
function readLine(input: TypedInput, output: Writable, ask: () => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input, output, terminal: true, historySize: 0 });
    const leave = (): void => {
      lines.close();
      reject(new CommandFailure("other", "Called off; nothing was stored."));
    };
    lines.on("close", leave).on("SIGINT", leave);
    lines.once("line", (line) => {
      lines.off("close", leave).close();
      resolve(line);
    });
    ask();
  });
}

async function readAll(input: TypedInput): Promise<string> {
  let text = "";
  for await (const chunk of input) {
    text += String(chunk);
    if (text.length > MOST_CHARACTERS) throw usageFailure("What came in is far too long for a key.");
  }
  return text;
}

/** Never repeats any of it. */
function toSecret(typed: string, what: string): Secret {
  const text = typed.trim();
  if (text === "") {
    throw usageFailure(`The ${what} is empty.`, "Type it when asked, or pipe it in: `… < file-with-the-key`.");
  }
  if (/^(export\s+)?[A-Z][A-Z0-9_]*_(KEY|TOKEN)=/.test(text)) {
    throw usageFailure(`The ${what} looks like a line NAME=value.`, "Give only what stands after the = sign.");
  }
  if (!/^[\x21-\x7e]+$/.test(text)) {
    throw usageFailure(
      `The ${what} has spaces, line breaks or letters that no key has.`,
      "Copy it again, without anything around it.",
    );
  }
  return new Secret(text);
}

// Explains to a person why a command failed.
import { CommandFailure, type Terminal } from "@chela/sdk/command-line";
import { GatewayError } from "@chela/sdk/errors";

export function explainFailure(error: unknown, { style }: Pick<Terminal, "style">): string {
  if (CommandFailure.is(error)) return lines(style.red(error.message), error.fix);
  if (GatewayError.is(error)) return lines(style.red(error.message), error.row.fix);
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return lines(style.red("This command failed in a way it should not. Please report it, with these lines:"), told);
}

function lines(message: string, fix: string | undefined): string {
  return fix ? `${message}\n${fix}` : message;
}

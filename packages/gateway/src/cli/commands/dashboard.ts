// `chela dashboard`: a link that opens the control page and lets this browser in.
import { type CommandCall, timeoutOf } from "@chela/sdk/command-line";
import { connectGateway } from "../connect/gateway-client.ts";
import { findOpener, isFromElsewhere, openBrowser } from "../../base/terminal/open-browser.ts";
import { pageLink } from "../views/page-link.ts";

export async function run(call: CommandCall): Promise<number> {
  const { flags, terminal, env } = call;
  const timeoutMs = timeoutOf(call);
  const { connection, url } = await connectGateway(call, timeoutMs);
  const answer = await connection.request("access.code", {}, { timeoutMs });
  connection.close();
  const link = pageLink(url, answer);
  if (flags.has("json")) {
    terminal.printJson({ url: link, expiresAtMs: answer.expiresAtMs });
    return 0;
  }
  const opener = flags.has("no-open") ? undefined : findOpener(process.platform, env);
  const isOpened = opener !== undefined && (await openBrowser(opener, link, env));
  terminal.print(isOpened ? "Opening the control page. If nothing happens, open this yourself:" : "Open in a browser:");
  terminal.print(`  ${link}`);
  terminal.print("The link works once, within ten minutes. A browser that was let in needs none.");
  const { hostname, port } = new URL(link);
  // The page is on this machine, the browser is not.
  if (isFromElsewhere(env) && hostname === "127.0.0.1")
    terminal.print(`On your own machine, first: ssh -N -L ${port}:127.0.0.1:${port} <this machine>`);
  return 0;
}

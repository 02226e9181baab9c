// A server that repeats everything it was told in its refusals, as careless services do, and remembers who told it what.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface Heard {
  readonly path: string;
  readonly headers: string;
  readonly body: string;
}

interface EchoHouse extends AsyncDisposable {
  readonly origin: string;
  readonly heard: Heard[];
}

/** What the first part of the path makes of a request: `/late/…` begins well and fails later, `/ok/…` succeeds. */
export async function openEchoHouse(): Promise<EchoHouse> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => (body += part));
    request.on("end", () => {
      const path = request.url ?? "";
      heard.push({ path, headers: JSON.stringify(request.headers), body });
      const [, how] = path.split("/");
      const echo = repeat(request);
      if (how === "ok" || how === "late") {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(`data: ${JSON.stringify(partOf("fine", how === "ok" ? "stop" : null))}\n\n`);
        response.end(how === "ok" ? "data: [DONE]\n\n" : `data: ${JSON.stringify({ error: { message: echo } })}\n\n`);
        return;
      }
      const status = how === "broken" ? 400 : how === "down" ? 503 : 401;
      // No other character may stand in a header or a reason.
      const word = echo.replaceAll(/[^\w .:;=@/-]/g, "").slice(0, 2000);
      response.writeHead(status, word.slice(0, 400), { "content-type": "application/json", "x-echo": word });
      response.end(JSON.stringify({ error: { message: echo, type: echo, code: echo } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Also without the word Bearer, and decoded: services say it in many ways. */
function repeat({ headers, url }: IncomingMessage): string {
  const { authorization = "" } = headers;
  const [kind, value = ""] = authorization.split(" ");
  const decoded = kind === "Basic" ? Buffer.from(value, "base64").toString() : "";
  const others = Object.entries(headers).filter(([name]) => !["host", "accept", "user-agent"].includes(name));
  const told = others.map(([name, text]) => `${name}=${String(text)}`).join("; ");
  return `This is refused: ${value} ${decoded} ${authorization} ${url} ${told}`;
}

function partOf(content: string, reason: string | null): object {
  const choices = [{ index: 0, delta: { content }, finish_reason: reason }];
  return { id: "part", object: "chat.completion.chunk", created: 0, model: "m", choices };
}

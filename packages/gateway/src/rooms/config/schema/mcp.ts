// `mcp`: servers of the Model Context Protocol whose tools agents may use.
import {
  block,
  bool,
  choice,
  item,
  key,
  mapOf,
  nonEmptyText,
  positive,
  count,
  secret,
  secretOrRef,
  section,
  text,
  texts,
} from "@chela/sdk/config";
import * as z from "zod";

/** Values of variables and headers: any of them may be a credential, kept here or elsewhere. */
const secrets = () => z.record(z.string(), secretOrRef().unwrap()).optional();
const variables = () =>
  z.record(z.string(), z.union([...secretOrRef().unwrap().options, z.number(), z.boolean()])).optional();

const server = () =>
  item(() => ({
    enabled: key(bool(), "Whether agents may use it.", { preset: true }),
    command: key(
      nonEmptyText(),
      "The program that is the server, where it runs on this machine. It is started with the first call.",
    ),
    args: key(texts(), "Its arguments. Folders that are named here can be read in its sandbox."),
    env: key(variables(), "Its variables. It gets these and none of the gateway's."),
    cwd: key(text(), "The folder it starts in; one of its own unless told."),
    workingDirectory: key(text(), "The same, as OpenClaw also writes it."),
    url: key(text(), "The address of a server elsewhere."),
    transport: key(
      choice("stdio", "http", "streamable-http", "sse"),
      "How it is spoken to, where that is not found out by itself: streamable HTTP first, then the older form with server-sent events.",
    ),
    type: key(choice("stdio", "http", "streamable-http", "sse"), "The same, as other programs write it."),
    headers: key(secrets(), "Headers that go along with every request to its address."),
    auth: key(
      choice("oauth", "none"),
      "Whether somebody signs in to it with `chela mcp login`; it is found out by itself.",
    ),
    oauth: block(() => ({
      scope: key(text(), "What is asked for, where the server does not say it."),
      redirectUrl: key(text(), "Where the browser is sent back to; the gateway's own port unless told."),
      clientId: key(text(), "Who we are to its authorization server, where that lets nobody register."),
      clientSecret: key(secret(), "The secret that belongs to the client id."),
      clientMetadataUrl: key(
        text(),
        "Where a description of this client lies, for authorization servers that read one.",
      ),
    })),
    connectionTimeoutMs: key(positive(), "How long it may take to start.", { preset: 30_000 }),
    requestTimeoutMs: key(positive(), "How long a call may take without a sign of progress.", { preset: 60_000 }),
    supportsParallelToolCalls: key(bool(), "Whether several calls may run at the same time.", { preset: false }),
    toolFilter: block(() => ({
      include: key(texts(), "Only these of its tools: names, or name*."),
      exclude: key(texts(), "Never these of its tools."),
    })),
    agents: key(texts(), "Only for these agents."),
    ask: key(choice("never", "always"), "Whether a person is asked about every call.", { preset: "never" }),
    roots: key(texts(), "Folders it is told it may work in."),
    sandbox: block(() => ({
      mode: key(
        choice("auto", "require", "off"),
        "Whether its program is kept in a sandbox: where this machine can (auto), or else not at all (require), or never.",
        { preset: "auto" },
      ),
      hosts: key(
        texts(),
        "Hosts it may reach from its sandbox; none unless named. Programs that fetch programs (npx, uvx) reach their registry.",
      ),
      read: key(texts(), "Further folders it sees."),
      write: key(texts(), "Folders it may change."),
    })),
  }));

export const mcpSection = section("Servers of the Model Context Protocol.", { reload: "live" }, () =>
  block(() => ({
    servers: key(
      mapOf(server()),
      "Servers by their name. What a new one offers, and what changes of it, waits for `chela mcp approve`.",
    ),
    sessionIdleTtlMs: key(count(), "After how long without a call a server is let go; 0 for never.", {
      preset: 600_000,
      guards: false,
    }),
  })),
);

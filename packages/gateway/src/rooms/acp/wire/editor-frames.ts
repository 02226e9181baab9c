// What an editor sends to an agent: parameters of its requests, and its answers to ours.
import * as z from "zod";
import { once } from "@chela/sdk";
import { ContentBlock, SessionId } from "./session-blocks.ts";

const Folder = () => z.string().min(1).max(4096);
const flag = () => z.boolean().nullish();

export const InitializeParams = once(() =>
  z.looseObject({
    protocolVersion: z.number(),
    clientCapabilities: z
      .looseObject({
        fs: z.looseObject({ readTextFile: flag(), writeTextFile: flag() }).nullish(),
        terminal: flag(),
      })
      .nullish(),
    clientInfo: z.looseObject({ name: z.string().max(200), version: z.string().max(200).nullish() }).nullish(),
  }),
);

/** Of servers only the names are looked at: who runs them reads the rest. */
const McpServers = () => z.array(z.looseObject({ name: z.string().max(200) })).max(100);
const place = () => ({ cwd: Folder(), additionalDirectories: z.array(Folder()).max(50).nullish() });

const Meta = () =>
  z
    .looseObject({
      sessionKey: z.string().min(1).max(512).optional(),
      sessionLabel: z.string().min(1).max(64).optional(),
      resetSession: z.boolean().optional(),
    })
    .nullish()
    .catch(undefined);

export const NewSessionParams = once(() => z.looseObject({ ...place(), mcpServers: McpServers(), _meta: Meta() }));
export const LoadSessionParams = once(() =>
  z.looseObject({ ...place(), mcpServers: McpServers().nullish(), sessionId: SessionId() }),
);
export const ListSessionsParams = once(() =>
  z.looseObject({ cwd: Folder().nullish(), cursor: z.string().max(200).nullish() }),
);
export const OneSessionParams = once(() => z.looseObject({ sessionId: SessionId() }));
export const PromptParams = once(() =>
  z.looseObject({ sessionId: SessionId(), prompt: z.array(ContentBlock()).min(1).max(1000) }),
);
export const SetModeParams = once(() => z.looseObject({ sessionId: SessionId(), modeId: z.string().max(100) }));
export const SetOptionParams = once(() =>
  z.looseObject({ sessionId: SessionId(), configId: z.string().max(100), value: z.union([z.string(), z.boolean()]) }),
);

export const PermissionAnswer = once(() =>
  z.looseObject({
    outcome: z.union([
      z.looseObject({ outcome: z.literal("selected"), optionId: z.string() }),
      z.looseObject({ outcome: z.literal("cancelled") }),
    ]),
  }),
);
export const FileAnswer = once(() => z.looseObject({ content: z.string() }));
export const TerminalAnswer = once(() => z.looseObject({ terminalId: z.string().min(1).max(500) }));
const exit = () => ({ exitCode: z.number().nullish(), signal: z.string().nullish() });
export const ExitAnswer = once(() => z.looseObject(exit()));
export const OutputAnswer = once(() =>
  z.looseObject({
    output: z.string(),
    truncated: z.boolean().catch(false),
    exitStatus: z.looseObject(exit()).nullish(),
  }),
);

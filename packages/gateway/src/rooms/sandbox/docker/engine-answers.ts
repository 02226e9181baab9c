// Answers of a container engine, as far as we look at them.
import * as z from "zod";
import { once, type Parsed } from "@chela/sdk";

export const EngineComplaint = once(() => z.object({ message: z.string() }));

export const EngineVersion = once(() => z.object({ Version: z.string().max(100) }));

export const CreatedContainer = once(() =>
  z.object({ Id: z.string().regex(/^[0-9a-f]{12,64}$/), Warnings: z.array(z.string()).nullish() }),
);

export const CreatedExec = once(() => z.object({ Id: z.string().regex(/^[0-9a-f]{12,64}$/) }));

/** A command that never began has no code in some versions. */
export const ExecState = once(() => z.object({ Running: z.boolean(), ExitCode: z.number().int().nullish() }));

export const ContainerState = once(() =>
  z.object({
    Id: z.string(),
    State: z.object({ Running: z.boolean(), Paused: z.boolean().nullish() }),
    Config: z.object({ Labels: z.record(z.string(), z.string()).nullish() }),
  }),
);

export type ContainerStateAnswer = Parsed<typeof ContainerState>;

export const ContainerList = once(() =>
  z.array(
    z.object({
      Id: z.string(),
      Names: z.array(z.string()),
      State: z.string(),
      /** Seconds since the epoch. */
      Created: z.number(),
      Labels: z.record(z.string(), z.string()).nullish(),
    }),
  ),
);

export const NetworkAnswer = once(() => z.object({ Name: z.string(), Driver: z.string() }));

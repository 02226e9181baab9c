// A sandbox whose commands are only started when there is room for what they write.
import { GatewayError, type SandboxPlace } from "@chela/sdk";
import type { DiskGuard } from "./disk-guard.ts";

export function guardPlace(place: SandboxPlace, guard: DiskGuard): SandboxPlace {
  const { terminal } = place;
  return {
    backend: place.backend,
    profile: place.profile,
    close(why) {
      guard.stop();
      return place.close(why);
    },
    async start(command) {
      const admission = await guard.admit();
      if (admission.kind === "refused") throw new GatewayError("SANDBOX_FAILED", admission.why);
      const { full, over } = admission;
      if (full !== undefined) command.onText(`[Note: ${full}]\n`);
      // Whoever is above the limit can still tidy up: files can be removed, and none can grow.
      const wish = full === undefined ? command : { ...command, command: `ulimit -f 0\n${command.command}` };
      try {
        const running = await place.start(wish);
        void running.exited.then(over);
        return running;
      } catch (error) {
        over();
        throw error;
      }
    },
    ...(terminal
      ? {
          terminal(wish) {
            if (guard.lastRefusal !== undefined) throw new GatewayError("SANDBOX_FAILED", guard.lastRefusal);
            guard.followTerminal();
            return terminal.call(place, wish);
          },
        }
      : {}),
  };
}

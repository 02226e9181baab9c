// Describes what can be reached from inside a container, written on it when made, to compare with a later configuration.
import * as z from "zod";
import { once, type SandboxMount, type SandboxProfile } from "@chela/sdk";
import { parseJson } from "@chela/sdk/base";

const Reach = once(() =>
  z.object({
    network: z.string(),
    mounts: z.array(z.object({ outside: z.string(), inside: z.string(), isWritable: z.boolean() })),
  }),
);

export function describeReach({ network, mounts }: SandboxProfile): string {
  const kept = mounts.map(({ outside, inside, isWritable }) => ({ outside, inside, isWritable }));
  return JSON.stringify({ network: network.kind === "named" ? network.name : "none", mounts: kept });
}

/** Whether a container reaches nothing that this profile would not allow. Nobody's work is a reason to keep more open. */
export function isWithinReach(written: string | undefined, profile: SandboxProfile): boolean {
  const reach = Reach().safeParse(parseJson(written ?? ""));
  if (!reach.success) return false;
  const { network, mounts } = reach.data;
  const allowed = profile.network.kind === "named" ? profile.network.name : "none";
  if (network !== "none" && network !== allowed) return false;
  const isAllowed = mounts.every(({ outside, inside, isWritable }) =>
    profile.mounts.some(
      (mount) => mount.outside === outside && mount.inside === inside && (mount.isWritable || !isWritable),
    ),
  );
  return isAllowed && profile.mounts.every((mount) => !isCover(mount, mounts) || isAmong(mount, mounts));
}

/** What lies above something else and cannot be written takes away: without it more can be seen or changed there. */
function isCover({ inside, isWritable }: SandboxMount, mounts: readonly SandboxMount[]): boolean {
  return !isWritable && mounts.some((mount) => inside.startsWith(`${mount.inside}/`));
}

function isAmong({ outside, inside }: SandboxMount, mounts: readonly SandboxMount[]): boolean {
  return mounts.some((mount) => mount.outside === outside && mount.inside === inside);
}

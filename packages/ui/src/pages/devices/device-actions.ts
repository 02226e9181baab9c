// Actions on a device that has a key. Each asks where something is lost, and tells how it ended.
import type { World } from "../../app/world.ts";
import { WireFailure } from "../../wire/failure.ts";
import { deviceName, type PairedDevice } from "./device-words.ts";

/** True if it was done. */
type Done = Promise<boolean>;

/** The new token, which is told once; undefined when there is none. */
export async function rotateToken(world: World, device: PairedDevice, role: string): Promise<string | undefined> {
  const words = world.words.of("devices");
  const { deviceId } = device;
  const question = { title: words.rotateTitle(deviceName(words, device)), text: words.rotateText, yes: words.rotate };
  if (!(await world.notices.ask(question))) return undefined;
  try {
    return (await world.wire.call("device.token.rotate", { deviceId, role })).token;
  } catch (error) {
    world.notices.complain(error);
    return undefined;
  }
}

export async function revokeToken(world: World, device: PairedDevice, role: string): Done {
  const words = world.words.of("devices");
  const { deviceId } = device;
  const name = deviceName(words, device);
  const question = { title: words.revokeTitle(name), text: words.revokeText, yes: words.revoke, isDangerous: true };
  if (!(await world.notices.ask(question))) return false;
  return attempt(world, () => world.wire.call("device.token.revoke", { deviceId, role }), words.signedOut(name));
}

export async function removeDevice(world: World, device: PairedDevice): Done {
  const words = world.words.of("devices");
  const { deviceId } = device;
  const name = deviceName(words, device);
  const question = { title: words.removeTitle(name), text: words.removeText, yes: words.remove, isDangerous: true };
  if (!(await world.notices.ask(question))) return false;
  return attempt(world, () => world.wire.call("device.pair.remove", { deviceId }), words.removed(name));
}

/** The connection ends before the answer comes, which is the answer. */
export async function removeThisBrowser(world: World, { deviceId }: PairedDevice): Done {
  const words = world.words.of("devices");
  const { removeThisTitle: title, removeThisText: text, remove: yes } = words;
  if (!(await world.notices.ask({ title, text, yes, isDangerous: true }))) return false;
  return attempt(world, async () => {
    try {
      await world.wire.call("device.pair.remove", { deviceId });
    } catch (error) {
      if (!(error instanceof WireFailure) || error.code !== "OFFLINE") throw error;
    }
  });
}

/** Does something that may fail; a failure is told to the person. */
export async function attempt({ notices }: World, act: () => Promise<unknown>, done?: string): Done {
  try {
    await act();
    if (done) notices.say(done);
    return true;
  } catch (error) {
    notices.complain(error);
    return false;
  }
}

// Registers the service worker, which makes the page installable and shows notifications on phones.

/** Trusted Types: of all script addresses only our worker's is let through. */
interface ScriptPolicy {
  createScriptURL(url: string): unknown;
}

const WORKER = "./sw.js";

export function startWorker(): void {
  if (!("serviceWorker" in navigator)) return;
  const { trustedTypes } = window as unknown as {
    trustedTypes?: { createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy };
  };
  const policy = trustedTypes?.createPolicy("chela", {
    createScriptURL: (url) => {
      if (url !== WORKER) throw new TypeError("this is not our worker");
      return url;
    },
  });
  const address = (policy?.createScriptURL(WORKER) ?? WORKER) as string;
  // Without it everything works but installing and notifications on phones.
  navigator.serviceWorker.register(address).catch(() => undefined);
}

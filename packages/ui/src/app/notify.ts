// Notifications of the system, for somebody who is looking elsewhere: commands to approve, and answers.
import type { World } from "./world.ts";
import { writeRoute } from "./route.ts";

export function notifyOfEvents({ wire, words, preferences }: World): void {
  const show = (title: string, body: string, sessionKey: string | undefined): void => {
    const isLooking = document.visibilityState === "visible" && document.hasFocus();
    if (isLooking || !preferences.now.value.notifies || Notification.permission !== "granted") return;
    void showNotification(title, body, sessionKey ? writeRoute("chat", [sessionKey]) : writeRoute("overview"));
  };
  wire.on("exec.approval.requested", ({ request }) => {
    show(words.of("app").notifyApproval, request.command, request.sessionKey ?? undefined);
  });
  wire.on("chat", ({ state, sessionKey, message }) => {
    if (state !== "final" || !message) return;
    const text = message.content
      .flatMap((block) => (typeof block["text"] === "string" ? [block["text"]] : []))
      .join("\n");
    if (text) show(words.of("app").notifyReply("Chela"), text.slice(0, 200), sessionKey);
  });
}

/** A phone shows notifications only through the service worker. */
async function showNotification(title: string, body: string, fragment: string): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  const options = { body, tag: fragment, icon: "./icons/chela-192.png", data: { fragment } };
  if (registration) return registration.showNotification(title, options);
  const notification = new Notification(title, options);
  notification.addEventListener("click", () => {
    window.focus();
    location.hash = fragment;
  });
}

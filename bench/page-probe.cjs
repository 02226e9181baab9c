// Runs in the control page before its own code: notes when one can write, and when an answer is on the screen.
(() => {
  const afterDrawing = () =>
    new Promise((resolve) =>
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.addEventListener("message", () => resolve(performance.now()), { once: true });
        channel.port1.start();
        channel.port2.postMessage(0);
      }),
    );
  const until = (what, isThere) =>
    new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error(`the page did not show ${what} in time`)), 20_000);
      const look = () => {
        if (!isThere()) return false;
        observer.disconnect();
        resolve(afterDrawing());
        return true;
      };
      const observer = new MutationObserver(look);
      if (!look())
        observer.observe(document, { childList: true, subtree: true, characterData: true, attributes: true });
    });
  const isAnswered = (mark, answer) => {
    const rows = [...document.querySelectorAll("[data-index]")];
    const asked = rows.findIndex((row) => row.querySelector(".bubble")?.textContent.includes(mark));
    return asked >= 0 && rows.slice(asked + 1).some((row) => row.textContent.includes(answer));
  };
  const kilobytes = () =>
    [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].reduce(
      (sum, { transferSize }) => sum + transferSize / 1024,
      0,
    );
  const usable = until("where to write", () => {
    const box = document.querySelector("chela-composer textarea");
    return box !== null && !box.disabled && box.clientHeight > 0;
  });
  usable.catch(() => undefined);
  // Told some time after it happened.
  const painted = new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      for (const { name, startTime } of list.getEntries()) if (name === "first-contentful-paint") resolve(startTime);
    });
    observer.observe({ type: "paint", buffered: true });
  });
  window.pageProbe = {
    async opened() {
      const usableMs = await usable;
      return { usableMs, kilobytes: kilobytes(), paintMs: await painted };
    },
    /** From the next press of Enter until the answer to what has this mark is drawn. */
    async answered(mark, answer) {
      const pressed = new Promise((resolve) =>
        document.addEventListener("keydown", () => resolve(performance.now()), { capture: true, once: true }),
      );
      const seenAt = await until("an answer", () => isAnswered(mark, answer));
      return seenAt - (await pressed);
    },
  };
})();

// Reads what the warden reports. Whatever is inside could write here too, so that only exact lines count.

export type WardenReport =
  | { readonly kind: "ready" }
  /** The proxy's forwarder takes connections. */
  | { readonly kind: "forwarding" }
  /** A process took the command on, and will be the command. */
  | { readonly kind: "start"; readonly id: string; readonly innerPid: number }
  /** It holds its ends of the pipes. */
  | { readonly kind: "open"; readonly id: string }
  | { readonly kind: "end"; readonly innerPid: number; readonly code: number };

/** No line of ours is longer. */
const LONGEST_LINE = 120;

/** Takes bytes as they come; calls back once for each line that is understood. */
export function readControlLines(onReport: (report: WardenReport) => void): (chunk: Buffer) => void {
  let rest = "";
  let isOverlong = false;
  return (chunk) => {
    const lines = (rest + chunk.toString("latin1")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const report = isOverlong ? undefined : readLine(line);
      isOverlong = false;
      if (report) onReport(report);
    }
    if (rest.length <= LONGEST_LINE) return;
    rest = "";
    isOverlong = true;
  };
}

function readLine(line: string): WardenReport | undefined {
  if (line === "ready" || line === "forwarding") return { kind: line };
  const [, opened, started, startedPid, endedPid, code] =
    /^(?:open ([a-z0-9-]{1,40})|start ([a-z0-9-]{1,40}) (\d{1,7})|end (\d{1,7}) (\d{1,3}))$/.exec(line) ?? [];
  if (opened) return { kind: "open", id: opened };
  if (started) return { kind: "start", id: started, innerPid: Number(startedPid) };
  return endedPid && Number(code) <= 255 ? { kind: "end", innerPid: Number(endedPid), code: Number(code) } : undefined;
}

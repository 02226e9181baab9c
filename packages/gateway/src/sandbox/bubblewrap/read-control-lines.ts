// Reads what the warden reports. Whatever is inside could write here too, so that only exact lines count.

export type WardenReport =
  | { readonly kind: "ready" }
  /** The proxy's forwarder takes connections. */
  | { readonly kind: "forwarding" }
  /** The command holds its ends of the pipes. */
  | { readonly kind: "open"; readonly id: string }
  | { readonly kind: "start"; readonly id: string; readonly innerPid: number }
  | { readonly kind: "end"; readonly id: string; readonly code: number };

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
  const [, kind, id, , number] = /^(open|start|end) ([a-z0-9-]{1,40})( (\d{1,7}))?$/.exec(line) ?? [];
  if (kind === "open" && id && number === undefined) return { kind, id };
  if (!id || number === undefined) return undefined;
  if (kind === "start") return { kind, id, innerPid: Number(number) };
  return kind === "end" && Number(number) <= 255 ? { kind, id, code: Number(number) } : undefined;
}

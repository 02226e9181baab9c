// Required into a gateway by the bench: measures how late its event loop runs. SIGUSR2 writes the figures and starts over.
const { writeFileSync, renameSync } = require("node:fs");
const { monitorEventLoopDelay } = require("node:perf_hooks");

const NANOSECONDS_PER_MS = 1e6;
const path = `${process.env.BENCH_LOOP_DELAY_FILE}.${process.pid}`;
const delay = monitorEventLoopDelay({ resolution: 1 });
let reports = 0;

function report() {
  const ms = (nanoseconds) => nanoseconds / NANOSECONDS_PER_MS;
  const figures = { p50: ms(delay.percentile(50)), p99: ms(delay.percentile(99)), max: ms(delay.max) };
  const text = JSON.stringify({ report: reports++, ...figures });
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
  delay.reset();
}

delay.enable();
process.on("SIGUSR2", report);
report();

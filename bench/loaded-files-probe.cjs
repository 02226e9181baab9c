// Required into a gateway by the bench: notes every file of code that is loaded.
const { appendFileSync } = require("node:fs");
const { registerHooks } = require("node:module");

const path = `${process.env.BENCH_LOADED_FILE}.${process.pid}`;

registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(path, `${url}\n`);
    return nextLoad(url, context);
  },
});

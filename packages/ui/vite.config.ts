// How the control page is built: relative URLs, hashed files, and everything compressed beside itself.
import { readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const COMPRESSIBLE = /\.(?:js|css|html|svg|json)$/;
const MIN_BYTES = 1024;

/** The gateway hands these out as they are: nothing is compressed while somebody waits. */
const compressed: Plugin = {
  name: "compressed",
  apply: "build",
  // The files are read as they were written: until then names of chunks are still put in.
  async writeBundle({ dir = "" }, bundle) {
    await Promise.all(
      Object.keys(bundle).map(async (name) => {
        const path = join(dir, name);
        const bytes = await readFile(path);
        if (!COMPRESSIBLE.test(name) || bytes.length < MIN_BYTES) return;
        await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
      }),
    );
  },
};

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8")) as { version: string };

export default defineConfig({
  base: "./",
  define: { __CHELA_VERSION__: JSON.stringify(version) },
  resolve: { conditions: ["chela-source", "module", "browser", "import", "default"] },
  plugins: [compressed],
  build: {
    target: ["chrome125", "firefox129", "safari17.4"],
    // Data URLs would hide from the cache what many pages share.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 400,
  },
});

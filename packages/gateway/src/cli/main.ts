// The command line's entry.
import { runGateway } from "./gateway-run.ts";

const [, , ...argv] = process.argv;
if (argv[0] === "gateway" && argv[1] === "run") {
  const at = argv.indexOf("--port");
  const code = await runGateway({
    env: process.env,
    ...(at >= 0 ? { port: Number(argv[at + 1]) } : {}),
    print: (text) => console.log(text),
    printError: (text) => console.error(text),
  });
  process.exit(code);
}

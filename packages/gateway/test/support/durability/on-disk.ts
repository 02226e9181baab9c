// The place for what has to lie on a disk, or is kept for the next run: `npm test` has its temporary files in memory.
import { tmpdir } from "node:os";

export const ON_DISK = process.env["CHELA_TEST_DISK"] ?? tmpdir();

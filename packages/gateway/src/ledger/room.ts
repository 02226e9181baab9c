// The ledger room owns the system of record: one SQLite file, its shape, its checks, and the mirror of it in files.
export { checkIntegrity, openDatabase } from "./sqlite/open.ts";
export { SqliteLedger } from "./sqlite/sqlite-ledger.ts";

// The ledger room owns the system of record: one SQLite file, its shape, its checks, and the mirror of it in files.
export { ledgerPath, openDatabase } from "./sqlite/open.ts";
export { SqliteLedger } from "./sqlite/sqlite-ledger.ts";
export { createMirror, type Mirror, type MirrorOptions } from "./mirror/mirror.ts";
export { readHomeSession, toHomePair } from "./mirror/home-session.ts";
export {
  createImporter,
  IMPORT_AT_START_BYTES,
  IMPORT_FINISHED,
  importState,
  type Importer,
} from "./import/importer.ts";
export { VIEWS } from "./views/definitions.ts";
export { queryLedger, type QueryAnswer, type QueryValue } from "./views/query.ts";
export { openOrRecover } from "./recover/open-or-recover.ts";
export { exportState } from "./mirror/export-state.ts";
export { followExport, type ExportRecord, type FollowOptions } from "./mirror/follow-export.ts";
export { maintainSessions, type MaintenanceConfig, type MaintenanceReport } from "./mirror/maintain-sessions.ts";

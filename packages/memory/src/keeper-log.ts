// Writes what the keeper has to say into the gateway's log.

export type KeeperLog = (level: "info" | "warn", message: string, fields: Record<string, unknown>) => void;

// The version of this program, put in by the build; sources run as "dev".
declare const __CHELA_VERSION__: string | undefined;

export const VERSION: string = typeof __CHELA_VERSION__ === "string" ? __CHELA_VERSION__ : "0.0.0-dev";

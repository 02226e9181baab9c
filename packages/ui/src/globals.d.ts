// Constants the build puts in.
declare const __CHELA_VERSION__: string;

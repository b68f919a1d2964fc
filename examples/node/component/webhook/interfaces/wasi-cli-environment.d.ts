/** @module Interface wasi:cli/environment@0.2.0 **/
export function getEnvironment(): Array<[string, string]>;

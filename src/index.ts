import { native } from "./native.ts";

export { NativeMissingError } from "./native.ts";

/** The version of the native part, as in `0.1.0`. */
export function coreVersion(): string {
  return native().coreVersion();
}

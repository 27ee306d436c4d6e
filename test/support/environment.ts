/** What test runners and npm tell their children; a tool started with it would take itself for a part of this run. */
const OF_THIS_RUN = /^(?:VITEST|JEST_|NODE_TEST_CONTEXT$|NODE_OPTIONS$|NODE_ENV$|TEST$|npm_)/;

/** The environment of a user's own shell: the caller's, less what this test run added to it. */
export function userEnvironment(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !OF_THIS_RUN.test(name));
  return { ...Object.fromEntries(kept), ...extra };
}

const { parseTrace, preToolUse, runHook, tool, VigilesError } = require("vigiles");
require("vigiles/jest");

const event = preToolUse("Bash", { command: "git push --force" });

test("a hook that blocks", () => {
  expect(runHook("exit 2", event)).toBlock();
  expect(runHook("exit 1", event)).not.toBlock();
  expect(() => expect(runHook("exit 1", event)).toBlock()).toThrow(/exit 1/);
});

test("a recorded session", () => {
  const trace = parseTrace("session.jsonl");
  expect(trace.toolCalls.map(({ name }) => name)).toEqual(["Bash"]);
  expect(trace).toPass(tool("Bash"));
  expect(() => parseTrace("nowhere.jsonl")).toThrow(VigilesError);
});

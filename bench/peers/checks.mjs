/** `Task` is the older name of `Agent`. */
const canonical = (name) => (name === "Task" ? "Agent" : name);
const called = (trace, name) => trace.toolCalls.some((call) => canonical(call.name) === canonical(name));
const matches = (input, args) => Object.entries(args).every(([key, value]) => input[key] === value);

const evaluators = {
  tool: (trace, name) => called(trace, name),
  notTool: (trace, name) => !called(trace, name),
  skill: (trace, id) => trace.toolCalls.find((call) => call.name === "Skill" && call.input.skill === id)?.isError === false,
  output: (trace, pattern) => pattern.test(trace.output),
  hookFired: (trace, event) => trace.hookEvents.has(event),
  turns: (trace, { min = 0, max = Infinity }) => trace.turns >= min && trace.turns <= max,
  onlyTools(trace, allowed) {
    const names = new Set(allowed.map((rule) => canonical(rule.split("(")[0])));
    return trace.toolCalls.length > 0 && trace.toolCalls.every((call) => names.has(canonical(call.name)));
  },
  mcp: (trace, server, tool) => called(trace, `mcp__${server}__${tool}`),
  cost: (trace, { maxUsd }) => trace.costUsd <= maxUsd,
  toolWith: (trace, name, args) => trace.toolCalls.some((call) => canonical(call.name) === canonical(name) && matches(call.input, args)),
};

/** Whether each check holds, in order. */
export function evaluate(trace, checks) {
  return checks.map(([kind, ...args]) => evaluators[kind](trace, ...args));
}

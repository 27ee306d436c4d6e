import { assertHookBlocked, preToolUse, runHook } from "vigiles";

assertHookBlocked(runHook("exit 2", preToolUse("Bash", { command: "git push --force" })));

import { expect } from "@jest/globals";
import { runHook, tool } from "vigiles";
import "vigiles/jest";

const result = runHook("exit 0", { hook_event_name: "Stop" });

expect(result).toBlock();
expect(result).not.toBlock();
expect(result).toPass(tool("Bash"));
expect(result).toPassAll([tool("Bash"), tool("Read")]);
expect(result).toHaveCreated("report.md");
expect({}).toBeatBaseline("plain", "with-skill", "passRate");
expect({}).toBeatBaseline("plain", "with-skill", "passRate", 0.1);
expect(Promise.resolve(result)).resolves.toBlock();
expect({ result }).toEqual({ result: expect.anything() });

// @ts-expect-error a check is an object of the vocabulary, not its name
expect(result).toPass("Bash");
// @ts-expect-error several checks are a list
expect(result).toPassAll(tool("Bash"));
// @ts-expect-error a file needs its path
expect(result).toHaveCreated();
// @ts-expect-error arms and metric are names
expect({}).toBeatBaseline("plain", "with-skill", 1);
// @ts-expect-error no such matcher: the augmentation leaves the type closed
expect(result).toBlockNothing();

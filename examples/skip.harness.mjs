// A test that needs something which is not always there skips itself, with a reason. `vigiles test --no-skip` makes a skip
// a failure, for the place where everything has to be there.
import { runScript, skip } from "vigiles";

const WANTED = "VIGILES_EXAMPLE_DATABASE";
if (process.env[WANTED] === undefined) skip(`${WANTED} is not set`);

const { exitCode, stderr } = runScript(["psql", String(process.env[WANTED]), "--command", "select 1"]);
if (exitCode !== 0) throw new Error(`expected the database to answer, but psql ended with exit ${exitCode}: ${stderr}`);

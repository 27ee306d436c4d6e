import { defineConfig } from "vitest/config";

// Registers the matchers for every test file.
export default defineConfig({ test: { setupFiles: ["vigiles/vitest"] } });

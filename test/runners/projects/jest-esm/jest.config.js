export default { testMatch: ["<rootDir>/*.test.js"], transform: {} };

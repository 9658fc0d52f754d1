// Tests run as ES modules, compiled one file at a time by swc.
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }],
  },
  setupFiles: ['<rootDir>/test/setup-properties.ts'],
  testTimeout: 30_000,
  maxWorkers: 2,
}

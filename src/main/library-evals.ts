// The exports of `clew/evals`. docs/library.md describes them.
export { type CaseReport, compareReports, type EvalReport, reportText } from '../evals/report.ts'
export { type EvaluateOptions, evaluate } from './evaluate.ts'

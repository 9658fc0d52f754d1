// What `import … from 'clew/evals'` gives. docs/library.md describes it.
export { type CaseReport, compareReports, type EvalReport, reportText } from '../evals/report.ts'
export { type EvaluateOptions, evaluate } from './evaluate.ts'

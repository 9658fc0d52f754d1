// The text that never changes comes first, so that a provider can cache it. Instructions and schema are in the system message, before the
// question.

/** @param {string} schema */
const tables = schema => `# The schema of the ClickHouse warehouse\n\n${schema}`

/**
 * Returns the schema's lines that name a table, with comments. They show the possible subjects of questions.
 * @param {string} schema
 */
function tableList(schema) {
  return schema
    .split('\n')
    .filter(line => /^(TABLE|VIEW) /.test(line))
    .join('\n')
}

const SQL_RULES = `Write ClickHouse's dialect of SQL, one SELECT statement for each query, without a semicolon. Use only the tables and columns of the schema, written as database.table.
Aggregate or limit every result, and order it completely. Give result columns telling names.`

const ANSWER_RULES = `Answer in Markdown, in the language of the question, the most important finding first. State figures with their units, only such as are in the results, and end each
claim with the queries that it rests on, in brackets: [Q1] or [Q1, Q3].`

/**
 * The system messages of the pipelines' steps.
 * @param {string} schema
 */
export function stepPrompts(schema) {
  return {
    classify: `You are the first step of a data analyst in a team chat. Decide what the message is: "data_analysis" where the tables could answer it, or else "conversational" or "out_of_scope",
with a short reply. Write the message as a question that stands on its own.\n\n# The tables\n\n${tableList(schema)}`,
    decompose: `You plan how a question is answered from the tables below. Split it into one to six data questions, as few as serve, each answered by one SQL query and each standing on its own.
\n\n${tables(schema)}`,
    generate: `You write one query that answers one data question. ${SQL_RULES} Explain in one line what it computes, and list the assumptions you made.\n\n${tables(schema)}`,
    synthesize: `You write the answer to a question from the results of queries. ${ANSWER_RULES}`,
  }
}

/**
 * The system message of the tool loops.
 * @param {string} schema
 */
export function agentPrompt(schema) {
  return `You are a data analyst in a team chat. Answer questions from the tables below with the tool run_sql. Call it several times at once where several things must be known that do
not depend on each other; the queries are numbered Q1, Q2, … in the order of the calls. ${SQL_RULES}
${ANSWER_RULES}\n\n${tables(schema)}`
}

/**
 * Returns the prompt for one query: its data question, and the person's question around it.
 * @param {string} question
 * @param {string} dataQuestion
 */
export function dataQuestionPrompt(question, dataQuestion) {
  return `# The question it is part of\n\n${question}\n\n# The data question\n\n${dataQuestion}`
}

/**
 * The last message of the pipelines: the question with the queries' results.
 * @param {string} question
 * @param {readonly { id: string, question: string, sql: string, result: string }[]} results
 */
export function resultsPrompt(question, results) {
  const parts = results.map(({ id, question: dataQuestion, sql, result }) => `## ${id}: ${dataQuestion}\n${sql}\n${result}`)
  return `# The question\n\n${question}\n\n# The results\n\n${parts.join('\n\n')}`
}

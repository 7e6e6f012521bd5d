export interface CoverageRow {
  id: string;
  statement: string;
  /** Files or folders of the project. */
  files: string[];
  /** Each `file › title`; none while the row is open. */
  tests: string[];
}

export function readRows(markdown: string): CoverageRow[];

/** The titles of tests as they are written, `it.each` patterns included. */
export function titlesOf(path: string, source: string): Set<string>;

/** What is wrong with the table, one line each, and the ids of the rows without a test. */
export function checkRows(
  rows: readonly CoverageRow[],
  project: {
    exists: (path: string) => boolean;
    /** Null when there is no such test file. */
    titles: (path: string) => ReadonlySet<string> | null;
  },
): { wrong: string[]; open: string[] };

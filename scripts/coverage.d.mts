export interface CoverageRow {
  id: string;
  statement: string;
  /** Files or folders of the project. */
  files: string[];
  /** Each `file › title`. Empty while the row is open. */
  tests: string[];
}

export function readRows(markdown: string): CoverageRow[];

/** The titles of tests as written in the source, including `it.each` patterns. */
export function titlesOf(path: string, source: string): Set<string>;

/** The errors of the table, one line each, and the ids of rows without a test. */
export function checkRows(
  rows: readonly CoverageRow[],
  project: {
    exists: (path: string) => boolean;
    /** Null when there is no such test file. */
    titles: (path: string) => ReadonlySet<string> | null;
  },
): { wrong: string[]; open: string[] };

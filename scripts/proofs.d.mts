interface CaseResult {
  name: string;
  passed: boolean;
  seconds: number;
}

interface CaseRow {
  name: string;
  passed: number;
  failed: number;
  /** Seconds. */
  median: number;
  most: number;
}

export function tableOf(results: CaseResult[]): CaseRow[];

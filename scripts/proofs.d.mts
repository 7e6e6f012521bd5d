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

export function figuresLine(
  date: string,
  options: { times: string; only?: string; kills?: string; creates?: string },
  figures: { seed: number; passes: number; passed: number; failed: number },
): string;

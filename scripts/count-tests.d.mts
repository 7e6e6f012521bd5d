export interface Outcome {
  passed: number;
  failed: number;
  /** How many tests need what the machine lacks. */
  skipped?: number;
  /** What the machine lacks. */
  missing?: string;
  seconds?: string;
}

export function countTests(report: object | null, status: number | null): Outcome;
export function summarize(outcomes: Map<string, Outcome>): {
  lines: string[];
  last: string;
  isGood: boolean;
};

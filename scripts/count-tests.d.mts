export function countTests(
  report: object | null,
  status: number | null,
): { passed: number; failed: number };

import type { DashboardSummary } from '../../../shared/api/capsules.ts';
import { MonthlyChart } from './monthly-chart.tsx';
import { StorageMeter } from './storage-meter.tsx';

interface FiguresProps {
  /** Null while it is not known. */
  summary: DashboardSummary | null;
  /** It is on its way. */
  isWaiting: boolean;
  year: number;
  onYear: (year: number) => void;
}

/** The last on the page, and of its own file: what is above them comes first. */
export function Figures({ summary, isWaiting, year, onYear }: FiguresProps) {
  return (
    <>
      <StorageMeter summary={summary} />
      <MonthlyChart summary={summary} isWaiting={isWaiting} year={year} onYear={onYear} />
    </>
  );
}

import type { DashboardSummary } from '../../../shared/api/capsules.ts';
import { Card } from '../../components/card.tsx';
import { ChevronLeft, ChevronRight } from '../../components/icon.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import type { Resource } from '../../hooks/use-resource.ts';
import { monthName } from '../format.ts';
import styles from './monthly-chart.module.css';

type MonthlyStat = DashboardSummary['monthlyStats'][number];

const SERIES = ['created', 'received', 'unlocked'] as const;
const COLOURS = { created: 'copper', received: 'indigo', unlocked: 'verdigris' };
const NAMES = { created: 'Created', received: 'Received', unlocked: 'Unlocked' };

/** The years that the server accepts. */
const [FIRST_YEAR, LAST_YEAR] = [1970, 2200];

const HEIGHT = 96;
const MONTH_WIDTH = 24;
const BAR_WIDTH = 5;
const BAR_STEP = 6;

interface MonthlyChartProps {
  summary: Resource<DashboardSummary>;
  /** The one that was shown before, until this one is here. */
  last: DashboardSummary | null;
  year: number;
  onYear: (year: number) => void;
}

/** Three bars for each month, and the same numbers as a table. */
export function MonthlyChart({ summary, last, year, onYear }: MonthlyChartProps) {
  const shown = summary.data ?? (summary.isLoading ? last : null);
  return (
    <Card
      title="Month by month"
      action={
        <div className={`row middle rigid ${styles.years}`}>
          <IconButton
            label="Previous year"
            className={`lights-up ${styles.step}`}
            disabled={year <= FIRST_YEAR}
            onClick={() => onYear(year - 1)}
          >
            <ChevronLeft size={18} />
          </IconButton>
          <output className="stamp">{year}</output>
          <IconButton
            label="Next year"
            className={`lights-up ${styles.step}`}
            disabled={year >= LAST_YEAR}
            onClick={() => onYear(year + 1)}
          >
            <ChevronRight size={18} />
          </IconButton>
        </div>
      }
    >
      <div className="stack gap-12" aria-busy={summary.isLoading}>
        {shown && <Bars stats={shown.monthlyStats} />}
        {/* Where no year is known either, the list beside it says so. */}
        {!shown && last && <p className="quiet">Not saved on this device.</p>}
      </div>
    </Card>
  );
}

function Bars({ stats }: { stats: readonly MonthlyStat[] }) {
  const most = Math.max(1, ...stats.flatMap((stat) => SERIES.map((name) => stat[name])));
  return (
    <>
      <svg
        className={`wide ${styles.chart}`}
        viewBox={`0 0 ${12 * MONTH_WIDTH} ${HEIGHT + 18}`}
        aria-hidden="true"
      >
        <path className={styles.ground} d={`M0 ${HEIGHT}.5H${12 * MONTH_WIDTH}`} />
        {stats.map((stat, month) => (
          <g key={stat.month} transform={`translate(${month * MONTH_WIDTH + 3} 0)`}>
            {SERIES.map((name, index) => {
              const height = (stat[name] / most) * (HEIGHT - 4);
              return (
                <rect
                  key={name}
                  className={`${COLOURS[name]} ${styles.bar}`}
                  x={index * BAR_STEP}
                  y={HEIGHT - height}
                  width={BAR_WIDTH}
                  height={height}
                  rx="1"
                />
              );
            })}
            <text className={styles.month} x={BAR_STEP + BAR_WIDTH / 2} y={HEIGHT + 14}>
              {monthName(stat.month).slice(0, 1)}
            </text>
          </g>
        ))}
      </svg>
      <ul className="cluster gap-4-16 quiet small">
        {SERIES.map((name) => (
          <li key={name} className="row middle gap-6">
            <span className={`${COLOURS[name]} ${styles.mark}`} aria-hidden="true" />
            {NAMES[name]}
          </li>
        ))}
      </ul>
      <details className={`small ${styles.details}`}>
        <summary className="copper">Show as a table</summary>
        <table className={`wide ${styles.table}`}>
          <caption className="visually-hidden">
            Capsules in {stats[0]?.month.slice(0, 4)}, month by month
          </caption>
          <thead>
            <tr>
              <th scope="col">Month</th>
              {SERIES.map((name) => (
                <th key={name} scope="col">
                  {NAMES[name]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {stats.map((stat) => (
              <tr key={stat.month} className="line-above">
                <th scope="row">{monthName(stat.month)}</th>
                {SERIES.map((name) => (
                  <td key={name}>{stat[name]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}

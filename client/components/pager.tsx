import { type Pagination, pageWindow, showingText } from '../../shared/pagination.ts';
import { ChevronLeft, ChevronRight } from './icon.tsx';
import styles from './pager.module.css';

interface PagerProps {
  pagination: Pagination;
  onPage: (page: number) => void;
  /** Accessible name of the pages. */
  label?: string;
}

/** 'Showing X to Y of Z capsules' and the pages. Of one page only the text, and not to the eye, which sees them all. */
export function Pager({ pagination, onPage, label = 'Pages' }: PagerProps) {
  const { currentPage, totalPages } = pagination;
  const links = pageWindow(currentPage, totalPages).map((link, index, all) => ({
    link,
    key: link === 'ellipsis' ? `gap after ${all[index - 1]}` : String(link),
  }));
  return (
    <div className={`cluster middle spread ${styles.pager}`}>
      <p className={totalPages > 1 ? 'quiet small' : 'visually-hidden'} role="status">
        {showingText(pagination)}
      </p>
      {totalPages > 1 && (
        <nav aria-label={label}>
          <ul className={`cluster gap-4 ${styles.pages}`}>
            <li>
              <button
                type="button"
                className={`centre rounded lights-up ${styles.page}`}
                aria-label="Previous page"
                disabled={currentPage <= 1}
                onClick={() => onPage(currentPage - 1)}
              >
                <ChevronLeft size={18} />
              </button>
            </li>
            {links.map(({ link, key }) => (
              <li key={key}>
                {link === 'ellipsis' ? (
                  <span className={`centre ${styles.gap}`}>…</span>
                ) : (
                  <button
                    type="button"
                    className={`centre rounded lights-up ${styles.page}`}
                    aria-label={`Page ${link}`}
                    aria-current={link === currentPage ? 'page' : undefined}
                    onClick={() => onPage(link)}
                  >
                    {link}
                  </button>
                )}
              </li>
            ))}
            <li>
              <button
                type="button"
                className={`centre rounded lights-up ${styles.page}`}
                aria-label="Next page"
                disabled={currentPage >= totalPages}
                onClick={() => onPage(currentPage + 1)}
              >
                <ChevronRight size={18} />
              </button>
            </li>
          </ul>
        </nav>
      )}
    </div>
  );
}

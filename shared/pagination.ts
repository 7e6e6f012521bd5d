export interface Pagination {
  /** Counted from 1. */
  currentPage: number;
  totalPages: number;
  itemsPerPage: number;
  totalItems: number;
}

export type PageLink = number | 'ellipsis';

/**
 * The links of a pagination control: all pages up to 7, otherwise the first, the last, the
 * current page with its neighbours, and an ellipsis for each gap.
 */
export function pageWindow(current: number, total: number): PageLink[] {
  if (total <= 7) return Array.from({ length: total }, (_, index) => index + 1);
  const shown = [1, current - 1, current, current + 1, total].filter(
    (page, index, pages) => page >= 1 && page <= total && pages.indexOf(page) === index,
  );
  return shown.flatMap((page, index): PageLink[] => {
    const previous = shown[index - 1];
    if (previous === undefined || page - previous === 1) return [page];
    return ['ellipsis', page];
  });
}

/** 'Showing X to Y of Z capsules'. */
export function showingText({ currentPage, itemsPerPage, totalItems }: Pagination): string {
  const from = totalItems === 0 ? 0 : (currentPage - 1) * itemsPerPage + 1;
  const to = Math.min(currentPage * itemsPerPage, totalItems);
  return `Showing ${from} to ${to} of ${totalItems} capsules`;
}

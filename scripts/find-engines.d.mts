export function findFirefox(): string;
export function findWebKit(): { driver: string; browser: string; display: string };
export function findOpenssl(): string;

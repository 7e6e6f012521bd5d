// What in-page.js and floors/keep.js put into the pages of the bench.

declare var benchPainted: (isDone: () => boolean) => Promise<number>;
declare var benchFrom: (event: string, isDone: () => boolean) => Promise<number>;
declare var benchRawWrites: (bytes: number) => Promise<number>;

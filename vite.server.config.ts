import { defineConfig } from 'vite';

/** The server as one file for each entry; packages stay in node_modules. */
export default defineConfig({
  publicDir: false,
  build: {
    ssr: true,
    outDir: 'dist/server',
    emptyOutDir: true,
    target: 'node20',
    sourcemap: true,
    minify: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        main: 'server/main.ts',
        'accept-clock': 'server/accept-clock.ts',
        'accept-store': 'server/accept-store.ts',
        admin: 'server/admin.ts',
        backup: 'server/backup.ts',
        fsck: 'server/fsck.ts',
        move: 'server/move.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: 'parts/[name]-[hash].js' },
    },
  },
});

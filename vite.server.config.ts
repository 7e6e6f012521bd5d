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
        'accept-clock': 'server/operator/accept-clock.ts',
        'accept-store': 'server/operator/accept-store.ts',
        admin: 'server/operator/admin.ts',
        backup: 'server/operator/backup.ts',
        fsck: 'server/operator/fsck.ts',
        move: 'server/operator/move.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: 'parts/[name]-[hash].js' },
    },
  },
});

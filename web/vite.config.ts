// Bundles the dashboard into three files that the program carries: index.html, app.js, app.css.
// `npm run dev` serves it while it is being written, with the data of a service on port 8080.
import { readFileSync } from 'node:fs';
import { defineConfig } from 'vite';

// The only library in the bundle; its license asks for this.
const notice = readFileSync(new URL('node_modules/uplot/LICENSE', import.meta.url), 'utf8');

export default defineConfig({
  base: '/-/',
  build: {
    target: 'es2022',
    outDir: process.env['WARDEN_WEB_OUT'] ?? '../build/web',
    emptyOutDir: true,
    modulePreload: false,
    cssCodeSplit: false,
    // Compressed, it is a third of that; the benchmarks of the dashboard measure it.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      output: {
        codeSplitting: false,
        entryFileNames: 'app.js',
        assetFileNames: 'app.[ext]',
        banner: `/*! Includes uPlot.\n${notice.trim()} */`,
      },
    },
  },
  server: { proxy: { '/-/api': process.env['WARDEN_URL'] ?? 'http://127.0.0.1:8080' } },
});
